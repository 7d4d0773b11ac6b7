//! Where feet are to be, so that they stand where those of the other body stand.
//!
//! ```text
//! height of the sole   ──╲__________╱──╲_____       of the body that lends its motion
//! contact                   ▔▔▔▔▔▔▔      ▔▔▔▔
//! correction of place    ╲──────────────────        constant error within a contact, faded out beside it
//! correction of height   always: soles are as high above the ground, in proportion
//! ```
use glam::Vec3;

/// Feet are in contact up to this height above their lowest, in lengths of a leg,
const CONTACT_HEIGHT: f32 = 0.03;
/// as long as they rise and fall by less than this many lengths of a leg in a second,
const CONTACT_SPEED: f32 = 0.6;
/// unless they never come this near to the ground.
const GROUND_HEIGHT: f32 = 0.1;
/// Time in which a correction fades beside a contact.
const FADE_SECS: f32 = 0.15;
/// The height of a sole matters up to here, in lengths of a leg, and not at all above the second number.
const HEIGHT_MATTERS: [f32; 2] = [0.3, 0.6];

/// One foot at one time. Heights are above the ground, in lengths of the leg of the body that they belong to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub(super) time_secs: f32,
    /// Height of the lowest point of the sole of the lending body.
    pub(super) height: f32,
    /// Way from where the foot of the borrowing body is to where it would be in proportion, and on the ground.
    pub(super) error: Vec3,
}

/// Returns how each foot's place is to be corrected, over the ground by a distance of `most` at most. `is_loop` says
/// that the last step is the first again.
pub(super) fn corrections(steps: &[Step], is_loop: bool, most: f32) -> Vec<Vec3> {
    let mut corrections = vec![Vec3::ZERO; steps.len()];
    let contacts = contacts(steps);
    let mean = |&(first, last): &(usize, usize)| {
        let sum: Vec3 = steps[first..=last].iter().map(|step| step.error).sum();
        sum / (last + 1 - first) as f32
    };
    let mut kept: Vec<Vec3> = contacts.iter().map(mean).collect();
    if let (true, [first, .., last]) = (is_loop, &mut kept[..])
        && contacts.first().is_some_and(|contact| contact.0 == 0)
        && contacts.last().is_some_and(|contact| contact.1 + 1 == steps.len())
    {
        *first = (*first + *last) / 2.0;
        *last = *first;
    }
    for (index, (correction, step)) in corrections.iter_mut().zip(steps).enumerate() {
        let mut sum = Vec3::ZERO;
        let mut weights = 0.0;
        for (&(first, last), kept) in contacts.iter().zip(&kept) {
            let nearest = index.clamp(first, last);
            let away = (steps[nearest].time_secs - step.time_secs).abs() / FADE_SECS;
            if away < 1.0 {
                let weight = faded(away);
                sum += (steps[nearest].error - *kept) * weight;
                weights += weight;
            }
        }
        *correction = (sum / weights.max(1.0)).with_y(0.0).clamp_length_max(most);
        let [low, high] = HEIGHT_MATTERS;
        correction.y = step.error.y * faded((step.height - low) / (high - low));
    }
    corrections
}

/// Returns the first and the last step of each contact with the ground.
fn contacts(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut contacts: Vec<(usize, usize)> = Vec::new();
    let lowest = steps.iter().fold(f32::INFINITY, |lowest, step| lowest.min(step.height));
    if lowest > GROUND_HEIGHT {
        return contacts;
    }
    for (index, step) in steps.iter().enumerate() {
        let (before, after) = (index.saturating_sub(1), (index + 1).min(steps.len() - 1));
        let (before, after) = (&steps[before], &steps[after]);
        let rise = (after.height - before.height).abs();
        let is_still = rise <= CONTACT_SPEED * (after.time_secs - before.time_secs);
        if step.height > lowest + CONTACT_HEIGHT || !is_still {
            continue;
        }
        match contacts.last_mut() {
            Some((_, last)) if *last + 1 == index => *last = index,
            _ => contacts.push((index, index)),
        }
    }
    contacts
}

/// Falls smoothly from 1 at 0 to 0 at 1.
pub(super) fn faded(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    1.0 - part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of 1/30 s, with these heights and errors along x.
    fn steps(of: &[(f32, f32)]) -> Vec<Step> {
        let step = |(index, &(height, error)): (usize, &(f32, f32))| Step {
            time_secs: index as f32 / 30.0,
            height,
            error: Vec3::new(error, 0.01, 0.0),
        };
        of.iter().enumerate().map(step).collect()
    }

    #[test]
    fn a_planted_foot_keeps_its_mean_place() {
        // The foot slides from 0.1 to −0.1 although the other foot stands.
        let sliding: Vec<_> = (0..=10).map(|step| (0.0, 0.1 - step as f32 * 0.02)).collect();
        let corrected = corrections(&steps(&sliding), false, 1.0);
        for (correction, (_, error)) in corrected.iter().zip(&sliding) {
            assert!((correction.x - error).abs() < 1e-6);
            assert_eq!(correction.y, 0.01);
        }
    }

    #[test]
    fn corrections_fade_beside_contacts_and_in_the_air() {
        let mut path = vec![(0.0, 0.1), (0.0, -0.1)];
        path.extend([(0.02, 0.0); 3].iter().enumerate().map(|(at, _)| (0.1 + at as f32 * 0.1, 0.0)));
        path.extend([(0.7, 0.0); 5]);
        let corrected = corrections(&steps(&path), false, 1.0);
        let steps: Vec<f32> = corrected.windows(2).map(|pair| (pair[1].x - pair[0].x).abs()).collect();
        assert!(corrected.last().unwrap().length() == 0.0, "{corrected:?}");
        assert!(steps[1..].iter().all(|step| *step < 0.06), "{corrected:?}");
    }

    #[test]
    fn feet_in_the_air_are_nowhere_in_contact() {
        assert_eq!(contacts(&steps(&[(0.3, 0.0); 4])), []);
        assert_eq!(contacts(&[]), []);
        let jump = [(0.0, 0.0), (0.0, 0.0), (0.2, 0.0), (0.4, 0.0), (0.2, 0.0), (0.0, 0.0), (0.0, 0.0)];
        assert_eq!(contacts(&steps(&jump)), [(0, 0), (6, 6)]);
    }
}
