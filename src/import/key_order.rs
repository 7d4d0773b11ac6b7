//! Key times of a file, which may be unsorted and repeated, turned into strictly ascending ones.
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct KeyOrder {
    pub(super) times_secs: Arc<[f32]>,
    /// For each time, the index of its key in the file.
    kept: Vec<usize>,
    /// Whether a key came before one with an earlier time.
    pub(super) was_unsorted: bool,
    /// Number of keys dropped because a later key has the same time. Of keys with one time the last is kept.
    pub(super) repeated: usize,
}

impl KeyOrder {
    /// Orders key times, which must be finite.
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

    /// Returns the values of the kept keys in their new order. `values` has one per key of the file.
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
