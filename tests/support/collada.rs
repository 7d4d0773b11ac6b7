//! Helpers of the Collada tests: small files from pieces, and models in any pose.

use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig, reference_skin};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{ClipIndex, Model, NodeIndex};
use glam::{Affine3A, Vec3, Vec4};
use std::path::Path;
use std::sync::Arc;

#[allow(unused_imports, reason = "each suite uses a part")]
pub use super::real_models::{files_below, models, saw};

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

pub fn imported(bytes: &[u8]) -> Imported {
    let imported = import(bytes, &Resources::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(check(&imported.model), []);
    imported
}

/// Returns the codes of an import's warnings.
pub fn codes(imported: &Imported) -> Vec<&'static str> {
    imported.report.warnings.iter().map(|warning| warning.code).collect()
}

/// A model that can be put into any pose.
pub struct Posed {
    pub rig: Rig,
    pub local: LocalPose,
    pub posed: ModelPose,
}

impl Posed {
    pub fn new(model: Model) -> Self {
        let rig = Rig::new(Arc::new(model));
        let local = LocalPose::rest(&rig);
        let posed = ModelPose::new(&rig);
        let mut new = Self { rig, local, posed };
        new.resolve();
        new
    }

    pub fn of(bytes: &[u8]) -> Self {
        Self::new(imported(bytes).model)
    }

    /// Poses the model in a clip at a time, with a new cursor and from the rest pose.
    pub fn at(&mut self, clip: usize, time_secs: f32) -> &mut Self {
        self.local.set_to_rest(&self.rig);
        self.rig.sample_into(ClipIndex::new(clip), time_secs, &mut ClipCursor::default(), &mut self.local);
        self.resolve();
        self
    }

    fn resolve(&mut self) {
        self.rig.resolve_into(&self.local, &mut self.posed);
    }

    pub fn node(&self, name: &str) -> NodeIndex {
        self.rig.model().find_node(name).unwrap_or_else(|| panic!("no node {name}"))
    }

    pub fn model_from(&self, name: &str) -> Affine3A {
        self.posed.model_from_node(self.node(name))
    }

    /// Returns the vertices of every drawn mesh, in the positions that the vertex shader computes.
    pub fn vertices(&self) -> Vec<Vec3> {
        let layout = self.rig.palette_layout();
        let mut rows = vec![Vec4::NAN; layout.rows_per_character];
        self.rig.palette_into(&self.local, &self.posed, &Affine3A::IDENTITY, &mut rows);
        let mut vertices = Vec::new();
        for drawable in &layout.drawables {
            for primitive in 0..self.rig.model().mesh(drawable.mesh).primitives.len() {
                vertices.extend(reference_skin(&self.rig, drawable, primitive, &rows).positions);
            }
        }
        vertices
    }
}

/// Returns the diagonal of the points' bounding box.
pub fn size(points: &[Vec3]) -> f32 {
    let low = points.iter().copied().reduce(Vec3::min).unwrap();
    let high = points.iter().copied().reduce(Vec3::max).unwrap();
    (high - low).length()
}

/// Returns the greatest distance from a point to its nearest point in the other list.
pub fn distance(points: &[Vec3], others: &[Vec3]) -> f32 {
    let nearest = |point: &Vec3| others.iter().map(|other| point.distance(*other)).fold(f32::MAX, f32::min);
    points.iter().map(nearest).fold(0.0, f32::max)
}

pub fn collada(body: &str) -> String {
    format!("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>{body}</COLLADA>")
}

/// Returns a visual scene of these nodes.
pub fn scene(nodes: &str) -> String {
    format!(
        "<library_visual_scenes><visual_scene id='scene'>{nodes}</visual_scene></library_visual_scenes>\
        <scene><instance_visual_scene url='#scene'/></scene>"
    )
}

pub fn source(id: &str, numbers: &str, stride: usize) -> String {
    let count = numbers.split_whitespace().count();
    format!(
        "<source id='{id}'><float_array id='{id}-array' count='{count}'>{numbers}</float_array><technique_common>\
        <accessor source='#{id}-array' count='{}' stride='{stride}'/></technique_common></source>",
        count / stride
    )
}

pub fn names(id: &str, names: &str) -> String {
    let count = names.split_whitespace().count();
    format!(
        "<source id='{id}'><Name_array id='{id}-array' count='{count}'>{names}</Name_array><technique_common>\
        <accessor source='#{id}-array' count='{count}' stride='1'/></technique_common></source>"
    )
}

/// Returns a geometry whose vertices only have positions.
pub fn geometry(id: &str, positions: &str, primitives: &str) -> String {
    let positions = source(&format!("{id}-positions"), positions, 3);
    format!(
        "<library_geometries><geometry id='{id}' name='{id}'><mesh>{positions}<vertices id='{id}-vertices'>\
        <input semantic='POSITION' source='#{id}-positions'/></vertices>{primitives}</mesh></geometry>\
        </library_geometries>"
    )
}

/// Returns a primitive element such as `<triangles>` over the vertices of a geometry.
pub fn primitive(tag: &str, id: &str, indices: &str) -> String {
    format!("<{tag}><input semantic='VERTEX' source='#{id}-vertices' offset='0'/>{indices}</{tag}>")
}

/// Returns a geometry of one right-angled triangle in the XY plane.
pub fn triangle(id: &str) -> String {
    geometry(id, "0 0 0 1 0 0 0 1 0", &primitive("triangles", id, "<p>0 1 2</p>"))
}

/// Returns a skin of one geometry. `slots` contains the elements with the joint and weight indices of each vertex.
pub fn skin(id: &str, geometry: &str, inside: &str, joints: &str, binds: &str, slots: &str) -> String {
    let inverse = if binds.is_empty() {
        String::new()
    } else {
        format!("<input semantic='INV_BIND_MATRIX' source='#{id}-binds'/>")
    };
    let binds = if binds.is_empty() { String::new() } else { source(&format!("{id}-binds"), binds, 16) };
    format!(
        "<library_controllers><controller id='{id}'><skin source='#{geometry}'>{inside}{}{binds}{}\
        <joints><input semantic='JOINT' source='#{id}-joints'/>{inverse}</joints>\
        <vertex_weights><input semantic='JOINT' source='#{id}-joints' offset='0'/>\
        <input semantic='WEIGHT' source='#{id}-weights' offset='1'/>{slots}</vertex_weights>\
        </skin></controller></library_controllers>",
        names(&format!("{id}-joints"), joints),
        source(&format!("{id}-weights"), "1 0.5 0.25 0.75 0", 1)
    )
}

pub const IDENTITY: &str = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 ";

/// Returns one channel in an animation of its own. `kind` is the interpolation of all keys, or a list of one for
/// each key. `tangents` contains sources and inputs.
pub fn animation(id: &str, target: &str, times: &str, values: &str, kind: &str, tangents: &str) -> String {
    let count = times.split_whitespace().count();
    let stride = values.split_whitespace().count() / count;
    let kinds = if kind.contains(' ') { kind.to_owned() } else { vec![kind; count].join(" ") };
    format!(
        "<animation id='{id}' name='{id}'>{}{}{}{tangents}<sampler id='{id}-sampler'>\
        <input semantic='INPUT' source='#{id}-times'/><input semantic='OUTPUT' source='#{id}-values'/>\
        <input semantic='INTERPOLATION' source='#{id}-kinds'/>{}</sampler>\
        <channel source='#{id}-sampler' target='{target}'/></animation>",
        source(&format!("{id}-times"), times, 1),
        source(&format!("{id}-values"), values, stride),
        names(&format!("{id}-kinds"), &kinds),
        if tangents.is_empty() {
            String::new()
        } else {
            format!(
                "<input semantic='OUT_TANGENT' source='#{id}-out'/><input semantic='IN_TANGENT' source='#{id}-in'/>"
            )
        }
    )
}

/// Returns the two tangent sources of an animation.
pub fn tangents(id: &str, leaving: &str, arriving: &str, stride: usize) -> String {
    source(&format!("{id}-out"), leaving, stride) + &source(&format!("{id}-in"), arriving, stride)
}

pub fn animations(animations: &[String]) -> String {
    format!("<library_animations>{}</library_animations>", animations.concat())
}
