//! Checks of every invariant of [`Model`]. In debug builds each import ends with them; tests call them on every file.
use super::material_table::{FACTOR_NAMES, TEXTURE_NAMES};
use super::{
    AnimatedProperty, Clip, Image, Interpolation, Light, LightKind, LightPart, Material, MaterialIndex, Mesh,
    Model, Node, NodeIndex, Primitive, Projection, PropertyTarget, PropertyTrack, Skin, TextureSlot,
    Topology, Track, TrackValues, VariantIndex,
};
use glam::{Affine3A, Quat, Vec3};

/// A broken invariant: the place, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The place in the model, such as `nodes[3].parent`.
    pub place: String,
    pub expected: &'static str,
}

/// Returns every violation, in the model's order. The list is empty for a sound model.
pub fn check(model: &Model) -> Vec<Violation> {
    let mut checker = Checker { model, place: String::new(), violations: Vec::new() };
    checker.each("nodes", &model.nodes, Checker::node);
    checker.each("clips", &model.clips, |checker, _, clip| checker.clip(clip));
    checker.each("properties", &model.properties, |checker, _, property| checker.property(property));
    checker.each("skins", &model.skins, |checker, _, skin| checker.skin(skin));
    checker.each("meshes", &model.meshes, |checker, _, mesh| checker.mesh(mesh));
    checker.each("materials", &model.materials, |checker, _, material| checker.material(material));
    checker.each("textures", &model.textures, |checker, _, texture| {
        checker.that(texture.image.get() < model.images.len(), "image", "an image of the model");
    });
    checker.each("images", &model.images, |checker, _, Image { mime_type, .. }| {
        checker.that(mime_type.as_deref() != Some(""), "mime_type", "a type, or none");
    });
    checker.each("cameras", &model.cameras, |checker, _, camera| checker.projection(&camera.projection));
    checker.each("lights", &model.lights, |checker, _, light| checker.light(light));
    checker.that(model.springs.fit(model), "springs", "nodes of the model and numbers in range");
    let has_nodes = model.humanoid.iter().all(|&(_, node)| checker.has_node(node));
    checker.that(has_nodes, "humanoid", "nodes of the model");
    checker.each("scenes", &model.scenes, |checker, _, scene| {
        checker.that(scene.roots.iter().all(|&root| checker.has_node(root)), "roots", "nodes of the model");
    });
    checker.whole();
    checker.violations
}

// The sum or length of a few single-precision numbers that were normalised once is off by a few ulps.
const UNIT_TOLERANCE: f32 = 1e-4;

// Keys stay as the file stores them. In bytes, the coarsest format, each component is off by up to 1/254.
const KEY_TOLERANCE: f32 = 1e-2;

struct Checker<'a> {
    model: &'a Model,
    place: String,
    violations: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn each<T>(
        &mut self,
        name: &'static str,
        items: &'a [T],
        mut check: impl FnMut(&mut Self, usize, &'a T),
    ) {
        let depth = self.place.len();
        for (index, item) in items.iter().enumerate() {
            self.place.truncate(depth);
            self.place += &format!("{}{name}[{index}]", if depth > 0 { "." } else { "" });
            check(self, index, item);
        }
        self.place.truncate(depth);
    }

    fn that(&mut self, held: bool, field: &str, expected: &'static str) {
        if !held {
            let separator = if self.place.is_empty() || field.is_empty() { "" } else { "." };
            let place = format!("{}{separator}{field}", self.place);
            self.violations.push(Violation { place, expected });
        }
    }

    fn has_node(&self, node: NodeIndex) -> bool {
        node.get() < self.model.nodes.len()
    }

    fn whole(&mut self) {
        let Model { nodes, scenes, default_scene, node_from_source, .. } = self.model;
        let known = match default_scene {
            Some(scene) => *scene < scenes.len(),
            None => scenes.is_empty(),
        };
        self.that(known, "default_scene", "a scene of the model, and none only where there is none");
        self.that(node_from_source.len() == nodes.len(), "node_from_source", "one entry a node");
        let inverse = node_from_source
            .iter()
            .enumerate()
            .all(|(source, node)| nodes.get(node.get()).is_some_and(|node| node.source_index == source));
        self.that(inverse, "node_from_source", "the inverse of source_index");
        let mut is_root = vec![false; nodes.len()];
        let scene = self.model.default_scene.and_then(|scene| scenes.get(scene));
        for root in scene.into_iter().flat_map(|scene| &scene.roots) {
            if let Some(is_root) = is_root.get_mut(root.get()) {
                *is_root = true;
            }
        }
        let above = |node: &Node| node.parent.and_then(|parent| nodes.get(parent.get()));
        let reached = |(node, &is_root): (&Node, &bool)| {
            node.in_scene == (scene.is_none() || is_root || above(node).is_some_and(|above| above.in_scene))
        };
        let held = nodes.iter().zip(&is_root).all(reached);
        self.that(held, "nodes", "in_scene exactly where the default scene reaches");
    }

    fn node(&mut self, index: usize, node: &Node) {
        let model = self.model;
        self.that(node.parent.is_none_or(|parent| parent.get() < index), "parent", "an earlier node");
        self.finite("rest.scale", node.rest.scale.to_array());
        self.finite("rest.translation", node.rest.translation.to_array());
        self.that(is_unit(node.rest.rotation), "rest.rotation", "unit length");
        self.that(
            node.sheared_rest.is_none_or(|sheared| sheared.is_finite()),
            "sheared_rest",
            "finite numbers",
        );
        let camera_known = node.camera.is_none_or(|camera| camera.get() < model.cameras.len());
        self.that(camera_known, "camera", "a camera of the model");
        let light_known = node.light.is_none_or(|light| light.get() < model.lights.len());
        self.that(light_known, "light", "a light of the model");

        let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh.get()));
        self.that(node.mesh.is_some() == mesh.is_some(), "mesh", "a mesh of the model");
        let skin = node.skin.and_then(|skin| model.skins.get(skin.get()));
        self.that(node.skin.is_some() == skin.is_some(), "skin", "a skin of the model");
        let target_count = mesh.map_or(0, Mesh::morph_target_count);
        self.that(node.rest_morph_weights.len() == target_count, "rest_morph_weights", "one a morph target");
        self.finite("rest_morph_weights", node.rest_morph_weights.iter().copied());

        self.that(skin.is_none() || mesh.is_some(), "skin", "none without a mesh");
        for primitive in mesh.into_iter().flat_map(|mesh| &mesh.primitives) {
            let bound = !primitive.influences.is_empty();
            self.that(bound == skin.is_some(), "skin", "a skin exactly where the mesh has influences");
            let joint_count = skin.map_or(0, |skin| skin.joints.len());
            let within = primitive.influences.joints.iter().all(|&joint| usize::from(joint) < joint_count);
            self.that(within || !bound, "skin", "every joint that the mesh's influences name");
        }
    }

    fn clip(&mut self, clip: &'a Clip) {
        self.that(!clip.name.is_empty(), "name", "a name");
        self.that(clip.duration_secs == clip.last_key_secs(), "duration_secs", "the last key time");
        self.each("property_tracks", &clip.property_tracks, |checker, index, track| {
            let mut earlier = clip.property_tracks.iter().take(index.min(1_000));
            let single = !earlier.any(|other| other.property == track.property);
            checker.that(single, "", "one track a property");
            checker.property_track(track);
        });
        self.each("tracks", &clip.tracks, |checker, index, track| {
            let earlier = clip.tracks.iter().take(index);
            // The search is quadratic, so clips with very many tracks skip it.
            let again = |other: &Track| {
                other.node == track.node
                    && std::mem::discriminant(&other.values) == std::mem::discriminant(&track.values)
            };
            let single = clip.tracks.len() > 10_000 || !earlier.into_iter().any(again);
            checker.that(single, "", "one track a property");
            checker.track(track);
        });
    }

    fn times(&mut self, times: &[f32]) {
        self.that(!times.is_empty(), "key_times_secs", "at least one key");
        self.finite("key_times_secs", times.iter().copied());
        let ascending = times.windows(2).all(|pair| pair[0] < pair[1]);
        self.that(ascending, "key_times_secs", "ascent");
    }

    fn property_track(&mut self, track: &PropertyTrack) {
        self.times(&track.key_times_secs);
        let property = self.model.properties.get(track.property.get());
        let width = property.map_or(0, |property| property.rest.len());
        let wanted = track.key_times_secs.len() * track.interpolation.elements_per_key() * width;
        self.that(width > 0 && track.values.len() == wanted, "values", "as many as the keys need");
        self.finite("values", track.values.iter().copied());
    }

    fn property(&mut self, property: &AnimatedProperty) {
        let model = self.model;
        let width = match property.target {
            PropertyTarget::Visible(node) => usize::from(self.has_node(node)),
            PropertyTarget::Material(material, part) => {
                let material = model.materials.get(material.get());
                material.and_then(|material| material.part(part)).map_or(0, |numbers| numbers.len())
            }
            PropertyTarget::Light(light, part) => {
                let width = if part == LightPart::Color { 3 } else { 1 };
                usize::from(light.get() < model.lights.len()) * width
            }
            PropertyTarget::Camera(camera, _) => usize::from(camera.get() < model.cameras.len()),
        };
        self.that(width > 0, "target", "something that the model has");
        self.that(property.rest.len() == width, "rest", "as many numbers as the target has");
        self.finite("rest", property.rest.iter().copied());
    }

    fn track(&mut self, track: &Track) {
        self.times(&track.key_times_secs);
        let times = &track.key_times_secs;
        let Some(node) = self.model.nodes.get(track.node.get()) else {
            return self.that(false, "node", "a node of the model");
        };
        let mut per_key = track.interpolation.elements_per_key();
        let count = match &track.values {
            TrackValues::Translation(values) | TrackValues::Scale(values) => {
                self.finite("values", values.iter().flat_map(Vec3::to_array));
                values.len()
            }
            TrackValues::Rotation(values) => {
                self.finite("values", values.iter().flat_map(|rotation| rotation.to_array()));
                let stride = track.interpolation.elements_per_key();
                let middle = if track.interpolation == Interpolation::CubicSpline { 1 } else { 0 };
                let near = |rotation: &Quat| (rotation.length() - 1.0).abs() <= KEY_TOLERANCE;
                let unit = values.iter().skip(middle).step_by(stride).all(near);
                self.that(unit, "values", "rotations of unit length");
                values.len()
            }
            TrackValues::MorphWeights(values) => {
                self.finite("values", values.iter().copied());
                self.that(!node.rest_morph_weights.is_empty(), "node", "a node with morph targets");
                per_key *= node.rest_morph_weights.len();
                values.len()
            }
            TrackValues::Matrix(values) => {
                self.that(values.iter().all(Affine3A::is_finite), "values", "finite numbers");
                let straight = track.interpolation != Interpolation::CubicSpline;
                self.that(straight, "interpolation", "none by splines for matrices");
                values.len()
            }
        };
        self.that(count == times.len() * per_key, "values", "as many as the keys need");
        let keyable = match track.values {
            TrackValues::MorphWeights(_) => true,
            TrackValues::Matrix(_) => node.sheared_rest.is_some(),
            _ => node.sheared_rest.is_none(),
        };
        self.that(keyable, "node", "matrices for a node that shears, and for no other");
    }

    fn light(&mut self, light: &Light) {
        self.finite("color", light.color.to_array());
        let positive = light.intensity >= 0.0 && light.range.is_none_or(|range| range > 0.0);
        self.that(positive, "", "a positive intensity and range");
        if let LightKind::Spot { inner_angle, outer_angle } = light.kind {
            self.that(
                0.0 <= inner_angle && inner_angle < outer_angle,
                "kind",
                "an inner angle in the outer one",
            );
        }
    }

    fn skin(&mut self, skin: &Skin) {
        self.that(skin.joints.iter().all(|&joint| self.has_node(joint)), "joints", "nodes of the model");
        self.that(skin.joint_from_mesh.len() == skin.joints.len(), "joint_from_mesh", "one a joint");
        self.that(skin.joint_from_mesh.iter().all(Affine3A::is_finite), "joint_from_mesh", "finite numbers");
        let root_known = skin.skeleton_root.is_none_or(|root| self.has_node(root));
        self.that(root_known, "skeleton_root", "a node of the model");
    }

    fn mesh(&mut self, mesh: &'a Mesh) {
        self.each("primitives", &mesh.primitives, |checker, _, primitive| {
            let counts_agree = primitive.morph_targets.len() == mesh.morph_target_count();
            checker.that(counts_agree, "morph_targets", "as many as the mesh has");
            checker.primitive(primitive);
        });
    }

    fn primitive(&mut self, primitive: &'a Primitive) {
        let count = primitive.positions.len();
        self.that(count > 0, "positions", "at least one");
        self.finite("positions", primitive.positions.iter().flat_map(Vec3::to_array));
        self.that(fits(&primitive.normals, count), "normals", "one a vertex, or none");
        let normals_optional = primitive.topology != Topology::Triangles;
        self.that(normals_optional || !primitive.normals.is_empty(), "normals", "some, on triangles");
        let unit = |direction: Vec3| (direction.length() - 1.0).abs() <= UNIT_TOLERANCE;
        self.that(primitive.normals.iter().copied().all(unit), "normals", "unit length");
        self.that(fits(&primitive.tangents, count), "tangents", "one a vertex, or none");
        let signed =
            primitive.tangents.iter().all(|tangent| unit(tangent.truncate()) && tangent.w.abs() == 1.0);
        self.that(signed, "tangents", "unit length and a sign");
        self.each("uv_sets", &primitive.uv_sets, |checker, _, uvs| {
            checker.that(uvs.len() == count, "", "one a vertex");
            checker.finite("", uvs.iter().flat_map(|uv| uv.to_array()));
        });
        self.that(fits(&primitive.colors, count), "colors", "one a vertex, or none");
        self.finite("colors", primitive.colors.iter().flat_map(|color| color.to_array()));
        self.influences(primitive);
        let (variants, materials) = (self.model.variants.len(), self.model.materials.len());
        let known = |&(variant, material): &(VariantIndex, MaterialIndex)| {
            variant.get() < variants && material.get() < materials
        };
        self.that(primitive.variants.iter().all(known), "variants", "variants and materials of the model");

        let arity = match primitive.topology {
            Topology::Points => 1,
            Topology::Lines => 2,
            Topology::Triangles => 3,
        };
        let whole = !primitive.indices.is_empty() && primitive.indices.len().is_multiple_of(arity);
        self.that(whole, "indices", "whole points, lines or triangles");
        let within = primitive.indices.iter().all(|&index| (index as usize) < count);
        self.that(within, "indices", "vertices of the primitive");
        self.each("morph_targets", &primitive.morph_targets, |checker, _, target| {
            for (field, deltas) in [
                ("positions", &target.positions),
                ("normals", &target.normals),
                ("tangents", &target.tangents),
            ] {
                checker.that(fits(deltas, count), field, "one a vertex, or none");
                checker.finite(field, deltas.iter().flat_map(Vec3::to_array));
            }
        });

        let Some(material) = primitive.material else { return };
        let Some(material) = self.model.materials.get(material.get()) else {
            return self.that(false, "material", "a material of the model");
        };
        let mut slots = material.textures().into_iter().flatten();
        let sets = slots.all(|slot| slot.uv_set < primitive.uv_sets.len());
        self.that(sets, "uv_sets", "each set that the material's textures name");
    }

    fn influences(&mut self, primitive: &Primitive) {
        let influences = &primitive.influences;
        self.that(influences.per_vertex.is_multiple_of(4), "influences.per_vertex", "a multiple of 4");
        let slot_count = influences.per_vertex * primitive.positions.len();
        let complete = influences.joints.len() == slot_count && influences.joint_weights.len() == slot_count;
        self.that(complete, "influences", "per_vertex slots a vertex");
        if influences.is_empty() || !complete {
            return;
        }
        let vertices = (0..primitive.positions.len()).map(|vertex| influences.of_vertex(vertex));
        let sound = |slots: Vec<(u16, f32)>| {
            let sum: f32 = slots.iter().map(|slot| slot.1).sum();
            (sum - 1.0).abs() <= UNIT_TOLERANCE
                && slots.windows(2).all(|pair| pair[0].1 >= pair[1].1)
                && slots.iter().all(|slot| slot.1 >= 0.0 && (slot.1 > 0.0 || slot.0 == 0))
        };
        let all_sound = vertices.map(Iterator::collect).all(sound);
        self.that(all_sound, "influences", "weights that sum to 1, heaviest first, unused slots on joint 0");
    }

    fn material(&mut self, material: &Material) {
        for (name, numbers) in FACTOR_NAMES.iter().zip(material.factors()) {
            self.finite(name, numbers.iter().copied());
        }
        for ((name, _), slot) in TEXTURE_NAMES.iter().zip(material.textures()) {
            let Some(TextureSlot { texture, transform, .. }) = slot else { continue };
            self.that(texture.get() < self.model.textures.len(), name, "a texture of the model");
            let [offset, scale] = [transform.offset.to_array(), transform.scale.to_array()];
            self.finite(name, [offset[0], offset[1], scale[0], scale[1], transform.rotation]);
        }
    }

    fn projection(&mut self, projection: &Projection) {
        let sound = match *projection {
            Projection::Perspective { vertical_fov, aspect, near, far } => {
                vertical_fov > 0.0
                    && near > 0.0
                    && far.is_none_or(|far| far > near)
                    && aspect.is_none_or(|aspect| aspect > 0.0)
            }
            Projection::Orthographic { half_width, half_height, near, far } => {
                half_width > 0.0 && half_height > 0.0 && near >= 0.0 && far > near
            }
        };
        self.that(sound, "projection", "positive sizes, near before far");
    }

    fn finite(&mut self, field: &str, numbers: impl IntoIterator<Item = f32>) {
        let finite = numbers.into_iter().all(f32::is_finite);
        self.that(finite, field, "finite numbers");
    }
}

fn fits<T>(array: &[T], count: usize) -> bool {
    array.is_empty() || array.len() == count
}

fn is_unit(rotation: Quat) -> bool {
    (rotation.length() - 1.0).abs() <= UNIT_TOLERANCE
}
