//! A flag on a pole with a picture: a small skinned model with two clips.
use super::{
    BLEND_INDEXES, BLEND_WEIGHTS, Iqm, JointRow, Local, MeshRow, NORMAL, POSITION, TEXCOORD, anim, bytes,
    floats, joint,
};
use glam::{Quat, Vec3};

const JOINTS: usize = 5;
const COLUMNS: usize = 13;
const ROWS: usize = 5;
/// Length of the flag, from the pole to its free end.
const LENGTH: f32 = 2.4;
const HEIGHT: f32 = 1.5;
/// Height of the flag's lower edge above the ground.
const RAISED: f32 = 2.5;
const FRAMES: usize = 25;

pub(crate) fn flag() -> Iqm {
    let mut iqm = Iqm { joints: joints(0.0, 0.0), ..Iqm::empty() };
    let mut vertices = Vec::new();
    for side in [-1.0, 1.0] {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let along = column as f32 / (COLUMNS - 1) as f32;
                let up = row as f32 / (ROWS - 1) as f32;
                let position = Vec3::new(along * LENGTH, 0.0, RAISED + up * HEIGHT);
                vertices.push((position, Vec3::Y * side, [along, 1.0 - up], along));
            }
        }
    }
    let cloth = ROWS * COLUMNS;
    for side in 0..2 {
        for row in 0..ROWS - 1 {
            for column in 0..COLUMNS - 1 {
                let at = |row: usize, column: usize| (side * cloth + row * COLUMNS + column) as u32;
                let [a, b] = [at(row, column), at(row, column + 1)];
                let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
                let two = if side == 0 { [[a, d, b], [a, c, d]] } else { [[a, b, d], [a, d, c]] };
                iqm.triangles.extend(two);
            }
        }
    }
    iqm.meshes.push(mesh("Flag", "flag.tga", 0, iqm.triangles.len()));

    let first = iqm.triangles.len();
    for corner in 0..9 {
        let around = Quat::from_rotation_z(corner as f32 * std::f32::consts::FRAC_PI_4);
        let normal = around * Vec3::X;
        for height in [0.0, RAISED + HEIGHT + 0.1] {
            vertices.push((normal * 0.05 + Vec3::new(-0.05, 0.0, height), normal, [0.0, 0.0], 0.0));
        }
    }
    for corner in 0..8 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|next| (2 * cloth + 2 * corner + next) as u32);
        iqm.triangles.extend([[a, b, d], [a, d, c]]);
    }
    iqm.meshes.push(mesh("Pole", "", first, iqm.triangles.len() - first));

    iqm.vertex_count = vertices.len() as u32;
    let numbers: Vec<f32> = vertices.iter().flat_map(|vertex| vertex.0.to_array()).collect();
    iqm.arrays.push(floats(POSITION, 3, &numbers));
    let numbers: Vec<f32> = vertices.iter().flat_map(|vertex| vertex.2).collect();
    iqm.arrays.push(floats(TEXCOORD, 2, &numbers));
    let numbers: Vec<f32> = vertices.iter().flat_map(|vertex| vertex.1.to_array()).collect();
    iqm.arrays.push(floats(NORMAL, 3, &numbers));
    let (indexes, weights): (Vec<_>, Vec<_>) = vertices.iter().map(|vertex| influences(vertex.3)).unzip();
    iqm.arrays.push(bytes(BLEND_INDEXES, 4, &indexes.concat()));
    iqm.arrays.push(bytes(BLEND_WEIGHTS, 4, &weights.concat()));

    let turn = |frame: usize| frame as f32 / (FRAMES - 1) as f32;
    let waving = (0..FRAMES).map(|frame| frame_of(&joints(0.35, turn(frame))));
    let falling = (0..FRAMES).map(|frame| frame_of(&drooping(turn(frame))));
    let frames: Vec<Vec<Local>> = waving.chain(falling).collect();
    iqm.set_motion(&frames);
    iqm.anims = vec![anim("Wave", 0, FRAMES as u32, 24.0), anim("Droop", FRAMES as u32, FRAMES as u32, 24.0)];
    iqm.anims[0].flags = 1;
    iqm.comment = "a flag, made by Gambol's own tests".into();
    iqm
}

/// Returns the flag's texture: three stripes, run-length encoded, top row first.
pub(crate) fn picture() -> Vec<u8> {
    let mut tga = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 48, 0, 32, 0, 24, 0x20];
    for row in 0..32 {
        // TGA stores blue, green, red.
        let stripe = [[60, 60, 200], [240, 240, 240], [170, 90, 30]][row * 3 / 32];
        // A run of 12 pixels for a band beside the pole, then one of 36 for the stripe.
        for (length, [blue, green, red]) in [(12, [40, 180, 240]), (36, stripe)] {
            tga.extend([0x80 | (length - 1), blue, green, red]);
        }
    }
    tga
}

fn mesh(name: &str, material: &str, first: usize, count: usize) -> MeshRow {
    MeshRow {
        name: name.into(),
        material: material.into(),
        first_triangle: first as u32,
        triangle_count: count as u32,
    }
}

/// Returns the pole's joint and a chain of joints along the flag, bent by a travelling wave.
fn joints(height: f32, turn: f32) -> Vec<JointRow> {
    let step = Vec3::X * LENGTH / (JOINTS - 1) as f32;
    let mut joints = vec![joint("pole", -1, Vec3::ZERO, Quat::IDENTITY)];
    for number in 1..JOINTS {
        let phase = std::f32::consts::TAU * (turn - number as f32 / JOINTS as f32);
        let rest = if number == 1 { Vec3::Z * (RAISED + HEIGHT / 2.0) } else { step };
        let name = format!("cloth {number}");
        joints.push(joint(&name, number as i32 - 1, rest, Quat::from_rotation_z(height * phase.sin())));
    }
    joints
}

fn drooping(turn: f32) -> Vec<JointRow> {
    let mut joints = joints(0.0, 0.0);
    for joint in &mut joints[1..] {
        let rotation = Quat::from_rotation_y(0.3 * turn * turn);
        joint.local[3..7].copy_from_slice(&rotation.to_array());
    }
    joints
}

fn frame_of(joints: &[JointRow]) -> Vec<Local> {
    joints.iter().map(|joint| joint.local).collect()
}

/// Returns the influences of a vertex: the two joints of the chain between which it lies.
fn influences(along: f32) -> ([u8; 4], [u8; 4]) {
    if along == 0.0 {
        return ([0; 4], [255, 0, 0, 0]);
    }
    let place = 1.0 + along * (JOINTS - 2) as f32;
    let joint = place.floor().min((JOINTS - 1) as f32);
    let weight = ((1.0 - (place - joint)) * 255.0).round() as u8;
    ([joint as u8, (joint as u8 + 1).min(JOINTS as u8 - 1), 0, 0], [weight, 255 - weight, 0, 0])
}
