//! .x files for tests: one generated character in every form that the format has, and any text in the other encodings.
pub mod encode;

use crate::support::made_model::Random;
use gambol::animation::reference::{ReferencePose, skin_matrices};
use gambol::import::{ImportOptions, Imported, Resources, import_with};
use gambol::model::check::check;
use gambol::model::{ClipIndex, Model, NodeIndex, Srt};
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};

pub fn load(text: &str) -> Imported {
    load_with(text, &ImportOptions::default())
}

/// Imports a text after prepending the header.
pub fn load_with(text: &str, options: &ImportOptions) -> Imported {
    let file = format!("xof 0303txt 0032\n{text}");
    let imported = import_with(file.as_bytes(), &Resources::default(), options);
    let imported = imported.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(check(&imported.model), []);
    imported
}

pub fn codes(imported: &Imported) -> Vec<&'static str> {
    imported.report.warnings.iter().map(|warning| warning.code).collect()
}

/// Returns the code and the place of the error that a text is rejected with.
pub fn refused(text: &str) -> (&'static str, String) {
    let file = format!("xof 0303txt 0032\n{text}");
    let error = import_with(file.as_bytes(), &Resources::default(), &ImportOptions::default()).unwrap_err();
    (error.code(), error.place().to_owned())
}

/// A skinned character with an animation, in the format's left-handed space.
#[derive(Clone, Debug)]
pub struct Made {
    pub joints: Vec<MadeJoint>,
    pub ticks: Vec<u32>,
    /// Transform of the mesh's frame.
    pub mesh_frame: Srt,
    /// Corners of the triangles, three for each.
    pub corners: Vec<Corner>,
}

#[derive(Clone, Debug)]
pub struct MadeJoint {
    pub parent: Option<usize>,
    pub rest: Srt,
    /// One key for each of the character's ticks.
    pub keys: Vec<Srt>,
}

/// Corner of a triangle, in model space. The weights sum to 1.
#[derive(Clone, Debug)]
pub struct Corner {
    pub position: Vec3,
    pub weights: Vec<(usize, f32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    Srt,
    /// Matrix keys of this type: 4, or 3 in files of older exporters.
    Matrix(u8),
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offsets {
    Given,
    Zero,
    Missing,
}

pub const TICKS_PER_SECOND: f64 = 25.0;

impl Made {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let ticks = vec![0, 4, 10, 11, 25, 50];
        let any = |random: &mut Random, bend: f32, stretch: f32| Srt {
            scale: Vec3::ONE + random.vec3(stretch),
            rotation: Quat::from_axis_angle(
                random.vec3(1.0).normalize_or(Vec3::Y),
                random.between(-bend, bend),
            ),
            translation: random.vec3(1.0),
        };
        let joints: Vec<MadeJoint> = (0..7)
            .map(|index| MadeJoint {
                parent: (index > 0).then(|| random.below(index)),
                // A non-uniform scale would shear child joints; the last joint has no children.
                rest: any(&mut random, 1.5, if index == 6 { 0.4 } else { 0.0 }),
                keys: ticks
                    .iter()
                    .map(|_| any(&mut random, 3.0, if index == 6 { 0.4 } else { 0.0 }))
                    .collect(),
            })
            .collect();
        let corners = (0..60)
            .map(|_| {
                let (a, b) = (random.below(7), random.below(7));
                let share = random.between(0.1, 0.9);
                let weights = if a == b { vec![(a, 1.0)] } else { vec![(a, share), (b, 1.0 - share)] };
                Corner { position: random.vec3(3.0), weights }
            })
            .collect();
        Self { joints, ticks, mesh_frame: Srt::IDENTITY, corners }
    }

    /// Returns the matrix of each joint in a pose, for column vectors.
    fn model_from_joints(&self, pose: &[Posed]) -> Vec<DMat4> {
        let mut resolved: Vec<DMat4> = Vec::new();
        for (joint, posed) in self.joints.iter().zip(pose) {
            let above = joint.parent.map_or(DMat4::IDENTITY, |parent| resolved[parent]);
            resolved.push(above * posed.matrix());
        }
        resolved
    }

    pub fn rest(&self) -> Vec<Posed> {
        self.joints.iter().map(|joint| Posed::of(&joint.rest)).collect()
    }

    /// Returns the pose at a time. Scale and translation are interpolated linearly between keys, rotations spherically.
    pub fn posed(&self, time_secs: f64) -> Vec<Posed> {
        let tick = time_secs * TICKS_PER_SECOND;
        let next = self.ticks.iter().position(|&key| f64::from(key) > tick).unwrap_or(self.ticks.len());
        let (last, next) = (next.saturating_sub(1), next.min(self.ticks.len() - 1));
        let (from, to) = (f64::from(self.ticks[last]), f64::from(self.ticks[next]));
        let alpha = if to > from { (tick - from) / (to - from) } else { 0.0 };
        let between = |joint: &MadeJoint| {
            let (from, to) = (Posed::of(&joint.keys[last]), Posed::of(&joint.keys[next]));
            Posed {
                scale: from.scale.lerp(to.scale, alpha),
                rotation: from.rotation.slerp(to.rotation, alpha),
                translation: from.translation.lerp(to.translation, alpha),
            }
        };
        self.joints.iter().map(between).collect()
    }

    /// Returns each corner in a pose, in the model's right-handed space.
    pub fn skinned(&self, pose: &[Posed]) -> Vec<DVec3> {
        let bind = self.model_from_joints(&self.rest());
        let posed = self.model_from_joints(pose);
        let moved = |corner: &Corner| {
            let of_joint = |&(joint, weight): &(usize, f32)| {
                let moved = posed[joint] * bind[joint].inverse();
                moved.transform_point3(corner.position.as_dvec3()) * f64::from(weight)
            };
            corner.weights.iter().map(of_joint).sum::<DVec3>() * DVec3::new(1.0, 1.0, -1.0)
        };
        self.corners.iter().map(moved).collect()
    }

    pub fn text(&self, keys: Keys, offsets: Offsets) -> String {
        let mut text = format!("AnimTicksPerSecond {{ {TICKS_PER_SECOND}; }}\n");
        for root in (0..self.joints.len()).filter(|&joint| self.joints[joint].parent.is_none()) {
            self.frame(root, &mut text);
        }
        text += &format!("Frame Body {{ {}\n{} }}\n", transform(&self.mesh_frame), self.mesh(offsets));
        if keys != Keys::None {
            let animations = (0..self.joints.len()).map(|joint| self.animation(joint, keys));
            text += &format!("AnimationSet Move {{\n{} }}\n", animations.collect::<String>());
        }
        text
    }

    fn frame(&self, joint: usize, text: &mut String) {
        *text += &format!("Frame J{joint} {{ {}\n", transform(&self.joints[joint].rest));
        for child in (0..self.joints.len()).filter(|&child| self.joints[child].parent == Some(joint)) {
            self.frame(child, text);
        }
        *text += "}\n";
    }

    fn mesh(&self, offsets: Offsets) -> String {
        let model_from_mesh = Posed::of(&self.mesh_frame).matrix();
        let mesh_from_model = model_from_mesh.inverse();
        let corner = |corner: &Corner| {
            let [x, y, z] = mesh_from_model.transform_point3(corner.position.as_dvec3()).to_array();
            format!("{x:.9};{y:.9};{z:.9};,")
        };
        let mut text = format!("Mesh Skin {{ {};\n", self.corners.len());
        text += &self.corners.iter().map(corner).collect::<String>();
        text += &format!(";\n{};\n", self.corners.len() / 3);
        let face = |first: usize| format!("3;{},{},{};,", first, first + 1, first + 2);
        text += &(0..self.corners.len()).step_by(3).map(face).collect::<String>();
        let bind = self.model_from_joints(&self.rest());
        for (joint, model_from_joint) in bind.iter().enumerate() {
            let weight =
                |corner: &Corner| corner.weights.iter().find(|slot| slot.0 == joint).map(|slot| slot.1);
            let weights = self.corners.iter().enumerate();
            let weights: Vec<(usize, f32)> =
                weights.filter_map(|(vertex, corner)| Some((vertex, weight(corner)?))).collect();
            let vertices: String = weights.iter().map(|slot| format!("{},", slot.0)).collect();
            let shares: String = weights.iter().map(|slot| format!("{:?},", slot.1)).collect();
            let offset = match offsets {
                Offsets::Given => rows(&(model_from_joint.inverse() * model_from_mesh)),
                Offsets::Zero => "0.0,".repeat(16),
                Offsets::Missing => String::new(),
            };
            let count = weights.len();
            text += &format!("\nSkinWeights {{ \"J{joint}\"; {count}; {vertices}; {shares}; {offset};; }}");
        }
        text + "}"
    }

    fn animation(&self, joint: usize, keys: Keys) -> String {
        let MadeJoint { keys: values, .. } = &self.joints[joint];
        let list = |key_type: u8, count: usize, value: &dyn Fn(&Srt) -> String| {
            let key = |(tick, srt): (&u32, &Srt)| format!("{tick};{count};{};;,", value(srt));
            let list: String = self.ticks.iter().zip(values).map(key).collect();
            format!("AnimationKey {{ {key_type}; {}; {list}; }}\n", self.ticks.len())
        };
        let vector = |vector: Vec3| format!("{:.9},{:.9},{:.9}", vector.x, vector.y, vector.z);
        let keys = match keys {
            Keys::Srt => {
                list(0, 4, &|key| quaternion(key.rotation))
                    + &list(1, 3, &|key| vector(key.scale))
                    + &list(2, 3, &|key| vector(key.translation))
            }
            Keys::Matrix(key_type) => list(key_type, 16, &|key| rows(&Posed::of(key).matrix())),
            Keys::None => String::new(),
        };
        format!("Animation {{ {{ J{joint} }}\n{keys} }}\n")
    }
}

/// A local transform, in double precision.
#[derive(Clone, Copy, Debug)]
pub struct Posed {
    pub scale: DVec3,
    pub rotation: DQuat,
    pub translation: DVec3,
}

impl Posed {
    pub fn of(srt: &Srt) -> Self {
        let Srt { scale, rotation, translation } = srt;
        Self {
            scale: scale.as_dvec3(),
            rotation: rotation.as_dquat().normalize(),
            translation: translation.as_dvec3(),
        }
    }

    pub fn matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// Writes a rotation in the order of the format: w first, and conjugated.
pub fn quaternion(rotation: Quat) -> String {
    let [x, y, z, w] = rotation.conjugate().to_array();
    format!("{w:.9},{x:.9},{y:.9},{z:.9}")
}

/// Returns the numbers of a matrix in the format's order. The format multiplies row vectors with the transpose,
/// whose rows are the columns of this matrix.
pub fn rows(matrix: &DMat4) -> String {
    let numbers = matrix.to_cols_array().map(|number| format!("{number:.9}"));
    numbers.join(",")
}

pub fn transform(srt: &Srt) -> String {
    format!("FrameTransformMatrix {{ {};; }}", rows(&Posed::of(srt).matrix()))
}

/// Returns the positions of all corners that a model draws in a pose, in order.
pub fn drawn(model: &Model, pose: &ReferencePose) -> Vec<DVec3> {
    let model_from_node = pose.resolve(model);
    let mut drawn = Vec::new();
    for (node, mesh) in model.drawn_nodes() {
        let skin = model.node(node).skin;
        let palette = match skin {
            Some(skin) => skin_matrices(model, skin, &model_from_node),
            None => vec![model_from_node[node.get()]],
        };
        for primitive in &model.mesh(mesh).primitives {
            drawn.extend(primitive.indices.iter().map(|&vertex| {
                let position = primitive.positions[vertex as usize].as_dvec3();
                if skin.is_none() {
                    return palette[0].transform_point3(position);
                }
                let slots = primitive.influences.of_vertex(vertex as usize);
                slots
                    .map(|(joint, weight)| {
                        palette[usize::from(joint)].transform_point3(position) * f64::from(weight)
                    })
                    .sum()
            }));
        }
    }
    drawn
}

pub fn drawn_at(model: &Model, clip: usize, time_secs: f32) -> Vec<DVec3> {
    drawn(model, &ReferencePose::sample(model, ClipIndex::new(clip), time_secs))
}

/// Reverses the winding of triangles.
pub fn turned_round<T: Copy>(corners: &[T]) -> Vec<T> {
    corners.chunks(3).flat_map(|corner| [corner[0], corner[2], corner[1]]).collect()
}

/// Returns the greatest distance between corresponding points, as a share of the size of `expected`.
pub fn apart(found: &[DVec3], expected: &[DVec3]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let far = found.iter().zip(expected).map(|(found, expected)| found.distance(*expected));
    let (low, high) = expected.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| {
        (low.min(*point), high.max(*point))
    });
    far.fold(0.0, f64::max) / (high - low).length()
}

/// Returns the matrix from a node's space to model space, in a clip at a time.
pub fn node_at(model: &Model, name: &str, clip: usize, time_secs: f32) -> DMat4 {
    let node: NodeIndex = model.find_node(name).unwrap();
    let pose = ReferencePose::sample(model, ClipIndex::new(clip), time_secs);
    pose.resolve(model)[node.get()].into()
}
