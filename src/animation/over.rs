//! A clip over what lies under it: it says something only of what it keys.
use super::LocalPose;
use super::simd::{Components, LANES, LaneMarks, conjugate, marks, normalized, product};
use glam::Vec4;

/// Which lanes of each group a clip keys: lane `l` is bit `l`. A track that never changes counts too.
#[derive(Debug)]
pub(super) struct KeyedLanes {
    pub(super) translations: Vec<u8>,
    pub(super) rotations: Vec<u8>,
    pub(super) scales: Vec<u8>,
    pub(super) morph_weights: Vec<u8>,
}

const ALL: u8 = 0b1111;

impl KeyedLanes {
    /// Takes from `under`, bit for bit, what isn't keyed.
    pub(super) fn keep(&self, under: &LocalPose, pose: &mut LocalPose) {
        keep(&self.translations, &under.translations, &mut pose.translations);
        keep(&self.rotations, &under.rotations, &mut pose.rotations);
        keep(&self.scales, &under.scales, &mut pose.scales);
        keep(&self.morph_weights, &under.morph_weights, &mut pose.morph_weights);
    }

    /// Puts on top of `under` how far the pose is from `reference`, where it is keyed.
    pub(super) fn add(&self, reference: &LocalPose, under: &LocalPose, pose: &mut LocalPose) {
        add(&self.translations, &reference.translations, &under.translations, &mut pose.translations);
        turn(&self.rotations, &reference.rotations, &under.rotations, &mut pose.rotations);
        stretch(&self.scales, &reference.scales, &under.scales, &mut pose.scales);
        add(&self.morph_weights, &reference.morph_weights, &under.morph_weights, &mut pose.morph_weights);
    }
}

fn marked(keyed: u8) -> LaneMarks {
    let mut lanes = [false; LANES];
    lanes.iter_mut().enumerate().for_each(|(lane, is_keyed)| *is_keyed = keyed & (1 << lane) != 0);
    marks(lanes)
}

fn keep<const N: usize>(keyed: &[u8], under: &[[Vec4; N]], pose: &mut [[Vec4; N]])
where
    [Vec4; N]: Components,
{
    for ((&keyed, under), held) in keyed.iter().zip(under).zip(pose) {
        if keyed != ALL {
            *held = Components::merge(marked(keyed), held.copied(), under);
        }
    }
}

fn add<const N: usize>(keyed: &[u8], reference: &[[Vec4; N]], under: &[[Vec4; N]], pose: &mut [[Vec4; N]]) {
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        let is_keyed = marked(keyed).cmpgt(Vec4::ZERO);
        for ((held, reference), under) in held.iter_mut().zip(reference).zip(under) {
            *held = Vec4::select(is_keyed, *under + (*held - *reference), *under);
        }
    }
}

/// A scale of nothing has no ratio to any other: there the clip changes nothing.
fn stretch(keyed: &[u8], reference: &[[Vec4; 3]], under: &[[Vec4; 3]], pose: &mut [[Vec4; 3]]) {
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        let is_keyed = marked(keyed).cmpgt(Vec4::ZERO);
        for ((held, reference), under) in held.iter_mut().zip(reference).zip(under) {
            let has_ratio = reference.cmpne(Vec4::ZERO) & is_keyed;
            *held = Vec4::select(has_ratio, *under * (*held / *reference), *under);
        }
    }
}

fn turn(keyed: &[u8], reference: &[[Vec4; 4]], under: &[[Vec4; 4]], pose: &mut [[Vec4; 4]]) {
    for (((&keyed, reference), under), held) in keyed.iter().zip(reference).zip(under).zip(pose) {
        let fresh = normalized(product(under, &product(&conjugate(reference), held)));
        *held = Components::merge(marked(keyed), fresh, under);
    }
}
