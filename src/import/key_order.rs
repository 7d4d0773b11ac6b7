//! Key times as a file has them, in any order and repeated, become times that ascend strictly.
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct KeyOrder {
    pub(super) times_secs: Arc<[f32]>,
    /// For each time which key of the file has it.
    kept: Vec<usize>,
    /// Whether some came before one that they should follow.
    pub(super) was_unsorted: bool,
    /// Keys whose time a later one has too: of these the last holds from there on.
    pub(super) repeated: usize,
}

impl KeyOrder {
    /// Of times that are finite.
    pub(super) fn of(times_secs: &[f64]) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
        let singles: Vec<f32> = times_secs.iter().map(|&time| time as f32).collect();
        let was_unsorted = singles.windows(2).any(|pair| matches!(pair, [time, next] if next < time));
        let mut order: Vec<usize> = (0..singles.len()).collect();
        let time = |key: &usize| singles.get(*key).copied().unwrap_or(0.0);
        if was_unsorted {
            order.sort_by(|a, b| time(a).total_cmp(&time(b)));
        }
        let followed = order.iter().skip(1).map(Some).chain([None]);
        let stays = |(key, next): &(&usize, Option<&usize>)| next.is_none_or(|next| time(next) != time(key));
        let kept: Vec<usize> = order.iter().zip(followed).filter(stays).map(|(key, _)| *key).collect();
        Self {
            times_secs: kept.iter().map(time).collect(),
            repeated: singles.len() - kept.len(),
            kept,
            was_unsorted,
        }
    }

    /// The values of the keys that stay, in their new order; `values` has one a key.
    pub(super) fn pick<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.kept.iter().filter_map(|&key| values.get(key).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::KeyOrder;

    #[test]
    fn keys_are_sorted_and_of_one_time_the_last_stays() {
        let order = KeyOrder::of(&[0.0, 2.0, 1.0, 1.0, 3.0]);
        assert_eq!(*order.times_secs, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(order.pick(&['a', 'b', 'c', 'd', 'e']), ['a', 'd', 'b', 'e']);
        assert!(order.was_unsorted && order.repeated == 1);
        assert!(KeyOrder::of(&[]).times_secs.is_empty());
    }
}
