//! Writes the GLB file: JSON and one buffer, laid out in the order in which it is read.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Mat4, Quat, Vec3, Vec4};
use serde_json::{Value, json};

use super::{
    Mesh,
    bake::{Recording, animation},
    face::MORPH_NAMES,
    materials::{MOST_TILES, Material},
    relief::{self, Relief},
    skeleton::all_joints,
    surface::{Surface, rgba},
};

const FLOAT: u32 = 5126;
const BYTE: u32 = 5120;
const SHORT: u32 = 5122;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Index of the buffer view for pooled accessors. Its slot is reserved from the start.
const POOL_VIEW: usize = 0;

/// A buffer under construction, with its buffer views and accessors.
#[derive(Default)]
pub(super) struct Store {
    bytes: Vec<u8>,
    /// Keys of all clips, stored in one buffer view at the end of the buffer.
    pool: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// Accessors by content, so that mirrored and repeated tracks are stored once.
    known: BTreeMap<(&'static str, Vec<u8>), usize>,
}

impl Store {
    fn new() -> Store {
        Store { views: vec![Value::Null], ..Store::default() }
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>, stride: Option<usize>) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Returns the buffer, the views and the accessors, with the pool's view in its reserved slot.
    fn finish(mut self) -> (Vec<u8>, Vec<Value>, Vec<Value>) {
        let pool = std::mem::take(&mut self.pool);
        let last = self.view(&pool, None, None);
        let view = self.views.remove(last);
        self.views[POOL_VIEW] = view;
        (self.bytes, self.views, self.accessors)
    }

    /// Adds an accessor of floats without `min` and `max`, for the values of keys.
    pub(super) fn floats(&mut self, values: &[f32], kind: &'static str, width: usize) -> usize {
        let bytes = le_bytes(values);
        self.once(kind, bytes, json!({ "componentType": FLOAT, "count": values.len() / width, "type": kind }))
    }

    fn once(&mut self, kind: &'static str, bytes: Vec<u8>, mut accessor: Value) -> usize {
        if let Some(&known) = self.known.get(&(kind, bytes.clone())) {
            return known;
        }
        accessor["bufferView"] = json!(POOL_VIEW);
        accessor["byteOffset"] = json!(self.pool.len());
        self.pool.extend_from_slice(&bytes);
        let index = self.accessor(accessor);
        self.known.insert((kind, bytes), index);
        index
    }

    /// Adds an accessor of rotations as normalised 16-bit integers: an error of at most 0.004 degrees at half the
    /// size of floats.
    pub(super) fn turns(&mut self, turns: &[Quat]) -> usize {
        let bytes: Vec<u8> = turns
            .iter()
            .flat_map(|turn| turn.to_array())
            .flat_map(|value| snorm16(value).to_le_bytes())
            .collect();
        self.once(
            "turns",
            bytes,
            json!({ "componentType": SHORT, "normalized": true, "count": turns.len(), "type": "VEC4" }),
        )
    }

    /// Adds an accessor of key times, for which glTF requires `min` and `max`.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let accessor = self.floats(times, "SCALAR", 1);
        self.accessors[accessor]["min"] = json!([times[0]]);
        self.accessors[accessor]["max"] = json!([times[times.len() - 1]]);
        accessor
    }
}

/// Converts a number in −1..1 to a normalised 16-bit integer.
fn snorm16(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

fn snorm8(value: f32) -> i8 {
    (value.clamp(-1.0, 1.0) * 127.0).round() as i8
}

fn le_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Returns the minimum and the maximum of each coordinate.
fn bounds(values: &[[i16; 3]]) -> (Value, Value) {
    let extreme = |pick: fn(i16, i16) -> i16| {
        values.iter().copied().reduce(|a, b| [0, 1, 2].map(|axis| pick(a[axis], b[axis]))).unwrap_or_default()
    };
    (json!(extreme(i16::min)), json!(extreme(i16::max)))
}

/// Origin of mesh space, in model space. Everything is less than one unit from the middle of the body, so positions
/// fit normalised 16-bit integers (steps of 0.00003) without a scale. The inverse bind matrices include this
/// offset.
const MESH_ORIGIN: Vec3 = Vec3::new(0.0, 0.8, 0.0);

/// Returns the file of meshes on the skeleton. The last mesh is the one with morph targets, if there are any.
pub(super) fn write(meshes: &[Mesh], recordings: &[Recording]) -> Vec<u8> {
    let joints = all_joints();
    let mut store = Store::new();
    let mut nodes: Vec<Value> = joints
        .iter()
        .map(|joint| {
            let from = joint.parent().map_or(Vec3::ZERO, |parent| parent.rest());
            let mut node = json!({ "name": joint.name(), "translation": short(joint.rest() - from) });
            let children: Vec<usize> = joints
                .iter()
                .enumerate()
                .filter(|(_, child)| child.parent() == Some(*joint))
                .map(|(index, _)| index)
                .collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect();
    let mut scene_nodes = vec![0];
    let materials = used_materials(meshes.iter());
    let mut gltf_meshes = Vec::new();
    for (index, mesh) in meshes.iter().enumerate() {
        scene_nodes.push(nodes.len());
        nodes.push(json!({ "name": mesh.name, "mesh": index, "skin": 0 }));
        gltf_meshes.push(mesh_json(&mut store, mesh, &materials, Some(MESH_ORIGIN)));
    }
    let face_node = nodes.len() - 1;
    let animations: Vec<Value> =
        recordings.iter().map(|recording| animation(&mut store, recording, face_node)).collect();
    let inverse_binds: Vec<f32> = joints
        .iter()
        .flat_map(|joint| Mat4::from_translation(MESH_ORIGIN - joint.rest()).to_cols_array())
        .collect();
    // Matrices and keys mustn't share a view. Without clips there are no keys, and glTF has no empty views.
    let inverse_binds = if recordings.is_empty() {
        store.floats(&inverse_binds, "MAT4", 16)
    } else {
        let view = store.view(&le_bytes(&inverse_binds), None, None);
        store.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": joints.len(), "type": "MAT4",
        }))
    };
    let joint_indices: Vec<usize> = (0..joints.len()).collect();
    let skin = json!({ "inverseBindMatrices": inverse_binds, "joints": joint_indices, "skeleton": 0 });
    let document = json!({
        "scenes": [{ "name": "Character", "nodes": scene_nodes }],
        "nodes": nodes,
        "meshes": gltf_meshes,
        "skins": [skin],
        "animations": animations,
    });
    finish(document, store, &materials)
}

/// Returns the file of meshes at the positions of their nodes. `clip` returns an animation of these nodes.
pub(super) fn write_rigid(meshes: &[(Mesh, Vec3)], clip: &dyn Fn(&mut Store) -> Value) -> Vec<u8> {
    let mut store = Store::new();
    let materials = used_materials(meshes.iter().map(|(mesh, _)| mesh));
    let gltf_meshes =
        meshes.iter().map(|(mesh, _)| mesh_json(&mut store, mesh, &materials, None)).collect::<Vec<_>>();
    let nodes = meshes
        .iter()
        .enumerate()
        .map(|(index, (mesh, place))| json!({ "name": mesh.name, "mesh": index, "translation": short(*place) }))
        .collect::<Vec<_>>();
    let clip = clip(&mut store);
    let scene_nodes: Vec<usize> = (0..meshes.len()).collect();
    let document = json!({
        "scenes": [{ "name": "Prop", "nodes": scene_nodes }],
        "nodes": nodes,
        "meshes": gltf_meshes,
        "animations": [clip],
    });
    finish(document, store, &materials)
}

fn used_materials<'a>(meshes: impl Iterator<Item = &'a Mesh>) -> Vec<Material> {
    let used: BTreeSet<Material> =
        meshes.flat_map(|mesh| mesh.parts.iter().map(|(material, _)| *material)).collect();
    used.into_iter().collect()
}

/// Adds what every file has.
fn finish(mut document: Value, mut store: Store, materials: &[Material]) -> Vec<u8> {
    let mut extensions = vec!["KHR_mesh_quantization"];
    document["asset"] = json!({ "version": "2.0", "generator": "gambol xtask character" });
    document["extensionsRequired"] = json!(extensions);
    document["scene"] = json!(0);
    let reliefs: BTreeSet<Relief> = materials.iter().filter_map(|material| material.relief()).collect();
    let reliefs: Vec<Relief> = reliefs.into_iter().collect();
    document["materials"] =
        json!(materials.iter().map(|material| material.to_gltf(&reliefs)).collect::<Vec<_>>());
    if !reliefs.is_empty() {
        let image = |relief: &Relief| {
            let view = store.view(&relief.normal_map(), None, None);
            json!({ "name": format!("{relief:?}"), "bufferView": view, "mimeType": "image/png" })
        };
        document["images"] = json!(reliefs.iter().map(image).collect::<Vec<_>>());
        document["textures"] =
            json!((0..reliefs.len()).map(|image| json!({ "source": image })).collect::<Vec<_>>());
        extensions.push("KHR_texture_transform");
    }
    if materials.iter().any(|material| material.has_sheen()) {
        extensions.push("KHR_materials_sheen");
    }
    document["extensionsUsed"] = json!(extensions);
    // glTF has no empty lists.
    if document["animations"] == json!([]) {
        document.as_object_mut().expect("it is an object").remove("animations");
    }
    let (bytes, views, accessors) = store.finish();
    document["buffers"] = json!([{ "byteLength": bytes.len().next_multiple_of(4) }]);
    document["bufferViews"] = json!(views);
    document["accessors"] = json!(accessors);
    pack(&document, bytes)
}

/// Rounds coordinates to five decimals, which removes digits that come from 32-bit arithmetic.
fn short(v: Vec3) -> [f64; 3] {
    v.to_array().map(|value| (f64::from(value) * 1e5).round() / 1e5)
}

fn pack(document: &Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut glb = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + binary.len();
    for word in [2, total as u32, json.len() as u32] {
        glb.extend(word.to_le_bytes());
    }
    glb.extend(b"JSON");
    glb.extend(json);
    glb.extend((binary.len() as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(binary);
    glb
}

/// Returns a mesh. With a `skin_origin`, which is the origin of mesh space, it has joints and weights.
fn mesh_json(store: &mut Store, mesh: &Mesh, materials: &[Material], skin_origin: Option<Vec3>) -> Value {
    let mut by_material: BTreeMap<_, Surface> = BTreeMap::new();
    for (material, part) in &mesh.parts {
        by_material.entry(*material).or_default().append(part.clone());
    }
    let primitives: Vec<Value> = by_material
        .iter()
        .map(|(material, surface)| {
            let mut primitive = primitive_json(store, surface, material.relief().is_some(), skin_origin);
            primitive["material"] =
                json!(materials.iter().position(|listed| listed == material).expect("it is used"));
            if mesh.morphs {
                primitive["targets"] = json!(
                    (0..MORPH_NAMES.len())
                        .map(|morph| json!({ "POSITION": morph_accessor(store, surface, morph) }))
                        .collect::<Vec<_>>()
                );
            }
            primitive
        })
        .collect();
    let mut value = json!({ "name": mesh.name, "primitives": primitives });
    if mesh.morphs {
        value["weights"] = json!(vec![0.0; MORPH_NAMES.len()]);
        value["extras"] = json!({ "targetNames": MORPH_NAMES });
    }
    value
}

fn primitive_json(store: &mut Store, surface: &Surface, tiled: bool, skin_origin: Option<Vec3>) -> Value {
    assert!(surface.vertices.len() < 65535, "indices are 16 bits wide");
    let vertices = &surface.vertices;
    let count = vertices.len();
    let origin = skin_origin.unwrap_or_default();
    let positions: Vec<[i16; 3]> =
        vertices.iter().map(|vertex| (vertex.position - origin).to_array().map(snorm16)).collect();
    let (min, max) = bounds(&positions);
    let position_bytes: Vec<u8> =
        positions.iter().flat_map(|&[x, y, z]| [x, y, z, 0]).flat_map(i16::to_le_bytes).collect();
    let view = store.view(&position_bytes, Some(ARRAY_BUFFER), Some(8));
    let position = store.accessor(json!({
        "bufferView": view, "componentType": SHORT, "normalized": true, "count": count, "type": "VEC3",
        "min": min, "max": max,
    }));
    // Padded to four bytes: glTF requires vertex attributes to start at multiples of four.
    let mut directions = |vectors: &mut dyn Iterator<Item = Vec4>, kind: &str| {
        let bytes: Vec<u8> =
            vectors.flat_map(|vector| vector.to_array().map(|value| snorm8(value) as u8)).collect();
        let view = store.view(&bytes, Some(ARRAY_BUFFER), Some(4));
        store.accessor(json!({
            "bufferView": view, "componentType": BYTE, "normalized": true, "count": count, "type": kind,
        }))
    };
    let normal = directions(&mut vertices.iter().map(|vertex| vertex.normal.extend(0.0)), "VEC3");
    let tangent = tiled.then(|| directions(&mut relief::tangents(surface).into_iter(), "VEC4"));
    let mut bytes_accessor = |bytes: Vec<u8>, normalized: bool| {
        let view = store.view(&bytes, Some(ARRAY_BUFFER), None);
        let mut accessor =
            json!({ "bufferView": view, "componentType": UNSIGNED_BYTE, "count": count, "type": "VEC4" });
        if normalized {
            accessor["normalized"] = json!(true);
        }
        store.accessor(accessor)
    };
    let colors = vertices
        .iter()
        .flat_map(|vertex| rgba(vertex.paint).to_array().map(|channel| (channel * 255.0).round() as u8))
        .collect();
    let color = bytes_accessor(colors, true);
    let skin = skin_origin.map(|_| {
        let influences: Vec<[(u8, u8); 4]> =
            vertices.iter().map(|vertex| four_influences(&vertex.influences)).collect();
        let joints = influences.iter().flat_map(|slots| slots.map(|slot| slot.0)).collect();
        let weights = influences.iter().flat_map(|slots| slots.map(|slot| slot.1)).collect();
        (bytes_accessor(joints, false), bytes_accessor(weights, true))
    });
    let triangles: Vec<[u32; 3]> =
        surface.triangles.iter().filter(|corners| opens(surface, corners)).copied().collect();
    let indices: Vec<u8> =
        triangles.iter().flatten().flat_map(|&corner| (corner as u16).to_le_bytes()).collect();
    let view = store.view(&indices, Some(ELEMENT_ARRAY_BUFFER), None);
    let indices = store.accessor(json!({
        "bufferView": view, "componentType": UNSIGNED_SHORT, "count": triangles.len() * 3, "type": "SCALAR",
    }));
    let mut primitive = json!({
        "attributes": { "POSITION": position, "NORMAL": normal, "COLOR_0": color },
        "indices": indices,
    });
    if let Some((joints, weights)) = skin {
        primitive["attributes"]["JOINTS_0"] = json!(joints);
        primitive["attributes"]["WEIGHTS_0"] = json!(weights);
    }
    if let Some(tangent) = tangent {
        primitive["attributes"]["TANGENT"] = json!(tangent);
        let tiles: Vec<u8> = vertices
            .iter()
            .flat_map(|vertex| (vertex.tiles / MOST_TILES).to_array())
            .flat_map(|share| ((share.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes())
            .collect();
        let view = store.view(&tiles, Some(ARRAY_BUFFER), None);
        primitive["attributes"]["TEXCOORD_0"] = json!(store.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_SHORT, "normalized": true, "count": count, "type": "VEC2",
        })));
    }
    primitive
}

/// Returns false for triangles with two corners that coincide in every expression.
fn opens(surface: &Surface, corners: &[u32; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| {
        let vertex = &surface.vertices[corner as usize];
        (vertex.position, vertex.morph_deltas)
    });
    a != b && b != c && c != a
}

/// Returns the four strongest influences, with weights as bytes that sum to exactly 255.
fn four_influences(influences: &[(super::skeleton::Joint, f32)]) -> [(u8, u8); 4] {
    let mut sorted = influences.to_vec();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.truncate(4);
    let sum: f32 = sorted.iter().map(|influence| influence.1).sum();
    let mut slots = [(0, 0); 4];
    let mut left = 255_i32;
    for (slot, (joint, weight)) in slots.iter_mut().zip(&sorted).skip(1) {
        let share = (weight / sum * 255.0).round() as i32;
        // The glTF validator requires joint 0 in unused slots.
        if share > 0 {
            *slot = (joint.index() as u8, share as u8);
            left -= share;
        }
    }
    slots[0] = (sorted[0].0.index() as u8, left as u8);
    slots
}

/// Adds a sparse accessor with one morph target's deltas as normalised 16-bit integers. It stores only the vertices
/// that move.
fn morph_accessor(store: &mut Store, surface: &Surface, morph: usize) -> usize {
    let deltas: Vec<[i16; 3]> =
        surface.vertices.iter().map(|vertex| vertex.morph_deltas[morph].to_array().map(snorm16)).collect();
    let moved: Vec<usize> = (0..deltas.len()).filter(|&index| deltas[index] != [0; 3]).collect();
    let (min, max) = bounds(&deltas);
    let mut accessor = json!({
        "componentType": SHORT, "normalized": true, "count": deltas.len(), "type": "VEC3",
        "min": min, "max": max,
    });
    if !moved.is_empty() {
        let indices: Vec<u8> = moved.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect();
        let values: Vec<u8> =
            moved.iter().flat_map(|&index| deltas[index]).flat_map(i16::to_le_bytes).collect();
        let indices = store.view(&indices, None, None);
        let values = store.view(&values, None, None);
        accessor["sparse"] = json!({
            "count": moved.len(),
            "indices": { "bufferView": indices, "componentType": UNSIGNED_SHORT },
            "values": { "bufferView": values },
        });
    }
    store.accessor(accessor)
}
