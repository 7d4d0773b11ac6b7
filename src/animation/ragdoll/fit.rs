//! Fits bodies to the vertices that each joint owns.
use super::limits::{Directions, Range, Role, role_of};
use super::shape::{Placed, Shape};
use super::{Ragdoll, RagdollBody};
use crate::animation::{ModelPose, Rig, turn};
use crate::model::NodeIndex;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Most bodies. Smaller ones become parts of those above.
const MOST_BODIES: usize = 32;
/// Joints whose vertices extend less than this share of the model's size become parts of the body above.
const LEAST_EXTENT: f32 = 0.06;
/// Attached meshes that are larger than the joint's own vertices by this factor don't change the shape of its body. In
/// a hand they are held loosely, such as swords, and elsewhere touch the ground as tips.
const MOST_ATTACHED: f32 = 2.0;
/// Share of the mass that the volume of something held would have.
const HELD_MASS: f32 = 0.1;
/// Distance, as a share of the model's size, up to which a body without one above hangs on the nearest other.
const NEAR: f32 = 0.05;

/// Bodies that are nearer to each other than this at rest, as a share of the model's size, never collide.
const LEAST_DISTANCE: f32 = 0.01;
/// Smallest mass of a body, as a share of the masses of those that it is joined to.
const LEAST_MASS: f32 = 0.15;
/// Vertices that are farther than this outside the shape of their body, as a share of the model's size, touch the
/// ground by themselves.
const LEAST_TIP: f32 = 0.003;
/// Least weight of the joints for which this is so: a vertex that several joints blend lies between where each would
/// have it.
const LEAST_TIP_WEIGHT: f32 = 0.3;
/// Directions in which the farthest of them are found.
const TIP_DIRECTIONS: usize = 26;

/// Box around vertices.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: Vec3,
    most: Vec3,
}

impl Extent {
    const NONE: Self = Self { least: Vec3::INFINITY, most: Vec3::NEG_INFINITY };

    fn add(&mut self, other: &Self) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    /// Returns the longest side; 0 without vertices.
    fn longest(&self) -> f32 {
        (self.most - self.least).max_element().max(0.0)
    }

    fn is_none(&self) -> bool {
        !self.least.is_finite()
    }

    /// Returns whether an attached mesh is no part of what holds it.
    fn is_too_large_for(&self, holder: &Self) -> bool {
        !holder.is_none() && self.longest() > holder.longest() * MOST_ATTACHED
    }
}

/// Vertices of the model in a pose. Hidden ones are left out.
struct Vertices<'a> {
    rig: &'a Rig,
    pose: &'a ModelPose,
    is_hidden: Vec<bool>,
}

impl<'a> Vertices<'a> {
    fn new(rig: &'a Rig, pose: &'a ModelPose) -> Self {
        let mut is_hidden = rig.model().hidden_nodes();
        rig.model().mark_descendants(&mut is_hidden);
        Self { rig, pose, is_hidden }
    }

    /// Calls `each` with every vertex: the node that moves it most, whether a skin does, and its place. Repeats this
    /// for other joints that move it with `least_weight` or more: its place is then where they alone would have it.
    fn each(&self, least_weight: f32, each: &mut dyn FnMut(NodeIndex, bool, Vec3)) {
        let model = self.rig.model();
        let mut each_finite = |node, is_skinned, place: Vec3| {
            if place.is_finite() {
                each(node, is_skinned, place);
            }
        };
        for drawable in &self.rig.palette_layout().drawables {
            if self.is_hidden[drawable.node.get()] {
                continue;
            }
            let skin = drawable.skin.map(|skin| model.skin(skin));
            let model_from_node = self.pose.model_from_node(drawable.node);
            for primitive in &model.mesh(drawable.mesh).primitives {
                for (vertex, &position) in primitive.positions.iter().enumerate() {
                    let (mut owner, mut most) = (None, 0.0);
                    for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
                        if joint_weight > most {
                            (owner, most) = (Some(joint), joint_weight);
                        }
                    }
                    let Some(skin) = skin.filter(|_| owner.is_some()) else {
                        each_finite(drawable.node, false, model_from_node.transform_point3(position));
                        continue;
                    };
                    for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
                        if Some(joint) == owner || joint_weight >= least_weight {
                            let joint = usize::from(joint);
                            let node = skin.joints[joint];
                            let model_from_mesh =
                                self.pose.model_from_node(node) * skin.joint_from_mesh[joint];
                            each_finite(node, true, model_from_mesh.transform_point3(position));
                        }
                    }
                }
            }
        }
    }
}

/// Nodes that may be bodies, and what they own.
struct Candidates {
    is_candidate: Vec<bool>,
    role: Vec<Role>,
    skinned: Vec<Extent>,
    attached: Vec<Extent>,
}

pub(super) fn fit(rig: &Rig) -> Option<Ragdoll> {
    let model = rig.model();
    let rest = ModelPose::new(rig);
    let vertices = Vertices::new(rig, &rest);
    let mut candidates = Candidates::new(&vertices);
    let (mut body_of, size) = candidates.select(rig)?;

    let nodes: Vec<NodeIndex> =
        (0..body_of.len()).map(NodeIndex::new).filter(|node| body_of[node.get()] == Some(*node)).collect();
    let mut number = vec![0; body_of.len()];
    for (index, node) in nodes.iter().enumerate() {
        number[node.get()] = index;
    }
    let mut points = vec![Vec::new(); nodes.len()];
    vertices.each(f32::INFINITY, &mut |node, is_skinned, place| {
        if let Some(body) = body_of[node.get()]
            && candidates.counts(rig, node, is_skinned)
        {
            points[number[body.get()]].push(place / size);
        }
    });
    let joints: Vec<Vec3> =
        nodes.iter().map(|&node| Vec3::from(rest.model_from_node(node).translation) / size).collect();
    let shapes: Vec<(Shape, Vec3, Mat3)> =
        points.iter_mut().zip(&joints).map(|(points, joint)| fitted_with_joint(points, *joint)).collect();

    let mut parents: Vec<Option<usize>> = Vec::new();
    for &node in &nodes {
        let above = model.node(node).parent.and_then(|parent| body_of[parent.get()]);
        parents.push(above.map(|body| number[body.get()]));
    }
    let is_attached: Vec<bool> = parents.iter().map(Option::is_some).collect();
    hang_strays(&mut parents, &joints, &shapes);

    let front = front(&nodes, &candidates.role, &joints, &shapes);
    let middle = shapes.iter().map(|(_, center, _)| *center).sum::<Vec3>() / nodes.len() as f32;
    let along = |body: usize| {
        // To the joint of the only body below, or else to the center of the body.
        let mut below = (0..nodes.len()).filter(|&other| parents[other] == Some(body));
        let end = match (below.next(), below.next()) {
            (Some(only), None) => joints[only],
            _ => shapes[body].1,
        };
        (end - joints[body]).try_normalize().unwrap_or(shapes[body].2.x_axis)
    };
    let is_held: Vec<bool> = nodes.iter().map(|node| candidates.role[node.get()] == Role::Held).collect();
    let masses = masses(&parents, &shapes, &is_held);
    let mut bodies = Vec::new();
    for (index, &node) in nodes.iter().enumerate() {
        let (shape, center, axes) = shapes[index];
        let rotation = turn::unit(Quat::from_mat3(&axes));
        let (mut parent_from_body, mut range) = (Quat::IDENTITY, None);
        if let Some(parent) = parents[index] {
            let sideways = Vec3::Y.cross(front);
            let outward = sideways * (joints[index] - middle).dot(sideways).signum();
            let directions = Directions { along: along(index), above: along(parent), front, outward };
            let found = Range::new(candidates.role[node.get()], &directions);
            let model_from_parent = turn::unit(Quat::from_mat3(&shapes[parent].2));
            parent_from_body =
                turn::product(turn::inverse(model_from_parent), turn::product(found.middle, rotation));
            range = Some(Range { axis: axes.transpose() * found.axis, ..found });
        }
        let model_from_node = rest.model_from_node(node);
        let center_in_node = model_from_node.inverse().transform_point3(center * size);
        let mass = masses[index];
        bodies.push(RagdollBody {
            node,
            parent: parents[index],
            swing_radians: range.map_or(0.0, |range| range.swing_radians),
            twist_radians: range.map_or(0.0, |range| range.twist_radians),
            axis: range.map_or(Vec3::X, |range| range.axis),
            parent_from_body,
            is_attached: is_attached[index],
            center_in_node: if center_in_node.is_finite() { center_in_node } else { Vec3::ZERO },
            node_from_body: turn::product(turn::inverse(turn::of(&model_from_node)), rotation),
            shape,
            mass,
            inverse_inertia: (shape.inertia() * mass).recip(),
        });
    }
    let pairs = pairs(&parents, &shapes, &is_held);
    // Nodes that are not below a body stay as they are played.
    let body_of = body_of.drain(..).map(|body| body.map(|body| number[body.get()])).collect();
    Some(Ragdoll { bodies, pairs, body_of, size })
}

/// Finds the vertices of a pose that are farthest outside the shapes of their bodies, such as those of swords, and of
/// fingers that are bent otherwise than at rest. Adds the body of each, and its place in the body's space.
///
/// `body_from_node` has the transform of the node of each body.
pub(super) fn find_tips(
    ragdoll: &Ragdoll,
    rig: &Rig,
    pose: &ModelPose,
    body_from_node: &[Affine3A],
    tips: &mut Vec<(usize, Vec3)>,
) {
    let body_from_model: Vec<Affine3A> = ragdoll
        .bodies
        .iter()
        .zip(body_from_node)
        .map(|(part, body_from_node)| *body_from_node * pose.model_from_node(part.node).inverse())
        .collect();
    // The farthest vertex of each body in each direction.
    let mut farthest = vec![[(f32::NEG_INFINITY, Vec3::NAN); TIP_DIRECTIONS]; ragdoll.bodies.len()];
    Vertices::new(rig, pose).each(LEAST_TIP_WEIGHT, &mut |node, _, place| {
        let Some(body) = ragdoll.body_of[node.get()] else { return };
        let place = body_from_model[body].transform_point3(place);
        let shape = &ragdoll.bodies[body].shape;
        let placed = Placed { shape, center: Vec3::ZERO, axes: &Mat3::IDENTITY };
        // Comparisons with numbers that aren't finite are false.
        if placed.distance(place) > LEAST_TIP && place.length() < 1.0 {
            for (direction, farthest) in farthest[body].iter_mut().enumerate() {
                let along = place.dot(tip_direction(direction));
                if along > farthest.0 {
                    *farthest = (along, place);
                }
            }
        }
    });
    for (body, farthest) in farthest.iter().enumerate() {
        let first = tips.len();
        for &(along, place) in farthest {
            if along.is_finite() && !tips[first..].contains(&(body, place)) {
                tips.push((body, place));
            }
        }
    }
}

/// Returns one of the 26 directions from the center of a cube to its corners, edges and sides.
fn tip_direction(index: usize) -> Vec3 {
    let index = if index < TIP_DIRECTIONS / 2 { index } else { index + 1 };
    let part = |number: usize| (number % 3) as f32 - 1.0;
    Vec3::new(part(index), part(index / 3), part(index / 9)).normalize()
}

/// Fits a shape to points and to the joint, if the joint is near them: the node then stays above the ground.
fn fitted_with_joint(points: &mut Vec<Vec3>, joint: Vec3) -> (Shape, Vec3, Mat3) {
    let (shape, center, axes) = Shape::fitted(points);
    let distance = Placed { shape: &shape, center, axes: &axes }.distance(joint);
    if distance <= 0.0 || distance > NEAR {
        return (shape, center, axes);
    }
    points.push(joint);
    Shape::fitted(points)
}

impl Candidates {
    fn new(vertices: &Vertices<'_>) -> Self {
        let model = vertices.rig.model();
        let count = model.nodes.len();
        let mut is_candidate = vec![false; count];
        for skin in vertices.rig.palette_layout().drawables.iter().filter_map(|drawable| drawable.skin) {
            model.skin(skin).joints.iter().for_each(|joint| is_candidate[joint.get()] = true);
        }
        if !is_candidate.contains(&true) {
            model.drawn_nodes().for_each(|(node, _)| is_candidate[node.get()] = true);
        }
        let mut role = vec![Role::Other; count];
        for (index, node) in model.nodes.iter().enumerate() {
            is_candidate[index] &= node.sheared_rest.is_none();
            role[index] = role_of(&node.name, node.parent.map_or(Role::Other, |parent| role[parent.get()]));
        }
        // By the node that moves them: vertices of skins, and of other meshes.
        let none = vec![Extent::NONE; count];
        let (mut skinned, mut attached) = (none.clone(), none.clone());
        vertices.each(f32::INFINITY, &mut |node, is_skinned, place| {
            let extents = if is_skinned { &mut skinned } else { &mut attached };
            extents[node.get()].add(&Extent { least: place, most: place });
        });
        let mut candidates = Self { is_candidate, role, skinned: none.clone(), attached: none };
        candidates.skinned = candidates.owned(vertices.rig, &skinned);
        candidates.add_held(vertices.rig, &attached);
        candidates.attached = candidates.owned(vertices.rig, &attached);
        candidates
    }

    /// Adds the extents of nodes up for the candidates at or above them.
    fn owned(&self, rig: &Rig, extents: &[Extent]) -> Vec<Extent> {
        let mut owned = vec![Extent::NONE; extents.len()];
        for (index, extent) in extents.iter().enumerate() {
            if let Some(owner) = self.at_or_above(rig, Some(NodeIndex::new(index))) {
                owned[owner.get()].add(extent);
            }
        }
        owned
    }

    /// Makes candidates of nodes below a hand whose meshes are too large for it.
    fn add_held(&mut self, rig: &Rig, attached: &[Extent]) {
        for (index, extent) in attached.iter().enumerate() {
            let node = &rig.model().nodes[index];
            let hand = self.at_or_above(rig, node.parent).map(|hand| self.skinned[hand.get()]);
            self.is_candidate[index] |= self.role[index] == Role::Finger
                && node.sheared_rest.is_none()
                && hand.is_some_and(|hand| extent.is_too_large_for(&hand));
        }
    }

    fn at_or_above(&self, rig: &Rig, mut node: Option<NodeIndex>) -> Option<NodeIndex> {
        while let Some(at) = node.filter(|at| !self.is_candidate[at.get()]) {
            node = rig.model().node(at).parent;
        }
        node
    }

    /// Returns whether vertices that a node moves belong to the shape of its body. Those of attached meshes may not.
    fn counts(&self, rig: &Rig, node: NodeIndex, is_skinned: bool) -> bool {
        let owner = self.at_or_above(rig, Some(node));
        is_skinned || owner.is_some_and(|owner| !self.attached[owner.get()].is_none())
    }

    /// Selects the nodes that are bodies. Returns the one at or above each node, and the size of the model.
    fn select(&mut self, rig: &Rig) -> Option<(Vec<Option<NodeIndex>>, f32)> {
        let model = rig.model();
        let mut whole = Extent::NONE;
        let mut owned = vec![Extent::NONE; model.nodes.len()];
        for (index, owned) in owned.iter_mut().enumerate() {
            let mut attached = self.attached[index];
            let own = self.skinned[index];
            let has_role = !matches!(self.role[index], Role::Other | Role::Finger);
            let mut above = self.at_or_above(rig, model.nodes[index].parent);
            while let Some(at) = above.filter(|at| self.skinned[at.get()].is_none()) {
                above = self.at_or_above(rig, model.node(at).parent);
            }
            let hangs = own.is_none() && !has_role && above.is_some();
            let holder = above.filter(|_| hangs).map_or(own, |above| self.skinned[above.get()]);
            let is_large = attached.is_too_large_for(&holder);
            let is_held = hangs && is_large && self.role[index] == Role::Finger;
            if is_held {
                self.role[index] = Role::Held;
            } else if hangs || is_large {
                attached = Extent::NONE;
            }
            self.attached[index] = attached;
            *owned = own;
            owned.add(&attached);
            if !is_held {
                whole.add(owned);
            }
        }
        let size = whole.longest();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let above = |index: usize| self.at_or_above(rig, model.nodes[index].parent);
        for index in (0..owned.len()).rev() {
            let is_part = matches!(self.role[index], Role::Clavicle | Role::Finger | Role::Toes)
                || model.nodes[index].name.to_ascii_lowercase().contains("twist");
            if !owned[index].is_none()
                && (owned[index].longest() < size * LEAST_EXTENT || is_part)
                && let Some(above) = above(index)
            {
                let extent = std::mem::replace(&mut owned[index], Extent::NONE);
                owned[above.get()].add(&extent);
            }
        }
        let mut count = owned.iter().filter(|extent| !extent.is_none()).count();
        while count > MOST_BODIES {
            // The smallest of all. Nodes below it then hang on the one above.
            let bodies = (0..owned.len()).filter(|&index| !owned[index].is_none());
            let smaller = |a: usize, b: usize| owned[b].longest() < owned[a].longest();
            let smallest = bodies.reduce(|a, b| if smaller(a, b) { b } else { a })?;
            let extent = std::mem::replace(&mut owned[smallest], Extent::NONE);
            if let Some(above) = above(smallest).filter(|above| !owned[above.get()].is_none()) {
                owned[above.get()].add(&extent);
            }
            count -= 1;
        }
        let mut body_of: Vec<Option<NodeIndex>> = Vec::with_capacity(owned.len());
        for (index, node) in model.nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| body_of[parent.get()]);
            body_of.push(if owned[index].is_none() { above } else { Some(NodeIndex::new(index)) });
        }
        Some((body_of, size))
    }
}

/// Lets bodies without one above hang on the nearest body of another tree, if their joint is near it or their shapes
/// overlap: some rigs attach feet to the root.
fn hang_strays(parents: &mut [Option<usize>], joints: &[Vec3], shapes: &[(Shape, Vec3, Mat3)]) {
    let root_of = |parents: &[Option<usize>], mut body: usize| {
        while let Some(parent) = parents[body] {
            body = parent;
        }
        body
    };
    let volume = |body: usize| shapes[body].0.volume();
    let largest = (0..parents.len()).reduce(|a, b| if volume(b) > volume(a) { b } else { a });
    let main = largest.map(|largest| root_of(parents, largest));
    for stray in 0..parents.len() {
        if parents[stray].is_some() || Some(stray) == main {
            continue;
        }
        let (mut nearest, mut least) = (None, f32::INFINITY);
        for other in 0..shapes.len() {
            let distance = placed(shapes, other).distance(joints[stray]);
            let is_near = distance < NEAR || gap(shapes, stray, other) < 0.0;
            if is_near && distance < least && root_of(parents, other) != stray {
                (nearest, least) = (Some(other), distance);
            }
        }
        parents[stray] = nearest;
    }
}

/// Returns the direction in which feet point, or else +Z.
fn front(nodes: &[NodeIndex], roles: &[Role], joints: &[Vec3], shapes: &[(Shape, Vec3, Mat3)]) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for (index, node) in nodes.iter().enumerate() {
        if roles[node.get()] == Role::Foot {
            sum += shapes[index].1 - joints[index];
        }
    }
    Vec3::new(sum.x, 0.0, sum.z).normalize_or(Vec3::Z)
}

fn placed(shapes: &[(Shape, Vec3, Mat3)], body: usize) -> Placed<'_> {
    let (shape, center, axes) = &shapes[body];
    Placed { shape, center: *center, axes }
}

/// Returns the distance between two bodies; negative where they overlap.
fn gap(shapes: &[(Shape, Vec3, Mat3)], first: usize, second: usize) -> f32 {
    let [a, b] = placed(shapes, first).nearest_points(&placed(shapes, second));
    a.distance(b) - shapes[first].0.radius - shapes[second].0.radius
}

/// Returns the pairs of bodies that may collide: not neighbours, apart at rest, and nothing that is held.
fn pairs(parents: &[Option<usize>], shapes: &[(Shape, Vec3, Mat3)], is_held: &[bool]) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for second in 0..parents.len() {
        for first in 0..second {
            let are_neighbours = parents[first] == Some(second) || parents[second] == Some(first);
            let is_any_held = is_held[first] || is_held[second];
            if !are_neighbours && !is_any_held && gap(shapes, first, second) > LEAST_DISTANCE {
                pairs.push([first, second]);
            }
        }
    }
    pairs
}

/// Returns the masses of bodies, whose sum is 1.
///
/// Masses grow less than volumes, and a body weighs at least a share of those that it is joined to: light bodies
/// between heavy ones would tremble.
fn masses(parents: &[Option<usize>], shapes: &[(Shape, Vec3, Mat3)], is_held: &[bool]) -> Vec<f32> {
    // The power 5/8, from square roots: a cube root differs from machine to machine.
    let mass = |volume: f32| volume.sqrt() * volume.sqrt().sqrt().sqrt();
    let share = |is_held: bool| if is_held { HELD_MASS } else { 1.0 };
    let mut masses: Vec<f32> = shapes
        .iter()
        .zip(is_held)
        .map(|((shape, ..), &is_held)| mass(shape.volume()) * share(is_held))
        .collect();
    let raw = masses.clone();
    for (body, &parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            masses[body] = masses[body].max(raw[parent] * LEAST_MASS);
            masses[parent] = masses[parent].max(raw[body] * LEAST_MASS);
        }
    }
    let whole: f32 = masses.iter().sum();
    masses.iter_mut().for_each(|mass| *mass /= whole);
    masses
}

/// Returns the transform of a node relative to its body, both in one space.
pub(super) fn relative(center: Vec3, rotation: Quat, node: &Affine3A) -> Affine3A {
    Affine3A::from_rotation_translation(rotation, center).inverse() * *node
}
