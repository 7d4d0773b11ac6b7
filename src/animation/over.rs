//! Mixing of a clip with the pose below it. A clip affects only the lanes that it keys.
use super::LocalPose;
use super::simd::{Components, LaneMarks, conjugate, normalized, product};
use glam::Vec4;

/// Bit masks of the lanes that a clip keys, one per group: lane `l` is bit `l`. Constant tracks count as keyed.
#[derive(Debug)]
pub(super) struct KeyedLanes {
    pub(super) translations: Vec<u8>,
    pub(super) rotations: Vec<u8>,
    pub(super) scales: Vec<u8>,
    pub(super) scalars: Vec<u8>,
}

const ALL: u8 = 0b1111;

impl KeyedLanes {
    /// Copies the lanes that aren't keyed from `under`, bit for bit.
    pub(super) fn keep(&self, under: &LocalPose, pose: &mut LocalPose) {
        keep(&self.translations, &under.translations, &mut pose.translations);
        keep(&self.rotations, &under.rotations, &mut pose.rotations);
        keep(&self.scales, &under.scales, &mut pose.scales);
        keep(&self.scalars, &under.scalars, &mut pose.scalars);
    }

    /// Replaces the pose by `under` plus, in keyed lanes, the difference of the pose from `reference`.
    pub(super) fn add(&self, reference: &LocalPose, under: &LocalPose, pose: &mut LocalPose) {
        add(&self.translations, &reference.translations, &under.translations, &mut pose.translations);
        turn(&self.rotations, &reference.rotations, &under.rotations, &mut pose.rotations);
        stretch(&self.scales, &reference.scales, &under.scales, &mut pose.scales);
        add(&self.scalars, &reference.scalars, &under.scalars, &mut pose.scalars);
    }
}

fn keep<const N: usize>(keyed: &[u8], under: &[[Vec4; N]], pose: &mut [[Vec4; N]])
where
    [Vec4; N]: Components,
{
    for ((&keyed, under), held) in keyed.iter().zip(under).zip(pose) {
        match keyed {
            0 => *held = under.copied(),
            ALL => {}
            _ => *held = Components::merge(marked(keyed), held.copied(), under),
        }
    }
}

fn add<const N: usize>(keyed: &[u8], reference: &[[Vec4; N]], under: &[[Vec4; N]], pose: &mut [[Vec4; N]])
where
    [Vec4; N]: Components,
{
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        *held = match keyed {
            0 => under.copied(),
            _ => Components::merge(marked(keyed), Components::plus_beyond(under, held, reference), under),
        };
    }
}

fn stretch(keyed: &[u8], reference: &[[Vec4; 3]], under: &[[Vec4; 3]], pose: &mut [[Vec4; 3]]) {
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        *held = match keyed {
            0 => under.copied(),
            _ => {
                let fresh = [
                    stretched(under[0], held[0], reference[0]),
                    stretched(under[1], held[1], reference[1]),
                    stretched(under[2], held[2], reference[2]),
                ];
                Components::merge(marked(keyed), fresh, under)
            }
        };
    }
}

/// Returns `under` times the ratio of a scale to its reference, or `under` where the reference is 0 and has no ratio.
#[inline(always)]
fn stretched(under: Vec4, scale: Vec4, reference: Vec4) -> Vec4 {
    Vec4::select(reference.cmpne(Vec4::ZERO), under * (scale / reference), under)
}

fn turn(keyed: &[u8], reference: &[[Vec4; 4]], under: &[[Vec4; 4]], pose: &mut [[Vec4; 4]]) {
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        *held = match keyed {
            0 => under.copied(),
            _ => {
                let fresh = normalized(product(under, &product(&conjugate(reference), held)));
                Components::merge(marked(keyed), fresh, under)
            }
        };
    }
}

#[inline(always)]
fn marked(keyed: u8) -> LaneMarks {
    Vec4::new(f32::from(keyed & 1), f32::from(keyed & 2), f32::from(keyed & 4), f32::from(keyed & 8))
}
