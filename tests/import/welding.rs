//! Vertex welding of .dae and .x files: equal corners become one vertex, and every triangle stays as the file has
//! it.

use crate::support::collada;
use crate::support::collada::{files_below, fixture, imported, models, saw};
use gambol::model::{Model, Primitive};
use glam::{Vec2, Vec3};
use std::collections::BTreeSet;
use std::fs;

/// Returns the bits of all values of one vertex; adding 0 turns −0 into 0.
fn values(primitive: &Primitive, vertex: usize) -> Vec<u32> {
    let mut numbers: Vec<f32> = primitive.positions[vertex].to_array().into();
    for array in [&primitive.normals]
        .into_iter()
        .chain(primitive.morph_targets.iter().flat_map(|target| [&target.positions, &target.normals]))
    {
        numbers.extend(array.get(vertex).into_iter().flat_map(|vector| vector.to_array()));
    }
    numbers.extend(primitive.colors.get(vertex).into_iter().flat_map(|color| color.to_array()));
    for uvs in &primitive.uv_sets {
        numbers.extend(uvs[vertex].to_array());
    }
    let mut words: Vec<u32> = numbers.into_iter().map(|number| (number + 0.0).to_bits()).collect();
    if !primitive.influences.is_empty() {
        for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
            words.extend([u32::from(joint), joint_weight.to_bits()]);
        }
    }
    words
}

fn primitives(model: &Model) -> impl Iterator<Item = &Primitive> {
    model.meshes.iter().flat_map(|mesh| &mesh.primitives)
}

#[test]
fn no_vertex_of_a_real_file_stands_there_twice() {
    let Some(models) = models() else { return };
    for extension in ["dae", "x"] {
        let files = files_below(&models.join(extension), &[extension]);
        assert!(files.len() > 3, "{} files", files.len());
        saw(files.len());
        for file in files {
            let model = imported(&fs::read(&file).unwrap()).model;
            let (mut vertices, mut corners) = (0, 0);
            for primitive in primitives(&model) {
                let count = primitive.positions.len();
                let distinct: BTreeSet<Vec<u32>> =
                    (0..count).map(|vertex| values(primitive, vertex)).collect();
                assert_eq!(distinct.len(), count, "{}", file.display());
                (vertices, corners) = (vertices + count, corners + primitive.indices.len());
            }
            println!("{}: {vertices} vertices, {corners} corners", file.display());
        }
    }
}

/// Corners as listed in the text of a file: the reference for the welded vertices.
struct Corners {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    /// Indices of position, normal and texture coordinates, `stride` per corner.
    indices: Vec<usize>,
    stride: usize,
}

fn numbers_of(text: &str, start: &str) -> Vec<f32> {
    let (_, after) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    let (_, numbers) = after.split_once('>').unwrap();
    numbers
        .split('<')
        .next()
        .unwrap()
        .split_ascii_whitespace()
        .map(|number| number.parse().unwrap())
        .collect()
}

impl Corners {
    fn read(text: &str, arrays: [&str; 3], shape: &str, stride: usize) -> Self {
        let [positions, normals, uvs] = arrays
            .map(|id| if id.is_empty() { Vec::new() } else { numbers_of(text, &format!("id=\"{id}\"")) });
        let (_, element) = text.split_once(&format!("<{shape} ")).unwrap();
        let indices = numbers_of(element, "<p");
        Self {
            positions: positions.as_chunks::<3>().0.iter().copied().map(Vec3::from).collect(),
            normals: normals.as_chunks::<3>().0.iter().copied().map(Vec3::from).collect(),
            uvs: uvs.as_chunks::<2>().0.iter().map(|&[u, v]| Vec2::new(u, 1.0 - v)).collect(),
            indices: indices.iter().map(|&index| index as usize).collect(),
            stride,
        }
    }
}

#[test]
fn welded_corners_are_those_of_the_text() {
    let Some(models) = models() else { return };
    for (file, arrays, shape, stride) in [
        (
            "thinmatrix/model.dae",
            ["Cube-mesh-positions-array", "Cube-mesh-normals-array", "Cube-mesh-map-0-array"],
            "polylist",
            4,
        ),
        (
            "khronos/RiggedSimple/RiggedSimple.dae",
            ["Cylinder-mesh-positions-array", "Cylinder-mesh-normals-array", ""],
            "polylist",
            2,
        ),
    ] {
        let text = fs::read_to_string(models.join("dae").join(file)).unwrap();
        let corners = Corners::read(&text, arrays, shape, stride);
        let model = imported(text.as_bytes()).model;
        let primitive = primitives(&model).next().unwrap();
        assert_eq!(primitive.indices.len(), corners.indices.len() / stride, "{file}: triangles only");
        for (&vertex, corner) in primitive.indices.iter().zip(corners.indices.chunks_exact(corners.stride)) {
            let vertex = vertex as usize;
            assert_eq!(primitive.positions[vertex], corners.positions[corner[0]], "{file}");
            let normal = corners.normals[corner[1]].normalize();
            assert!(primitive.normals[vertex].abs_diff_eq(normal, 1e-6), "{file}");
            if !corners.uvs.is_empty() {
                assert_eq!(primitive.uv_sets[0][vertex], corners.uvs[corner[2]], "{file}");
            }
        }
    }
}

/// Tests the six corners of two triangles that share an edge, with normals and colours listed per corner.
#[test]
fn what_a_file_lists_once_a_corner_is_one_vertex_where_it_is_equal() {
    let corner_of = |positions: &str, normals: &str| {
        let source = |id: &str, numbers: &str| collada::source(id, numbers, 3);
        let mesh = format!(
            "<library_geometries><geometry id='g'><mesh>{}{}<vertices id='v'><input semantic='POSITION' source='#p'/>\
            </vertices><triangles count='2'><input semantic='VERTEX' source='#v' offset='0'/>\
            <input semantic='NORMAL' source='#n' offset='1'/><p>0 0 1 1 2 2 3 3 4 4 5 5</p></triangles></mesh>\
            </geometry></library_geometries>",
            source("p", positions),
            source("n", normals)
        );
        let model = imported(collada::collada(&mesh).as_bytes()).model;
        let primitive = primitives(&model).next().unwrap().clone();
        (primitive.positions.len(), primitive.indices)
    };
    let positions = "0 0 0  1 0 0  0 1 0  1 0 0  1 1 0  0 1 0";
    let flat = "0 0 1 ".repeat(6);
    assert_eq!(corner_of(positions, &flat), (4, vec![0, 1, 2, 1, 3, 2]));
    // A crease along the edge, and a 0 written as −0.
    let creased = "0 0 1 ".repeat(3) + &"0 0.6 0.8 ".repeat(3);
    assert_eq!(corner_of(positions, &creased), (6, vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(corner_of(&positions.replacen("0 0 0", "-0 0 -0", 1), &flat), (4, vec![0, 1, 2, 1, 3, 2]));
}

#[test]
fn welding_gives_the_same_order_each_time() {
    for name in ["flag.dae", "flag.x"] {
        let bytes = fixture(&format!("formats/{name}"));
        assert_eq!(imported(&bytes).model, imported(&bytes).model, "{name}");
    }
}
