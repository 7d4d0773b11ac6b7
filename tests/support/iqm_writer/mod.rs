//! A writer of Inter-Quake models, for tests and for the fixtures that `iqm_fixtures.rs` compares with its output.

pub(crate) mod flag;

use glam::{Quat, Vec3};

pub(crate) const POSITION: u32 = 0;
pub(crate) const TEXCOORD: u32 = 1;
pub(crate) const NORMAL: u32 = 2;
pub(crate) const TANGENT: u32 = 3;
pub(crate) const BLEND_INDEXES: u32 = 4;
pub(crate) const BLEND_WEIGHTS: u32 = 5;
pub(crate) const COLOR: u32 = 6;
pub(crate) const CUSTOM: u32 = 0x10;

pub(crate) const U8: u32 = 1;
pub(crate) const F32: u32 = 7;

/// A file in terms of the format's own structures.
#[derive(Clone, Debug)]
pub(crate) struct Iqm {
    pub(crate) version: u32,
    pub(crate) meshes: Vec<MeshRow>,
    pub(crate) vertex_count: u32,
    pub(crate) arrays: Vec<ArrayRow>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) joints: Vec<JointRow>,
    pub(crate) poses: Vec<PoseRow>,
    /// Channel values of each frame, as 16-bit integers.
    pub(crate) frames: Vec<Vec<u16>>,
    pub(crate) anims: Vec<AnimRow>,
    pub(crate) comment: String,
    pub(crate) extensions: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct MeshRow {
    pub(crate) name: String,
    pub(crate) material: String,
    pub(crate) first_triangle: u32,
    pub(crate) triangle_count: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct ArrayRow {
    pub(crate) kind: u32,
    pub(crate) format: u32,
    pub(crate) size: u32,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct JointRow {
    pub(crate) name: String,
    pub(crate) parent: i32,
    pub(crate) local: Local,
}

/// Translation, rotation (x, y, z, w) and scale, in the format's order.
pub(crate) type Local = [f32; 10];

#[derive(Clone, Debug)]
pub(crate) struct PoseRow {
    pub(crate) parent: i32,
    pub(crate) mask: u32,
    pub(crate) offset: Local,
    pub(crate) scale: Local,
}

#[derive(Clone, Debug)]
pub(crate) struct AnimRow {
    pub(crate) name: String,
    pub(crate) first_frame: u32,
    pub(crate) frame_count: u32,
    pub(crate) frame_rate: f32,
    pub(crate) flags: u32,
}

pub(crate) fn local(translation: Vec3, rotation: Quat, scale: Vec3) -> Local {
    let [tx, ty, tz] = translation.to_array();
    let [qx, qy, qz, qw] = rotation.to_array();
    let [sx, sy, sz] = scale.to_array();
    [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]
}

pub(crate) fn joint(name: &str, parent: i32, translation: Vec3, rotation: Quat) -> JointRow {
    JointRow { name: name.into(), parent, local: local(translation, rotation, Vec3::ONE) }
}

pub(crate) fn anim(name: &str, first_frame: u32, frame_count: u32, frame_rate: f32) -> AnimRow {
    AnimRow { name: name.into(), first_frame, frame_count, frame_rate, flags: 0 }
}

pub(crate) fn floats(kind: u32, size: u32, numbers: &[f32]) -> ArrayRow {
    ArrayRow {
        kind,
        format: F32,
        size,
        bytes: numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
    }
}

pub(crate) fn bytes(kind: u32, size: u32, bytes: &[u8]) -> ArrayRow {
    ArrayRow { kind, format: U8, size, bytes: bytes.to_vec() }
}

impl Iqm {
    /// Returns a file without meshes, joints or animations.
    pub(crate) fn empty() -> Self {
        Self {
            version: 2,
            meshes: Vec::new(),
            vertex_count: 0,
            arrays: Vec::new(),
            triangles: Vec::new(),
            joints: Vec::new(),
            poses: Vec::new(),
            frames: Vec::new(),
            anims: Vec::new(),
            comment: String::new(),
            extensions: Vec::new(),
        }
    }

    /// Returns one triangle that faces −y, on the upper of two joints, which nods.
    pub(crate) fn small() -> Self {
        let nod = |angle: f32| {
            let upper = local(Vec3::Z, Quat::from_rotation_x(angle), Vec3::ONE);
            vec![local(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE), upper]
        };
        let mut iqm = Self {
            meshes: vec![MeshRow {
                name: "sail".into(),
                material: "sail.tga".into(),
                first_triangle: 0,
                triangle_count: 1,
            }],
            vertex_count: 3,
            arrays: vec![
                floats(POSITION, 3, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 2.0]),
                floats(TEXCOORD, 2, &[0.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
                floats(NORMAL, 3, &[0.0, -1.0, 0.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0]),
                bytes(BLEND_INDEXES, 4, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
                bytes(BLEND_WEIGHTS, 4, &[128, 127, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]),
            ],
            // The format's front faces are clockwise.
            triangles: vec![[0, 2, 1]],
            joints: vec![
                joint("root", -1, Vec3::ZERO, Quat::IDENTITY),
                joint("upper", 0, Vec3::Z, Quat::IDENTITY),
            ],
            anims: vec![anim("Nod", 0, 3, 4.0)],
            ..Self::empty()
        };
        iqm.set_motion(&[nod(0.0), nod(0.5), nod(0.25)]);
        iqm
    }

    /// Stores frames in the format's encoding: an offset for each channel, and 16-bit steps for those that change.
    pub(crate) fn set_motion(&mut self, frames: &[Vec<Local>]) {
        self.poses.clear();
        self.frames = vec![Vec::new(); frames.len()];
        for joint in 0..frames[0].len() {
            let mut pose = PoseRow { parent: -1, mask: 0, offset: [0.0; 10], scale: [0.0; 10] };
            pose.parent = self.joints.get(joint).map_or(joint as i32 - 1, |joint| joint.parent);
            for channel in 0..10 {
                let numbers = frames.iter().map(|frame| frame[joint][channel]);
                let least = numbers.clone().fold(f32::INFINITY, f32::min);
                let most = numbers.clone().fold(f32::NEG_INFINITY, f32::max);
                pose.offset[channel] = least;
                if most > least {
                    pose.mask |= 1 << channel;
                    pose.scale[channel] = (most - least) / 65535.0;
                    for (frame, number) in self.frames.iter_mut().zip(numbers) {
                        frame.push(((number - least) / pose.scale[channel]).round() as u16);
                    }
                }
            }
            self.poses.push(pose);
        }
    }

    pub(crate) fn array(&mut self, kind: u32) -> &mut ArrayRow {
        self.arrays.iter_mut().find(|array| array.kind == kind).unwrap()
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        let mut file = Bytes(b"INTERQUAKEMODEL\0".to_vec());
        file.0.resize(124, 0);
        file.set(16, self.version);
        // Version 1 stores rotations without w.
        let stored = |local: &Local| -> Vec<f32> {
            (0..10)
                .filter(|&channel| self.version > 1 || channel != 6)
                .map(|channel| local[channel])
                .collect()
        };

        let mut text = vec![0];
        let mut name = |name: &str| {
            let at = if name.is_empty() { 0 } else { text.len() as u32 };
            if !name.is_empty() {
                text.extend(name.bytes().chain([0]));
            }
            at
        };
        let meshes: Vec<u32> = self
            .meshes
            .iter()
            .flat_map(|mesh| {
                let [label, material] = [name(&mesh.name), name(&mesh.material)];
                [label, material, 0, self.vertex_count, mesh.first_triangle, mesh.triangle_count]
            })
            .collect();
        let joints: Vec<u32> = self
            .joints
            .iter()
            .flat_map(|joint| {
                let local = stored(&joint.local).into_iter().map(f32::to_bits);
                [name(&joint.name), joint.parent as u32].into_iter().chain(local).collect::<Vec<_>>()
            })
            .collect();
        let anims: Vec<u32> = self
            .anims
            .iter()
            .flat_map(|anim| {
                let rate = anim.frame_rate.to_bits();
                [name(&anim.name), anim.first_frame, anim.frame_count, rate, anim.flags]
            })
            .collect();
        let extensions: Vec<u32> = self.extensions.iter().map(|extension| name(extension)).collect();

        file.section(28, 32, text.len(), &text);
        file.words(36, 40, self.meshes.len(), &meshes);
        let arrays_at = file.0.len();
        file.words(44, 52, self.arrays.len(), &vec![0; self.arrays.len() * 5]);
        file.set(48, self.vertex_count);
        for (index, array) in self.arrays.iter().enumerate() {
            let offset = file.push(&array.bytes);
            for (word, number) in [array.kind, 0, array.format, array.size, offset].into_iter().enumerate() {
                file.set(arrays_at + index * 20 + word * 4, number);
            }
        }
        file.words(56, 60, self.triangles.len(), self.triangles.as_flattened());
        file.words(68, 72, self.joints.len(), &joints);
        let poses: Vec<u32> = self
            .poses
            .iter()
            .flat_map(|pose| {
                let mask = match self.version {
                    1 => pose.mask & 0x3f | pose.mask >> 1 & 0x1c0,
                    _ => pose.mask,
                };
                let numbers = stored(&pose.offset).into_iter().chain(stored(&pose.scale)).map(f32::to_bits);
                [pose.parent as u32, mask].into_iter().chain(numbers).collect::<Vec<_>>()
            })
            .collect();
        file.words(76, 80, self.poses.len(), &poses);
        file.words(84, 88, self.anims.len(), &anims);
        let frames: Vec<u8> = self.frames.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        file.section(92, 100, self.frames.len(), &frames);
        file.set(96, self.frames.first().map_or(0, Vec::len) as u32);
        file.section(108, 112, self.comment.len(), self.comment.as_bytes());
        self.write_extensions(&mut file, &extensions);
        let length = file.0.len() as u32;
        file.set(20, length);
        file.0
    }

    /// Writes the extensions as a linked list, each with four bytes of data.
    fn write_extensions(&self, file: &mut Bytes, names: &[u32]) {
        file.set(116, names.len() as u32);
        let mut link_at = 120;
        for &name in names {
            let data = file.push(&[1, 2, 3, 4]);
            let words = [name, 4, data, 0].map(u32::to_le_bytes).concat();
            let at = file.push(&words);
            file.set(link_at, at);
            link_at = at as usize + 12;
        }
    }
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn set(&mut self, at: usize, number: u32) {
        self.0[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }

    /// Appends bytes and padding, and returns the bytes' offset.
    fn push(&mut self, bytes: &[u8]) -> u32 {
        let at = self.0.len();
        self.0.extend(bytes);
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        at as u32
    }

    fn section(&mut self, count_at: usize, offset_at: usize, count: usize, bytes: &[u8]) {
        if count > 0 {
            self.set(count_at, count as u32);
            let at = self.push(bytes);
            self.set(offset_at, at);
        }
    }

    fn words(&mut self, count_at: usize, offset_at: usize, count: usize, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.section(count_at, offset_at, count, &bytes);
    }
}
