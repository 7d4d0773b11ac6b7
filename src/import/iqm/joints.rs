//! Converts joints to nodes, parents first, and to the skin that the meshes share.
use super::file::{File, JOINTS, Record};
use super::motion::Motion;
use super::{facing, upright_root};
use crate::import::imported_model::ImportedModel;
use crate::import::matrices::unit_rotation;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{NodeIndex, Skin, Srt};
use crate::refusal::Place;
use glam::{Affine3A, Quat, Vec3};

// Most exporters keep at least six digits.
const UNIT_TOLERANCE: f32 = 1e-2;

#[derive(Default)]
pub(super) struct Joints {
    /// Nodes by the joints' numbers in the file.
    pub(super) nodes: Vec<NodeIndex>,
    /// Skin whose bind pose is the joints' rest.
    pub(super) skin: Skin,
    /// Node above all joints and meshes that turns the character to the viewer.
    pub(super) facing: Option<NodeIndex>,
}

struct Joint {
    name: String,
    parent: Option<usize>,
    rest: Srt,
    place: String,
}

pub(super) fn read(
    file: &File<'_>,
    motion: &Motion<'_>,
    imported: &mut ImportedModel,
    report: &mut ImportReport,
) -> Result<Joints, ImportError> {
    let word_count = if file.version == 1 { 11 } else { 12 };
    let records = file.records(JOINTS, word_count)?;
    let found: Vec<Joint> = match records.len() {
        0 => of_motion(motion, report)?,
        _ => records.map(|record| joint(file, &record, report)).collect::<Result<_, _>>()?,
    };
    let order = parents_first(&found)?;
    let rests = rests(&found, &order);
    let joints = found.iter().map(|joint| joint.name.as_str()).zip(&rests);
    let facing = facing::turn(joints.map(|(name, rest)| (name, rest.model_from_joint.translation.into())));
    let facing = facing.map(|(name, turn)| imported.push_node(name, None, &Affine3A::from_quat(turn)));
    let mut nodes = vec![NodeIndex::new(0); found.len()];
    for number in order {
        let Some((joint, rest)) = found.get(number).zip(rests.get(number)) else { continue };
        let parent = joint.parent.and_then(|parent| nodes.get(parent)).copied().or(facing);
        let node = imported.push_node(&joint.name, parent, &Affine3A::IDENTITY);
        if let Some(node) = imported.nodes.last_mut() {
            node.rest = rest.parent_from_joint;
        }
        if let Some(slot) = nodes.get_mut(number) {
            *slot = node;
        }
    }
    Ok(Joints { skin: skin(file, &nodes, &rests, report), nodes, facing })
}

/// A joint's transforms at rest with y up, without the rotation of the facing node.
#[derive(Clone, Copy, Default)]
struct Rest {
    parent_from_joint: Srt,
    model_from_joint: Affine3A,
}

/// Returns the joints' rests, by the joints' numbers.
fn rests(joints: &[Joint], parents_first: &[usize]) -> Vec<Rest> {
    let mut rests = vec![Rest::default(); joints.len()];
    for &number in parents_first {
        let Some(joint) = joints.get(number) else { continue };
        let parent = joint.parent.and_then(|parent| rests.get(parent)).copied();
        let parent_from_joint = if parent.is_some() { joint.rest } else { upright_root(joint.rest) };
        let local = parent_from_joint.parent_from_node();
        let model_from_joint = parent.map_or(local, |parent| parent.model_from_joint * local);
        if let Some(slot) = rests.get_mut(number) {
            *slot = Rest { parent_from_joint, model_from_joint };
        }
    }
    rests
}

fn joint(file: &File<'_>, record: &Record<'_>, report: &mut ImportReport) -> Result<Joint, ImportError> {
    let translation = record.floats(2)?;
    let (rotation, scale) = match file.version {
        1 => {
            let [x, y, z] = record.floats(5)?;
            (whole_rotation(x, y, z), record.floats(8)?)
        }
        _ => (Quat::from_array(record.floats(5)?), record.floats(9)?),
    };
    let (rotation, was_unit) = unit_rotation(rotation, UNIT_TOLERANCE);
    if !was_unit {
        report.warn_at(WarningKind::RotationNotUnit, record.place(5), "");
    }
    Ok(Joint {
        name: file.text(record, 0)?,
        parent: record.optional_index(1),
        rest: Srt { scale: Vec3::from_array(scale), rotation, translation: Vec3::from_array(translation) },
        place: record.place(1),
    })
}

/// Computes the rotation of version 1, which leaves out w. There w is never positive.
pub(super) fn whole_rotation(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_xyzw(x, y, z, -(1.0 - (x * x + y * y + z * z)).max(0.0).sqrt())
}

/// Returns joints made of the poses. Files that hold only motion have no joints, but a pose for each, with the same
/// parents.
fn of_motion(motion: &Motion<'_>, report: &mut ImportReport) -> Result<Vec<Joint>, ImportError> {
    if let Some(first) = motion.poses.first() {
        report.warn_at(WarningKind::JointsMissing, first.place.clone(), &motion.poses.len().to_string());
    }
    let joint = |(number, pose)| {
        let mut rest = motion.local(pose, 0)?;
        (rest.rotation, _) = unit_rotation(rest.rotation, UNIT_TOLERANCE);
        Ok(Joint { name: format!("joint {number}"), parent: pose.parent, rest, place: pose.place.clone() })
    };
    motion.poses.iter().enumerate().map(joint).collect()
}

/// Returns the joints' numbers, each after its parent's.
fn parents_first(joints: &[Joint]) -> Result<Vec<usize>, ImportError> {
    let mut order = Vec::with_capacity(joints.len());
    // Marks the joints in `order` and those on the current path.
    let mut met = vec![false; joints.len()];
    let mut placed = vec![false; joints.len()];
    let mut path = Vec::new();
    for number in 0..joints.len() {
        let mut next = Some(number);
        while let Some(number) = next {
            let Some((joint, met)) = joints.get(number).zip(met.get_mut(number)) else {
                let place = path.last().and_then(|&child: &usize| joints.get(child));
                return Err(ImportProblem::IndexOutOfRange.at(
                    place.map_or(String::new(), |child| child.place.clone()),
                    format!("joint {number} of {}", joints.len()),
                ));
            };
            if placed.get(number) == Some(&true) {
                break;
            }
            if *met {
                let found = format!("joint {number}");
                return Err(ImportProblem::NodeCycle.at(joint.place.clone(), found));
            }
            *met = true;
            path.push(number);
            next = joint.parent;
        }
        for number in path.drain(..).rev() {
            order.push(number);
            if let Some(placed) = placed.get_mut(number) {
                *placed = true;
            }
        }
    }
    Ok(order)
}

/// Returns the skin, with meshes bound to the joints at rest.
fn skin(file: &File<'_>, nodes: &[NodeIndex], rests: &[Rest], report: &mut ImportReport) -> Skin {
    let mut joint_from_mesh = Vec::with_capacity(nodes.len());
    let mut flat = 0;
    for rest in rests {
        let inverse = rest.model_from_joint.inverse();
        flat += usize::from(!inverse.is_finite());
        joint_from_mesh.push(if inverse.is_finite() { inverse } else { Affine3A::IDENTITY });
    }
    if flat > 0 {
        let place = Place::byte(file.offset(JOINTS));
        report.warn_at(WarningKind::BindNotInvertible, place, &format!("{flat} of {}", nodes.len()));
    }
    Skin { name: String::new(), joints: nodes.to_vec(), joint_from_mesh, skeleton_root: None }
}
