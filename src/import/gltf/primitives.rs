//! Reader of a primitive: attributes, indices and morph targets, checked against each other.
use super::accessor::grouped;
use super::formats::Use;
use super::json::Json;
use super::topology::{Unrolled, unroll};
use super::{Accessors, influences, tangents, variants};
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport, normals, vertices};
use crate::model::{Material, MaterialIndex, MorphTarget, Primitive, Topology};
use crate::refusal::Place;
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::Type;
use gltf::json::mesh::Mode;

/// A primitive of the file, with its context.
pub(super) struct Source<'a> {
    pub(super) primitive: Json<'a>,
    pub(super) accessors: &'a Accessors<'a>,
    pub(super) place: Place<'a>,
    pub(super) report: &'a mut ImportReport,
}

/// Reads a primitive. Returns `None` if it has nothing to draw.
pub(super) fn read(mut source: Source<'_>, materials: &[Material]) -> Result<Option<Primitive>, ImportError> {
    let source = &mut source;
    let material = source.primitive.index("material").map(MaterialIndex::new);
    let variants = variants::mappings(source.primitive);
    let (mut tangent_set, mut wanted_sets) = (None, 0);
    // The material comes first, then those of variants.
    for nth in (0..=variants.len()).rev() {
        let used = variants.get(nth).map(|variant| variant.1).or(material);
        let Some(used) = used.and_then(|used| materials.get(used.get())) else { continue };
        tangent_set = tangent_set.or(used.tangent_uv_set());
        for slot in used.textures().into_iter().flatten() {
            wanted_sets = wanted_sets.max(slot.uv_set + 1);
        }
    }
    source.report_unknown_attributes();
    let Some(positions) = source.positions()? else {
        source.report.warn(WarningKind::PrimitiveWithoutPositions, &source.place);
        return Ok(None);
    };
    let count = positions.len();
    let Unrolled { topology, indices, .. } = source.indices(count)?;
    if indices.is_empty() {
        return Ok(None);
    }
    let normals = source.vectors::<Vec3>("NORMAL", Use::VECTORS, count)?;
    // The specification requires tangents to be ignored without normals. Most materials don't use them.
    let tangents = match tangent_set.is_some() && normals.is_some() {
        true => source.vectors::<Vec4>("TANGENT", Use::TANGENTS, count)?,
        false => None,
    };
    let mut primitive = Primitive {
        topology,
        positions,
        normals: normals.unwrap_or_default(),
        tangents: tangents.unwrap_or_default(),
        uv_sets: source.uv_sets(count)?,
        colors: source.colors(count)?,
        influences: influences::influences(source, count)?,
        indices,
        material,
        variants,
        morph_targets: Vec::new(),
    };
    primitive.morph_targets = source.morph_targets(&primitive)?;
    vertices::compact(&mut primitive);

    if primitive.normals.is_empty() && topology == Topology::Triangles {
        source.charge_split(&primitive, size_of::<Vec3>())?;
        normals::flatten(&mut primitive);
    } else {
        let odd = normals::normalise(&mut primitive.normals);
        let place = source.place.field("attributes");
        source.report.warn_counted(WarningKind::NormalsNotUnit, &place.field("NORMAL"), odd, count);
    }
    if let Some(set) = tangent_set {
        source.charge_split(&primitive, size_of::<Vec4>())?;
        tangents::complete(&mut primitive, set, source)?;
    }
    source.fill_uv_sets(&mut primitive, wanted_sets)?;
    Ok(Some(primitive))
}

/// Returns a name such as `JOINTS_1`.
pub(super) fn numbered(prefix: &str, set: u32) -> String {
    [prefix, &set.to_string()].concat()
}

impl Source<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<usize> {
        self.primitive.get("attributes")?.index(name)
    }

    /// Checks the length of an accessor.
    ///
    /// # Errors
    /// An accessor with another count than the positions.
    pub(super) fn expect_count(
        &self,
        accessor: usize,
        expected: usize,
        place: &Place<'_>,
    ) -> Result<(), ImportError> {
        let count = self.accessors.count(accessor);
        if count == expected {
            return Ok(());
        }
        let found = format!("{count} for {expected} positions");
        Err(ImportProblem::VertexCountsDiffer.at(place.pointer(), found))
    }

    /// Warns about attributes numbered above `count`, the number of consecutive sets found from 0 on.
    pub(super) fn warn_of_gap(&mut self, prefix: &str, count: u32) {
        let mut names = self.primitive.get("attributes").into_iter().flat_map(Json::names);
        let beyond = |name: &str| {
            name.strip_prefix(prefix).and_then(|set| set.parse().ok()).is_some_and(|set: u32| set > count)
        };
        if names.any(beyond) {
            self.report.warn(WarningKind::AttributeSetGap, &self.place.field("attributes"));
        }
    }

    /// Warns about unknown names. Those that begin with an underscore are application-specific by the specification.
    fn report_unknown_attributes(&mut self) {
        let is_known = |name: &str| match name.split_once('_') {
            None => matches!(name, "POSITION" | "NORMAL" | "TANGENT"),
            Some(("TEXCOORD" | "COLOR" | "JOINTS" | "WEIGHTS", set)) => {
                set.parse().is_ok_and(|number: u32| number.to_string() == set)
            }
            Some((prefix, _)) => prefix.is_empty(),
        };
        let names = self.primitive.get("attributes").into_iter().flat_map(Json::names);
        for name in names.filter(|name| !is_known(name)) {
            let place = self.place.field("attributes");
            self.report.warn_named(WarningKind::AttributeUnknown, &place.field(name), name);
        }
    }

    fn positions(&mut self) -> Result<Option<Vec<Vec3>>, ImportError> {
        let Some(accessor) = self.attribute("POSITION") else { return Ok(None) };
        let place = self.place.field("attributes");
        self.accessors.vectors(accessor, Use::VECTORS, &place.field("POSITION"), self.report).map(Some)
    }

    /// Reads an attribute that affects how a vertex looks, not how it moves.
    fn vectors<T: bytemuck::Pod>(
        &mut self,
        name: &str,
        of: Use,
        expected: usize,
    ) -> Result<Option<Vec<T>>, ImportError> {
        let Some(accessor) = self.attribute(name) else { return Ok(None) };
        let place = self.place.field("attributes");
        let place = place.field(name);
        self.expect_count(accessor, expected, &place)?;
        let numbers = self.accessors.repaired_floats(accessor, of, &place, self.report)?;
        Ok(Some(grouped(&numbers)))
    }

    #[inline(never)] // `docs/START.md` says why.
    fn indices(&mut self, vertex_count: usize) -> Result<Unrolled, ImportError> {
        let mode = match self.primitive.index("mode") {
            Some(0) => Mode::Points,
            Some(1) => Mode::Lines,
            Some(2) => Mode::LineLoop,
            Some(3) => Mode::LineStrip,
            Some(5) => Mode::TriangleStrip,
            Some(6) => Mode::TriangleFan,
            _ => Mode::Triangles,
        };
        let place = self.place.field("indices");
        let (indices, restart) = match self.primitive.index("indices") {
            Some(accessor) => (
                self.accessors.integers(accessor, Use::INDICES, &place, self.report)?,
                Some(self.accessors.max_integer(accessor)),
            ),
            None => ((0u32..).take(vertex_count).collect(), None),
        };
        let restarts = restart.is_some_and(|restart| indices.contains(&restart));
        // A value that is also a vertex means that vertex.
        let restart = restart.filter(|&restart| restart as usize >= vertex_count);
        let lost = |&index: &u32| index as usize >= vertex_count && Some(index) != restart;
        if let Some(index) = indices.iter().copied().find(lost) {
            let found = format!("{index} of {vertex_count} vertices");
            return Err(ImportProblem::VertexIndexOutOfRange.at(place.pointer(), found));
        }
        if mode == Mode::Triangles && !restarts && indices.len().is_multiple_of(3) {
            return Ok(Unrolled {
                topology: Topology::Triangles,
                indices,
                incomplete: false,
                restarted: false,
            });
        }
        Part::Import.need()?;
        let unrolled = unroll(mode, &indices, restart);
        if unrolled.restarted || restarts {
            self.report.warn(WarningKind::PrimitiveRestart, &place);
        }
        if unrolled.incomplete {
            self.report.warn(WarningKind::PrimitiveIncomplete, &self.place);
        }
        Ok(unrolled)
    }

    fn uv_sets(&mut self, count: usize) -> Result<Vec<Vec<Vec2>>, ImportError> {
        let mut sets = Vec::new();
        for set in 0.. {
            match self.vectors(&numbered("TEXCOORD_", set), Use::UVS, count)? {
                Some(uvs) => sets.push(uvs),
                None => {
                    self.warn_of_gap("TEXCOORD_", set);
                    break;
                }
            }
        }
        Ok(sets)
    }

    fn colors(&mut self, count: usize) -> Result<Vec<Vec4>, ImportError> {
        let name = "COLOR_0";
        let of_type = self.attribute(name).and_then(|accessor| self.accessors.type_of(accessor));
        if of_type == Some(Type::Vec3) {
            let opaque: Option<Vec<Vec3>> = self.vectors(name, Use::RGB, count)?;
            return Ok(opaque.into_iter().flatten().map(|color| color.extend(1.0)).collect());
        }
        Ok(self.vectors(name, Use::RGBA, count)?.unwrap_or_default())
    }

    fn morph_targets(&mut self, base: &Primitive) -> Result<Vec<MorphTarget>, ImportError> {
        let place = self.place;
        let in_targets = place.field("targets");
        let mut targets = Vec::new();
        for (index, target) in self.primitive.list("targets").enumerate() {
            let place = in_targets.index(index);
            if target.names().any(|name| self.attribute(name).is_none()) {
                self.report.warn(WarningKind::MorphWithoutBase, &place);
            }
            let mut deltas = |name: &str, wanted: bool| {
                let Some(accessor) = target.index(name).filter(|_| wanted) else { return Ok(Vec::new()) };
                let place = place.field(name);
                self.expect_count(accessor, base.positions.len(), &place)?;
                self.accessors.vectors::<Vec3>(accessor, Use::VECTORS, &place, self.report)
            };
            targets.push(MorphTarget {
                positions: deltas("POSITION", true)?,
                normals: deltas("NORMAL", !base.normals.is_empty())?,
                tangents: deltas("TANGENT", !base.tangents.is_empty())?,
            });
        }
        Ok(targets)
    }

    /// Charges the budget for giving each corner a vertex of its own, with one more attribute in the base and in each
    /// morph target. A corner may take a single byte of the file.
    fn charge_split(&self, primitive: &Primitive, added_bytes: usize) -> Result<(), ImportError> {
        let added = added_bytes * (1 + primitive.morph_targets.len());
        let bytes_each = vertices::bytes_per_vertex(primitive) + added;
        self.accessors.budget.charge(primitive.indices.len() as u64, bytes_each, || self.place.pointer())
    }

    /// Adds zeros for texture coordinate sets that the materials use and the file lacks, so that shaders needn't
    /// check.
    fn fill_uv_sets(&mut self, primitive: &mut Primitive, wanted: usize) -> Result<(), ImportError> {
        if wanted <= primitive.uv_sets.len() {
            return Ok(());
        }
        self.report.warn(WarningKind::UvSetMissing, &self.place.field("attributes"));
        let count = primitive.positions.len();
        let bytes_each = (wanted - primitive.uv_sets.len()) * size_of::<Vec2>();
        self.accessors.budget.charge(count as u64, bytes_each, || self.place.pointer())?;
        primitive.uv_sets.resize(wanted, vec![Vec2::ZERO; count]);
        Ok(())
    }
}
