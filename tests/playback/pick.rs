//! Picking, compared with a brute force over every triangle that the reference skinner gives.

use crate::support::figure::{figure, player};
use crate::support::made_model::{Random, any_model, at};
use crate::support::real_models;
use gambol::animation::{Rig, Skinning, reference_skin_by};
use gambol::camera::{Insets, Ray};
use gambol::import::{ImportReport, Resources, import};
use gambol::model::{
    ClipIndex, Material, MaterialIndex, Mesh, MeshIndex, Model, NodeIndex, Primitive, Topology, TrackValues,
};
use gambol::playback::PlayOptions;
use gambol::player::{ActorId, Crowd, Picked, Player, SurfacePoint};
use glam::{Affine3A, DVec3, Mat4, Quat, Vec3, Vec4, dvec3};
use std::sync::Arc;

/// Rounding errors of positions, as a share of the size of the scene.
const ROUNDING: f64 = 2e-5;

/// A triangle in the world.
struct Triangle {
    surface: SurfacePoint,
    corners: [DVec3; 3],
    /// The front is clockwise. `None` if rounding errors decide, since the matrix flattens the mesh.
    mirrored: Option<bool>,
    double_sided: bool,
    joint_weights: Vec<[f32; 3]>,
    joints: Vec<NodeIndex>,
}

/// Returns all visible triangles of the scene, from the matrices that the player returns.
fn triangles(player: &mut Player) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    let ids: Vec<_> = std::iter::once(ActorId::PLAYER).chain(player.actors()).collect();
    for id in ids {
        if player.is_actor_visible(id).unwrap() {
            let place = player.actor_place(id).unwrap();
            add_triangles(&mut triangles, id, player.actor_mut(id).unwrap(), place);
        }
    }
    triangles
}

fn add_triangles(
    triangles: &mut Vec<Triangle>,
    actor: ActorId,
    player: &mut Player,
    world_from_actor: Affine3A,
) {
    let Some(rig) = player.rig().cloned() else { return };
    let model = rig.model();
    let mut is_hidden = vec![false; model.nodes.len()];
    player.hidden_nodes().iter().for_each(|node| is_hidden[node.get()] = true);
    model.mark_descendants(&mut is_hidden);
    for character in
        (0..player.character_count()).filter(|&nth| player.is_present(nth).unwrap()).collect::<Vec<_>>()
    {
        let world_from_model = Mat4::from(world_from_actor * player.place(character).unwrap());
        // The matrices of the player lead to the world. Places without an inverse are not part of these tests.
        let model_from_world = world_from_model.as_dmat4().inverse();
        let in_model = |matrices: Vec<Mat4>| -> Vec<Mat4> {
            matrices.into_iter().map(|matrix| (model_from_world * matrix.as_dmat4()).as_mat4()).collect()
        };
        let of_nodes = in_model(player.world_matrices(character).unwrap());
        for drawable in &rig.palette_layout().drawables {
            if is_hidden[drawable.node.get()] {
                continue;
            }
            let source = model.node(drawable.node).source_index;
            let slots = match drawable.skin {
                Some(skin) => in_model(player.skin_matrices(skin.get(), character).unwrap()),
                None => vec![of_nodes[source]],
            };
            let rows = rows(
                &rig,
                drawable.first_row,
                &slots,
                drawable.first_weight_row,
                &player.morph_weights(source, character).unwrap(),
            );
            for (index, primitive) in model.mesh(drawable.mesh).primitives.iter().enumerate() {
                if primitive.topology != Topology::Triangles {
                    continue;
                }
                let skinning = drawable.skin.map_or(Skinning::Linear, |skin| player.skinning(Some(skin)));
                let skinned = reference_skin_by(skinning, &rig, drawable, index, &rows);
                let is_skinned = drawable.skin.is_some() && !primitive.influences.is_empty();
                let anchor = primitive.influences.joints.first().map_or(0, |&slot| usize::from(slot));
                let material = primitive.material.map(|material| &model.materials[material.get()]);
                for (triangle, vertices) in primitive.indices.chunks_exact(3).enumerate() {
                    let vertices: [usize; 3] = std::array::from_fn(|corner| vertices[corner] as usize);
                    let joints: &[NodeIndex] = drawable.skin.map_or(&[], |skin| &model.skin(skin).joints);
                    let mut joint_weights = vec![[0.0; 3]; if is_skinned { joints.len() } else { 0 }];
                    for (corner, &vertex) in vertices.iter().enumerate().take(3 * usize::from(is_skinned)) {
                        for (slot, weight) in primitive.influences.of_vertex(vertex) {
                            joint_weights[usize::from(slot)][corner] += weight;
                        }
                    }
                    triangles.push(Triangle {
                        surface: SurfacePoint {
                            actor,
                            character,
                            node: drawable.node,
                            primitive: index,
                            triangle,
                            shares: [0.0; 2],
                        },
                        corners: vertices.map(|vertex| {
                            world_from_model.as_dmat4().transform_point3(skinned.positions[vertex].as_dvec3())
                        }),
                        mirrored: mirrors(&(world_from_model * slots[if is_skinned { anchor } else { 0 }])),
                        double_sided: material.is_some_and(|material| material.double_sided),
                        joint_weights,
                        joints: joints.to_vec(),
                    });
                }
            }
        }
    }
}

/// Returns rows of a character whose slots lead to the world.
fn rows(rig: &Rig, first_row: usize, slots: &[Mat4], first_weight_row: usize, weights: &[f32]) -> Vec<Vec4> {
    let mut rows = vec![Vec4::ZERO; rig.palette_layout().rows_per_character];
    for (slot, matrix) in slots.iter().enumerate() {
        let turned = matrix.transpose();
        rows[first_row + slot * 3..][..3].copy_from_slice(&[turned.x_axis, turned.y_axis, turned.z_axis]);
    }
    for (target, &weight) in weights.iter().enumerate() {
        rows[first_weight_row + target / 4][target % 4] = weight;
    }
    rows
}

/// Returns whether a matrix mirrors, or `None` if it flattens.
fn mirrors(matrix: &Mat4) -> Option<bool> {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().as_dvec3());
    let volume = x.cross(y).dot(z);
    (volume.abs() > 1e-5 * x.length() * y.length() * z.length()).then_some(volume < 0.0)
}

/// Intersection of a ray with the plane of a triangle.
struct Crossing {
    distance: f64,
    shares: [f64; 3],
    /// How much rounding errors may change the least share, and the distance.
    unsure: [f64; 2],
}

impl Triangle {
    /// Returns `None` if the ray sees no area of the triangle, or its back if that is not drawn.
    fn crossing(&self, ray: &Ray, size: f64) -> Option<Crossing> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let [a, b, c] = self.corners;
        let normal = (b - a).cross(c - a);
        let facing = -normal.dot(direction);
        if normal.length() == 0.0 || facing == 0.0 {
            return None;
        }
        let is_back = self.mirrored.map(|mirrored| (facing < 0.0) != mirrored);
        if !self.double_sided && is_back == Some(true) {
            return None;
        }
        let may_be_culled = !self.double_sided && is_back.is_none();
        let distance = (a - origin).dot(normal) / direction.dot(normal);
        let point = origin + direction * distance;
        let area =
            |from: DVec3, to: DVec3| (from - point).cross(to - point).dot(normal) / normal.length_squared();
        let longest = [b - a, c - b, a - c].into_iter().fold(0.0, |most: f64, edge| most.max(edge.length()));
        let error = ROUNDING * size;
        let slope = normal.length() / facing.abs();
        Some(Crossing {
            distance,
            shares: [area(b, c), area(c, a), area(a, b)],
            // The height of the triangle as the ray sees it.
            unsure: [
                if may_be_culled { f64::INFINITY } else { error * longest / facing.abs() },
                error * (1.0 + slope),
            ],
        })
    }
}

/// What a comparison of many rays has seen.
#[derive(Default, Debug)]
struct Seen {
    rays: usize,
    hits: usize,
    /// Hits inside of a triangle by more than rounding errors.
    sure: usize,
    with_joint: usize,
}

impl Seen {
    /// Asserts that the player picks what is nearest, up to rounding errors.
    #[track_caller]
    fn compare(
        &mut self,
        player: &mut Player,
        triangles: &[Triangle],
        ray: &Ray,
        size: f64,
    ) -> Option<Picked> {
        self.rays += 1;
        let size = size.max(f64::from(ray.origin.length()));
        let picked = player.pick(ray);
        let [from, to] = ray.range.map(f64::from);
        let mut own = None;
        for triangle in triangles {
            let Some(crossing) = triangle.crossing(ray, size) else { continue };
            let least = crossing.shares.iter().fold(f64::MAX, |least, share| least.min(*share));
            if picked
                .is_some_and(|picked| SurfacePoint { shares: [0.0; 2], ..picked.surface } == triangle.surface)
            {
                own = Some((least, crossing.distance, crossing.unsure, triangle));
            }
            let [share_error, distance_error] = crossing.unsure;
            let is_within =
                crossing.distance > from + distance_error && crossing.distance < to - distance_error;
            if least <= share_error || !is_within {
                continue;
            }
            let at_most = crossing.distance + distance_error;
            let found = picked.map_or(f64::INFINITY, |picked| f64::from(picked.distance));
            assert!(found <= at_most, "{found} instead of {} on {ray:?}", crossing.distance);
        }
        let picked = picked?;
        self.hits += 1;
        let (least, distance, [share_error, distance_error], triangle) =
            own.expect("the triangle is visible");
        assert!(least >= -share_error, "{least} outside of the triangle by more than {share_error}");
        assert!(
            (f64::from(picked.distance) - distance).abs() <= distance_error,
            "{} ≠ {distance}",
            picked.distance
        );
        assert!((picked.point - ray.at(picked.distance)).length() == 0.0);
        assert!((picked.normal.length() - 1.0).abs() < 1e-4, "{}", picked.normal);
        self.sure += usize::from(least > share_error);
        self.with_joint += usize::from(picked.joint.is_some());
        assert_joint(&picked, triangle);
        let (point, _) = player.surface_point(&picked.surface).expect("it was picked");
        let [share_error, distance_error] = [share_error, distance_error].map(|error| error as f32);
        let error = (share_error * size as f32).max(distance_error) + 1e-4 * size as f32;
        assert!(point.distance(picked.point) <= error, "{point} ≠ {}", picked.point);
        Some(picked)
    }

    fn assert_sound(&self) {
        assert!(self.hits * 3 > self.rays, "most rays miss: {self:?}");
        assert!(self.sure * 4 > self.hits * 3, "most hits could be misses: {self:?}");
    }
}

/// Asserts that no joint has a visibly larger weight than the picked one.
fn assert_joint(picked: &Picked, triangle: &Triangle) {
    let [second, third] = picked.surface.shares;
    let shares = [1.0 - second - third, second, third];
    let weight =
        |weights: &[f32; 3]| weights.iter().zip(shares).map(|(weight, share)| weight * share).sum::<f32>();
    let most = triangle.joint_weights.iter().map(weight).fold(0.0, f32::max);
    match picked.joint {
        None => assert!(triangle.joint_weights.is_empty()),
        Some(joint) => {
            let named =
                triangle.joints.iter().zip(&triangle.joint_weights).filter(|(named, _)| **named == joint);
            let own = named.map(|(_, weights)| weight(weights)).fold(f32::MIN, f32::max);
            assert!(own >= most - 1e-4, "{own} is less than {most}");
        }
    }
}

/// Returns the size of a scene, and rays: from everywhere to corners of triangles and to places near them, and through
/// the picture.
fn rays(player: &Player, triangles: &[Triangle], random: &mut Random, count: usize) -> (f64, Vec<Ray>) {
    let corners: Vec<Vec3> =
        triangles.iter().flat_map(|triangle| triangle.corners).map(|at| at.as_vec3()).collect();
    let size = corners.iter().fold(0.0, |most: f32, corner| most.max(corner.length()));
    let mut rays = Vec::new();
    while rays.len() < count {
        let origin = random.vec3(size * 2.0);
        let triangle = &triangles[random.below(triangles.len())];
        let [a, b, c] = triangle.corners;
        let (second, third) = (f64::from(random.between(0.0, 0.6)), f64::from(random.between(0.0, 0.6)));
        let towards = (a + (b - a) * second + (c - a) * third).as_vec3();
        let view = player.camera.view(1.5);
        rays.extend(match random.below(4) {
            0 => Some(view.ray(random.between(0.2, 0.8), random.between(0.1, 0.9))),
            _ => Ray::new(origin, towards - origin),
        });
    }
    (f64::from(size), rays)
}

/// Gives a made-up model triangles and materials.
fn with_triangles(mut model: Model, random: &mut Random) -> Model {
    for double_sided in [false, true] {
        model.materials.push(Material { double_sided, ..Material::default() });
    }
    for mesh in &mut model.meshes {
        for primitive in &mut mesh.primitives {
            let count = primitive.positions.len();
            primitive.topology = Topology::Triangles;
            primitive.indices = (0..60).map(|_| random.below(count) as u32).collect();
            primitive.material = Some(MaterialIndex::new(random.below(2)));
        }
    }
    model
}

/// Removes what scales and shears: the rotation of a flattened joint depends on rounding errors.
fn remove_scales(model: &mut Model) {
    for node in &mut model.nodes {
        node.rest.scale = Vec3::ONE;
        node.sheared_rest = None;
    }
    for clip in &mut model.clips {
        clip.tracks.retain(|track| !matches!(track.values, TrackValues::Scale(_) | TrackValues::Matrix(_)));
    }
}

pub(super) fn showing(model: Model) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player
}

/// Plays a clip up to some time, with a crowd and a camera.
pub(super) fn perform(player: &mut Player, random: &mut Random, characters: usize) {
    let clip_count = player.rig().unwrap().clip_count();
    if clip_count > 0 {
        player.play(ClipIndex::new(random.below(clip_count)), &PlayOptions::default()).unwrap();
    }
    let spread = player.bounds().map_or(1.0, |bounds| bounds.radius().min(1e3));
    let place = |random: &mut Random| {
        let size = random.between(0.5, 1.5);
        let scale = if random.chance(25) { Vec3::new(-size, size, size) } else { Vec3::splat(size) };
        Affine3A::from_scale_rotation_translation(scale, random.rotation(), random.vec3(spread))
    };
    let world_from_model = (0..characters).map(|_| place(random)).collect();
    player.crowd(characters, &Crowd { world_from_model, ..Crowd::default() }).unwrap();
    player.advance(f64::from(random.between(0.0, 2.0))).unwrap();
    if characters > 2 {
        player.set_present(1, false).unwrap();
        player.set_tint(2, Vec4::ONE).unwrap();
    }
    player.set_insets(Insets { left: 0.2, top: 0.1, ..Insets::default() }, 1.5).unwrap();
    player.camera.set_orthographic(random.chance(50));
    player.camera.set_roll(random.between(-0.5, 0.5));
    player.frame(1.5);
}

#[test]
fn ten_thousand_rays_pick_what_a_brute_force_over_the_reference_skinner_finds() {
    let mut seen = Seen::default();
    for seed in 0..40 {
        let random = &mut Random::new(seed);
        let mut model = with_triangles(any_model(random), random);
        let by_rotations = random.chance(50);
        if by_rotations {
            remove_scales(&mut model);
        }
        let mut player = showing(model);
        if by_rotations {
            player.set_skinning(Skinning::DualQuaternion);
        }
        let characters = 1 + random.below(6);
        perform(&mut player, random, characters);
        for _ in 0..random.below(3) {
            let model = with_triangles(any_model(random), random);
            let id = player.add_actor(Arc::new(Rig::new(Arc::new(model))), ImportReport::default()).unwrap();
            let characters = 1 + random.below(3);
            perform(player.actor_mut(id).unwrap(), random, characters);
            player
                .place_actor(id, Affine3A::from_rotation_translation(random.rotation(), random.vec3(2.0)))
                .unwrap();
            player.show_actor(id, random.chance(80)).unwrap();
        }
        player.pose();
        let triangles = triangles(&mut player);
        if triangles.is_empty() {
            continue;
        }
        let (size, rays) = rays(&player, &triangles, random, 300);
        for ray in &rays {
            seen.compare(&mut player, &triangles, ray, size);
        }
    }
    assert!(seen.rays >= 10_000, "{seen:?}");
    assert!(seen.with_joint * 4 > seen.hits, "{seen:?}");
    seen.assert_sound();
}

#[test]
fn real_characters_are_picked_as_by_brute_force() {
    let names = [
        "gltf/kaykit/Knight.glb",
        "gltf/robot-expressive/RobotExpressive.glb",
        "gltf/quaternius/platformer_game_pack_Bee.glb",
        "gltf/kenney/character.glb",
    ];
    let Some(paths) = names.into_iter().map(real_models::model).collect::<Option<Vec<_>>>() else { return };
    let mut seen = Seen::default();
    for (nth, path) in paths.iter().enumerate() {
        let random = &mut Random::new(nth as u64);
        let model = import(&std::fs::read(path).unwrap(), &Resources::default()).unwrap().model;
        let mut player = showing(model);
        if nth % 2 == 1 {
            player.set_skinning(Skinning::DualQuaternion);
        }
        perform(&mut player, random, 1 + nth);
        let triangles = triangles(&mut player);
        let (size, rays) = rays(&player, &triangles, random, 250);
        for ray in &rays {
            seen.compare(&mut player, &triangles, ray, size);
        }
    }
    seen.assert_sound();
    real_models::saw(paths.len());
}

#[test]
fn a_point_of_a_surface_moves_with_it() {
    let mut followed = 0;
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let mut player = showing(with_triangles(any_model(random), random));
        perform(&mut player, random, 2);
        let before = triangles(&mut player);
        if before.is_empty() {
            continue;
        }
        let (size, rays) = rays(&player, &before, random, 40);
        let picked: Vec<_> = rays.iter().filter_map(|ray| player.pick(ray)).collect();
        player.advance(0.3).unwrap();
        let after = triangles(&mut player);
        for Picked { surface, .. } in picked {
            let same =
                |triangle: &&Triangle| triangle.surface == SurfacePoint { shares: [0.0; 2], ..surface };
            let [a, b, c] = after.iter().find(same).expect("it is still visible").corners;
            let [second, third] = surface.shares.map(f64::from);
            let expected = a + (b - a) * second + (c - a) * third;
            let (point, normal) = player.surface_point(&surface).unwrap();
            let size = after
                .iter()
                .flat_map(|triangle| triangle.corners)
                .fold(size, |most, at| most.max(at.length()));
            assert!(point.as_dvec3().distance(expected) < size * 1e-4, "{point} ≠ {expected}");
            assert!((normal.length() - 1.0).abs() < 1e-4);
            followed += 1;
        }
    }
    assert!(followed > 100, "{followed}");
}

/// A square of two triangles around the origin that faces +Z.
pub(super) fn square(double_sided: bool) -> Model {
    let corner = |x, y| Vec3::new(x, y, 0.0);
    let primitive = Primitive {
        positions: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(MaterialIndex::new(0)),
        ..Primitive::default()
    };
    let mut model = figure();
    model.materials.push(Material { double_sided, ..Material::default() });
    model.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model
}

const TOWARDS: [f32; 2] = [1.0, -1.0];

/// Returns the ray through 0.5, 0.25 along Z, towards the front or the back of a square.
pub(super) fn along_z(from: f32) -> Ray {
    Ray::new(Vec3::new(0.5, 0.25, from * 3.0), Vec3::Z * -from).unwrap()
}

#[test]
fn the_back_of_a_triangle_is_picked_if_it_is_drawn() {
    for double_sided in [false, true] {
        for mirrored in [false, true] {
            let mut player = showing(square(double_sided));
            if mirrored {
                player.set_place(0, Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0))).unwrap();
            }
            let [front, back] = TOWARDS.map(|from| player.pick(&along_z(from)));
            let front = front.expect("the front is drawn");
            assert_eq!((front.normal, front.distance), (Vec3::Z, 3.0));
            assert_eq!(
                (front.surface.node, front.surface.triangle, front.joint),
                (at(0), usize::from(mirrored), None)
            );
            assert_eq!(front.material, Some(MaterialIndex::new(0)));
            assert_eq!(back.map(|back| back.normal), double_sided.then_some(Vec3::NEG_Z));
        }
    }
}

#[test]
fn what_is_hidden_is_not_picked() {
    let mut player = showing(square(true));
    let is_picked = |player: &mut Player| player.pick(&along_z(1.0)).is_some();
    assert!(is_picked(&mut player));
    player.set_visible(at(0), false).unwrap();
    assert!(!is_picked(&mut player), "a hidden node");
    player.set_visible(at(0), true).unwrap();
    player.set_present(0, false).unwrap();
    assert!(!is_picked(&mut player), "a hidden character");
    player.set_present(0, true).unwrap();
    let other =
        player.add_actor(Arc::new(Rig::new(Arc::new(square(true)))), ImportReport::default()).unwrap();
    player.place_actor(other, Affine3A::from_translation(Vec3::Z)).unwrap();
    let of_actor = |player: &mut Player| player.pick(&along_z(1.0)).map(|picked| picked.surface.actor);
    assert_eq!(of_actor(&mut player), Some(other));
    player.show_actor(other, false).unwrap();
    assert_eq!(of_actor(&mut player), Some(ActorId::PLAYER));
    player.remove_actor(other).unwrap();
    player.unload();
    assert!(!is_picked(&mut player), "no model");
}

#[test]
fn odd_rays_and_points_pick_nothing() {
    let mut player = showing(square(true));
    assert_eq!(Ray::new(Vec3::ZERO, Vec3::ZERO), None);
    assert_eq!(Ray::new(Vec3::NAN, Vec3::X), None);
    for number in [f32::NAN, f32::INFINITY, f32::MAX, 0.0] {
        let odd = Vec3::splat(number);
        for ray in [
            Ray { origin: odd, direction: Vec3::X, range: [0.0, 1.0] },
            Ray { origin: Vec3::ONE * 2.0, direction: Vec3::X, range: [number, number] },
        ] {
            assert_eq!(player.pick(&ray), None, "{ray:?}");
        }
        assert_eq!(player.pick(&player.camera.view(1.0).ray(number, 1e9)), None);
    }
    // Along the square, which then has no area.
    assert_eq!(player.pick(&Ray::new(Vec3::X * 3.0, Vec3::NEG_X).unwrap()), None);

    let surface = player.pick(&along_z(1.0)).unwrap().surface;
    assert!(player.surface_point(&surface).is_some());
    for odd in [
        SurfacePoint { actor: ActorId::new(9), ..surface },
        SurfacePoint { character: 1, ..surface },
        SurfacePoint { character: usize::MAX, ..surface },
        SurfacePoint { node: at(1), ..surface },
        SurfacePoint { node: at(99), ..surface },
        SurfacePoint { primitive: 1, ..surface },
        SurfacePoint { triangle: 2, ..surface },
    ] {
        assert_eq!(player.surface_point(&odd), None, "{odd:?}");
    }
    assert_eq!(self::player().pick(&along_z(1.0)), None, "a model without meshes");
}

#[test]
fn a_ray_along_a_common_edge_leaves_no_gap() {
    let mut player = showing(square(false));
    player.set_place(0, Affine3A::from_quat(Quat::from_rotation_z(0.3))).unwrap();
    for nth in 0..1000 {
        let diagonal = Quat::from_rotation_z(0.3) * Vec3::new(1.0, 1.0, 0.0) * (nth as f32 / 600.0 - 0.8);
        let origin = diagonal + Vec3::new(0.3, -0.1, 2.0);
        assert!(player.pick(&Ray::new(origin, diagonal - origin).unwrap()).is_some(), "{diagonal}");
    }
}

#[test]
fn rays_and_places_in_the_picture_are_inverse() {
    let random = &mut Random::new(5);
    for orthographic in [false, true] {
        let mut player = showing(square(true));
        perform(&mut player, random, 1);
        player.camera.set_orthographic(orthographic);
        for _ in 0..200 {
            let view = player.camera.view(random.between(0.3, 3.0));
            let [x, y] = [random.between(-0.5, 1.5), random.between(-0.5, 1.5)];
            let ray = view.ray(x, y);
            let [near, far] = ray.range;
            assert!((ray.direction.length() - 1.0).abs() < 1e-5 && near < far);
            let share = random.between(0.01, 0.9);
            let place = view.place(ray.at(near + (far - near) * share));
            assert!(place.in_front);
            assert!(place.position.distance(glam::vec2(x, y)) < 1e-3, "{place:?} ≠ {x}, {y}");
            assert!(!view.place(ray.at(near - (far - near) * 0.01)).in_front);
            let eye = dvec3(f64::from(view.eye().x), f64::from(view.eye().y), f64::from(view.eye().z));
            if !orthographic {
                assert!(ray.origin.as_dvec3().distance(eye) < 1e-5);
            }
        }
    }
}
