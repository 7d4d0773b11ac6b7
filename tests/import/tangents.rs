//! Generated tangents compared corner by corner with those of `bevy_mikktspace`, a Rust translation of the original
//! MikkTSpace code.

use crate::support::gltf_file::File;
use crate::support::made_model::Random;
use crate::support::real_models::{MODEL_EXTENSIONS, files_below, models, saw};
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use gambol::import::{ImportError, Imported, Resources, external_buffers, import};
use gambol::model::{Model, Primitive, Topology};
use glam::{DVec3, Vec2, Vec2Swizzles, Vec3, Vec4};
use std::f32::consts::TAU;
use std::fs;
use std::path::Path;

/// Mesh as input of the library, without degenerate triangles: the library compares each of those with all others.
struct Oracle<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    uvs: &'a [Vec2],
    indices: &'a [u32],
    faces: Vec<usize>,
    tangents: Vec<Option<Vec4>>,
}

impl Oracle<'_> {
    fn vertex(&self, face: usize, at: usize) -> usize {
        self.indices[self.faces[face] * 3 + at] as usize
    }
}

impl Geometry for Oracle<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    // The library compares bits. Adding 0 turns −0 into 0.
    fn position(&self, face: usize, at: usize) -> [f32; 3] {
        (self.positions[self.vertex(face, at)] + Vec3::ZERO).to_array()
    }

    fn normal(&self, face: usize, at: usize) -> [f32; 3] {
        (self.normals[self.vertex(face, at)] + Vec3::ZERO).to_array()
    }

    fn tex_coord(&self, face: usize, at: usize) -> [f32; 2] {
        (self.uvs[self.vertex(face, at)] + Vec2::ZERO).to_array()
    }

    fn set_tangent(&mut self, tangent_space: Option<TangentSpace>, face: usize, at: usize) {
        let corner = self.faces[face] * 3 + at;
        self.tangents[corner] = tangent_space.map(|tangent_space| tangent_space.tangent_encoded().into());
    }
}

/// Returns the library's tangents in glTF's form: of unit length, with the sign for a V that runs downwards.
fn expected(positions: &[Vec3], normals: &[Vec3], uvs: &[Vec2], indices: &[u32]) -> Vec<Option<Vec4>> {
    let has_area = |face: &usize| {
        let [a, b, c] = [0, 1, 2].map(|at| positions[indices[face * 3 + at] as usize]);
        a != b && b != c && c != a
    };
    let faces = (0..indices.len() / 3).filter(has_area).collect();
    let tangents = vec![None; indices.len()];
    let mut oracle = Oracle { positions, normals, uvs, indices, faces, tangents };
    generate_tangents(&mut oracle).unwrap();
    let finished = indices.iter().zip(&oracle.tangents).map(|(&vertex, tangent)| {
        let (tangent, sign) = ((*tangent)?.truncate(), (*tangent)?.w);
        let direction = (tangent / tangent.abs().max_element()).try_normalize();
        Some(direction.unwrap_or_else(|| normals[vertex as usize].any_orthonormal_vector()).extend(-sign))
    });
    finished.collect()
}

/// Result of a comparison.
#[derive(Debug, Default)]
struct Tally {
    corners: usize,
    /// Vertices whose numbers are all equal.
    same: usize,
    /// Largest angle between two tangents, in radians.
    worst: f64,
    apart: Vec<String>,
}

impl Tally {
    fn add(&mut self, made: Vec4, expected: Vec4, what: &dyn Fn() -> String) {
        let [a, b]: [DVec3; 2] = [made, expected].map(|tangent| tangent.truncate().as_dvec3());
        let angle = a.cross(b).length().atan2(a.dot(b));
        self.corners += 1;
        self.same += usize::from(made == expected);
        self.worst = self.worst.max(angle);
        if angle > 1e-3 || made.w != expected.w || !angle.is_finite() {
            self.apart.push(format!("{}: {made} for {expected}", what()));
        }
    }

    fn compare(&mut self, model: &Model, name: &str) {
        for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let material = primitive.material.map(|material| &model.materials[material.get()]);
            let Some(slot) = material.and_then(|material| material.normal_texture) else { continue };
            if !primitive.tangents.is_empty() {
                self.compare_primitive(primitive, &primitive.uv_sets[slot.uv_set], name);
            }
        }
    }

    fn compare_primitive(&mut self, primitive: &Primitive, uvs: &[Vec2], name: &str) {
        let Primitive { positions, normals, indices, tangents, .. } = primitive;
        let of_corners = expected(positions, normals, uvs, indices);
        for (corner, (&vertex, expected)) in indices.iter().zip(of_corners).enumerate() {
            let Some(expected) = expected else { continue };
            self.add(tangents[vertex as usize], expected, &|| format!("{name}, corner {corner}"));
        }
        for (number, target) in primitive.morph_targets.iter().enumerate() {
            let moved = |base: &[Vec3], deltas: &[Vec3]| -> Vec<Vec3> {
                let deltas = deltas.iter().copied().chain(std::iter::repeat(Vec3::ZERO));
                base.iter().zip(deltas).map(|(base, delta)| base + delta).collect()
            };
            let positions = moved(positions, &target.positions);
            let mut normals = moved(normals, &target.normals);
            for normal in &mut normals {
                *normal = (*normal / normal.abs().max_element()).try_normalize().unwrap_or(Vec3::Z);
            }
            let of_corners = expected(&positions, &normals, uvs, indices);
            for (vertex, delta) in target.tangents.iter().enumerate() {
                // The vertex has the tangent of its first corner.
                let Some(corner) = indices.iter().position(|&index| index as usize == vertex) else {
                    continue;
                };
                let Some(expected) = of_corners[corner] else { continue };
                let made = (tangents[vertex].truncate() + delta).extend(expected.w);
                self.add(made, expected, &|| format!("{name}, morph target {number}, vertex {vertex}"));
            }
        }
    }

    fn print(&self, name: &str) {
        let Self { corners, same, worst, apart } = self;
        println!(
            "{name}: {corners} corners, {same} the same to the bit, {worst:.1e} rad at worst, {} apart",
            apart.len()
        );
        for line in apart.iter().take(20) {
            println!("  {line}");
        }
    }

    fn hold(&self, name: &str) {
        self.print(name);
        assert!(self.corners > 0 && self.apart.is_empty(), "{} of {} apart", self.apart.len(), self.corners);
    }
}

/// Loads a file without its own tangents, by renaming the attribute to an unknown one.
fn load(path: &Path) -> Result<Imported, ImportError> {
    let mut bytes = fs::read(path).unwrap();
    let name = b"\"TANGENT\"";
    while let Some(at) = bytes.windows(name.len()).position(|window| window == name) {
        bytes[at + 1] = b'_';
    }
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes)? {
        if let Ok(buffer) = fs::read(path.with_file_name(&uri)) {
            resources.insert(&uri, buffer);
        }
    }
    import(&bytes, &resources)
}

/// Compares each file's models. A primitive that has texture coordinates and no normal map is compared with one
/// too.
fn compare_files(folder: &Path) -> Tally {
    let mut tally = Tally::default();
    for path in files_below(folder, &MODEL_EXTENSIONS) {
        let Ok(Imported { model, .. }) = load(&path) else { continue };
        let name = path.display().to_string();
        tally.compare(&model, &name);
        for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let Primitive { topology, positions, normals, uv_sets, indices, .. } = primitive;
            if let (Topology::Triangles, Some(uvs), []) = (topology, uv_sets.first(), &primitive.tangents[..])
            {
                let (positions, normals) = (positions.clone(), normals.clone());
                let made = Made {
                    positions,
                    normals,
                    uvs: uvs.clone(),
                    indices: indices.clone(),
                    ..Made::default()
                };
                made.compare(&mut tally, &name);
            }
        }
    }
    tally
}

#[test]
fn the_fixtures_get_the_tangents_of_the_library() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    compare_files(&folder).hold("fixtures");
}

#[test]
fn real_models_get_the_tangents_of_the_library() {
    let Some(folder) = models() else { return };
    compare_files(&folder).hold("models");
    saw(files_below(&folder, &MODEL_EXTENSIONS).len());
}

/// Mesh under construction.
#[derive(Clone, Default)]
struct Made {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    indices: Vec<u32>,
    /// Position and normal offsets of a morph target.
    deltas: Vec<[Vec3; 2]>,
}

impl Made {
    fn vertex(&mut self, position: Vec3, normal: Vec3, uv: Vec2) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        u32::try_from(self.positions.len() - 1).unwrap()
    }

    fn load(&self) -> Model {
        let flat =
            |vectors: &[Vec3]| vectors.iter().flat_map(|vector| vector.to_array()).collect::<Vec<f32>>();
        let count = self.positions.len();
        let mut file = File::default();
        file.floats("VEC3", count, &flat(&self.positions));
        file.floats("VEC3", count, &flat(&self.normals));
        file.floats("VEC2", count, &self.uvs.iter().flat_map(|uv| uv.to_array()).collect::<Vec<f32>>());
        let indices: Vec<u8> = self.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        file.accessor("SCALAR", 5125, self.indices.len(), &indices, "");
        let mut targets = "";
        if !self.deltas.is_empty() {
            for attribute in [0, 1] {
                let deltas: Vec<Vec3> = self.deltas.iter().map(|deltas| deltas[attribute]).collect();
                file.floats("VEC3", count, &flat(&deltas));
            }
            targets = r#","targets":[{"POSITION":4,"NORMAL":5}]"#;
        }
        let imported = file.load(&format!(
            r#""images":[{{"uri":"a.png"}}],"textures":[{{"source":0}}],"materials":[{{"normalTexture":{{"index":0}}}}],
            "meshes":[{{"primitives":[{{
                "attributes":{{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}},"indices":3,"material":0{targets}
            }}]}}]"#
        ));
        imported.model
    }

    fn compare(&self, tally: &mut Tally, name: &str) {
        tally.compare(&self.load(), name);
    }

    /// Returns a grid of `size` × `size` squares. `place` is called for each vertex with coordinates from 0 to 1.
    fn grid(size: u32, mut place: impl FnMut(Vec2) -> (Vec3, Vec3, Vec2)) -> Self {
        let mut made = Self::default();
        for row in 0..=size {
            for column in 0..=size {
                let (position, normal, uv) = place(Vec2::new(column as f32, row as f32) / size as f32);
                made.vertex(position, normal, uv);
            }
        }
        for row in 0..size {
            for column in 0..size {
                let a = row * (size + 1) + column;
                let (b, c, d) = (a + 1, a + size + 2, a + size + 1);
                made.indices.extend([a, b, c, a, c, d]);
            }
        }
        made
    }

    /// Returns a triangle fan around one vertex.
    fn fan(count: u32, uv: impl Fn(f32) -> Vec2, centre_uv: Vec2) -> Self {
        let mut made = Self::default();
        made.vertex(Vec3::ZERO, Vec3::Z, centre_uv);
        for number in 0..count {
            let turn = number as f32 / count as f32;
            let (sine, cosine) = (turn * TAU).sin_cos();
            made.vertex(Vec3::new(cosine, sine, 0.0), Vec3::Z, uv(turn));
            made.indices.extend([0, number + 1, (number + 1) % count + 1]);
        }
        made
    }
}

fn bumpy(at: Vec2, random: &mut Random) -> (Vec3, Vec3) {
    let normal = (Vec3::Z * 2.0 + random.vec3(1.0)).normalize();
    (Vec3::new(at.x, at.y, random.between(0.0, 0.2)), normal)
}

#[test]
fn grids_get_the_tangents_of_the_library() {
    let mut tally = Tally::default();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let size = 2 + 2 * u32::try_from(random.below(8)).unwrap();
        let seam = Made::grid(size, |at| {
            let (position, normal) = bumpy(at, &mut random);
            (position, normal, Vec2::new((at.x - 0.5).abs(), at.y))
        });
        seam.compare(&mut tally, "mirror seam");

        let mut islands = Made::grid(size, |at| {
            let (position, normal) = bumpy(at, &mut random);
            (position, normal, at + Vec2::new(random.between(0.0, 0.3), 0.0) / size as f32)
        });
        // Some corners get a vertex of their own, whose texture coordinates may be rotated, mirrored or without
        // area.
        for corner in 0..islands.indices.len() {
            if random.chance(20) {
                let vertex = islands.indices[corner] as usize;
                let uv = match random.below(4) {
                    0 => islands.uvs[vertex],
                    1 => Vec2::ONE - islands.uvs[vertex],
                    2 => islands.uvs[vertex].yx(),
                    _ => Vec2::ZERO,
                };
                islands.indices[corner] =
                    islands.vertex(islands.positions[vertex], islands.normals[vertex], uv);
            }
        }
        islands.compare(&mut tally, "islands");

        let mut odd = seam.clone();
        for normal in &mut odd.normals {
            *normal = if random.chance(30) { -*normal } else { *normal };
        }
        for triangle in odd.indices.chunks_exact_mut(3) {
            match random.below(10) {
                0 => triangle.swap(0, 1),
                1 => triangle[1] = triangle[0],
                2 => triangle.rotate_left(1),
                _ => {}
            }
        }
        for uv in &mut odd.uvs {
            *uv = if random.chance(10) { Vec2::ZERO } else { *uv };
        }
        odd.compare(&mut tally, "flipped and degenerate");

        let mut morphed = seam;
        morphed.deltas = morphed.positions.iter().map(|_| [random.vec3(0.1), random.vec3(0.5)]).collect();
        morphed.compare(&mut tally, "morphed");
    }
    tally.hold("grids");
}

#[test]
fn round_shapes_get_the_tangents_of_the_library() {
    let mut tally = Tally::default();
    for size in [4, 7, 16, 33] {
        let sphere = Made::grid(size, |at| {
            let ((sine, cosine), (radius, height)) = ((at.x * TAU).sin_cos(), (at.y * TAU / 2.0).sin_cos());
            let normal = Vec3::new(radius * cosine, height, radius * sine);
            (normal, normal, at)
        });
        sphere.compare(&mut tally, "sphere");
    }
    for count in (3..40).chain([64, 100, 128, 200, 256]) {
        let flat = |turn: f32| Vec2::from_angle(turn * TAU) * 0.5 + 0.5;
        Made::fan(count, flat, Vec2::splat(0.5)).compare(&mut tally, "flat fan");
        Made::fan(count, |turn| Vec2::new(turn, 1.0), Vec2::ZERO).compare(&mut tally, "fan of a strip");
        let cone = Made::fan(count, |turn| Vec2::new(turn, 1.0), Vec2::new(0.5, 0.0));
        cone.compare(&mut tally, "polar fan");
        let turned = |turn: f32| Vec2::from_angle(turn * TAU * 2.0);
        Made::fan(count, turned, Vec2::ZERO).compare(&mut tally, "fan turned twice");
    }
    tally.hold("round shapes");
}

/// Returns random triangles with few different positions, normals and texture coordinates, so that many corners are
/// equal and many triangles share an edge.
fn soup(random: &mut Random) -> Made {
    let (places, uv_places) = (2 + random.below(3), 2 + random.below(4));
    let jitter = if random.chance(50) { 0.0 } else { 0.1 };
    let normals: Vec<Vec3> = match random.below(3) {
        0 => vec![Vec3::Z],
        1 => vec![Vec3::Z, Vec3::X, -Vec3::Z],
        _ => (0..2).map(|_| random.vec3(1.0).try_normalize().unwrap_or(Vec3::Y)).collect(),
    };
    let mut made = Made::default();
    for _ in 0..4 + random.below(40) {
        let place = [(); 3].map(|()| random.below(places) as f32);
        let uv = [(); 2].map(|()| random.below(uv_places) as f32);
        let position = Vec3::from_array(place) + random.vec3(jitter);
        let normal = normals[random.below(normals.len())];
        made.vertex(position, normal, Vec2::from_array(uv));
    }
    for _ in 0..3 * (1 + random.below(200)) {
        made.indices.push(u32::try_from(random.below(made.positions.len())).unwrap());
    }
    made
}

#[test]
fn triangles_in_disorder_get_the_tangents_of_the_library() {
    let mut tally = Tally::default();
    for seed in 0..2000 {
        soup(&mut Random::new(seed)).compare(&mut tally, &format!("soup {seed}"));
    }
    tally.hold("disorder");
}

#[test]
fn very_large_and_very_small_shapes_get_the_tangents_of_the_library() {
    let mut tally = Tally::default();
    for (scale, uv_scale) in [
        (1e-12, 1.0),
        (1e12, 1.0),
        (1.0, 1e-12),
        (1.0, 1e12),
        (1e-9, 1e-9),
        (1e9, 1e9),
        (1e-25, 1.0),
        (1e25, 1.0),
        (1.0, 1e25),
    ] {
        for seed in 0..100 {
            let mut made = soup(&mut Random::new(seed));
            made.positions.iter_mut().for_each(|position| *position *= scale);
            made.uvs.iter_mut().for_each(|uv| *uv *= uv_scale);
            made.compare(&mut tally, &format!("soup {seed} times {scale} and {uv_scale}"));
        }
    }
    tally.hold("scaled");
}

/// Tests that the run time isn't quadratic in the number of triangles that meet in a point or an edge.
#[test]
fn crowds_get_tangents() {
    const COUNT: u32 = 100_000;
    let flat = |turn: f32| Vec2::from_angle(turn * TAU);
    // All triangles are neighbours around one vertex.
    let fan = Made::fan(COUNT, flat, Vec2::ZERO);
    // No neighbours, each triangle with a direction of its own.
    let mut apart = Made::default();
    apart.vertex(Vec3::ZERO, Vec3::Z, Vec2::ZERO);
    for number in 0..COUNT {
        let [a, b] = [0.0, 0.5].map(|more| flat((number as f32 + more) / COUNT as f32));
        let vertices = [(a, Vec2::X), (b, Vec2::Y)].map(|(at, uv)| apart.vertex(at.extend(0.0), Vec3::Z, uv));
        apart.indices.extend([0, vertices[0], vertices[1]]);
    }
    // All triangles share an edge, in one direction or in both.
    let mut books = [Made::default(), Made::default()];
    for (number, book) in books.iter_mut().enumerate() {
        let [a, b] = [Vec2::ZERO, Vec2::X].map(|at| book.vertex(at.extend(0.0), Vec3::Z, at));
        for page in 0..COUNT {
            let at = Vec2::new(0.5, 1.0 + page as f32 / COUNT as f32);
            let turned = number == 1 && page % 2 == 1;
            let apex = if turned { -at } else { at };
            let apex = book.vertex(apex.extend(0.0), Vec3::Z, apex);
            book.indices.extend(if turned { [b, a, apex] } else { [a, b, apex] });
        }
    }
    let [book, open_book] = books;
    for (made, is_flat) in [(fan, true), (apart, false), (book, true), (open_book, true)] {
        // Stack size in WebAssembly.
        let small = std::thread::Builder::new().stack_size(1 << 20);
        let model = small.spawn(move || made.load()).unwrap().join().unwrap();
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!(primitive.tangents.len(), primitive.positions.len());
        for tangent in &primitive.tangents {
            assert!(!is_flat || tangent.truncate().abs_diff_eq(Vec3::X, 1e-3), "{tangent}");
        }
    }
}
