//! Converts meshes to primitives, one per material. Their vertices are the distinct corners of the faces.
use super::document::{Kind, Object};
use super::faces::{Faces, fan};
use super::handedness::mirrored;
use super::materials::{Materials, linear_with_alpha};
use super::skins::{Bind, Weights};
use super::vertex_data::VertexData;
use crate::import::imported_model::ImportedModel;
use crate::import::influences::Merged;
use crate::import::report::WarningKind;
use crate::import::vertices::bytes_per_vertex;
use crate::import::weld::{WELD_BYTES, Welder, weld};
use crate::import::{ImportError, ImportProblem, ImportReport, normals};
use crate::model::{Influences, MaterialIndex, Mesh, MeshIndex, NodeIndex, Primitive, SkinIndex};
use glam::{Vec2, Vec3, Vec4};
use std::collections::BTreeMap;

pub(super) struct Meshes<'a> {
    pub(super) bind: Bind<'a>,
    pub(super) imported: &'a mut ImportedModel,
    pub(super) report: &'a mut ImportReport,
    pub(super) materials: Materials,
    /// The mesh and skin of each object, which is read once even if several frames refer to it.
    pub(super) of_object: BTreeMap<usize, Option<(MeshIndex, Option<SkinIndex>)>>,
}

impl Meshes<'_> {
    /// Assigns a mesh, and its skin if it has one, to the node that draws it.
    pub(super) fn draw(&mut self, object: Object<'_>, node: NodeIndex) -> Result<(), ImportError> {
        let drawn = match self.of_object.get(&object.index) {
            Some(drawn) => *drawn,
            None => self.mesh(object, node)?,
        };
        self.of_object.insert(object.index, drawn);
        if let (Some((mesh, skin)), Some(node)) = (drawn, self.imported.nodes.get_mut(node.get())) {
            (node.mesh, node.skin) = (Some(mesh), skin);
        }
        Ok(())
    }

    /// Reads a mesh; `None` if it has nothing to draw.
    fn mesh(
        &mut self,
        object: Object<'_>,
        node: NodeIndex,
    ) -> Result<Option<(MeshIndex, Option<SkinIndex>)>, ImportError> {
        let geometry = Geometry::read(object, self.report)?;
        let weights = self.bind.weights(object, node, geometry.positions.len(), self.report)?;
        let primitives = self.primitives(object, &geometry, weights.as_ref())?;
        if primitives.is_empty() {
            self.report.warn_at(WarningKind::PrimitiveWithoutPositions, object.place(), &object.name());
            return Ok(None);
        }
        let mesh = MeshIndex::new(self.imported.meshes.len());
        self.imported.meshes.push(Mesh { name: object.name(), primitives, ..Mesh::default() });
        let skin = weights.map(|weights| {
            self.imported.skins.push(weights.skin);
            SkinIndex::new(self.imported.skins.len() - 1)
        });
        Ok(Some((mesh, skin)))
    }

    fn primitives(
        &mut self,
        object: Object<'_>,
        geometry: &Geometry,
        weights: Option<&Weights>,
    ) -> Result<Vec<Primitive>, ImportError> {
        let materials = self.face_materials(object, geometry.faces.count())?;
        let mut parts: BTreeMap<MaterialIndex, (Welder, Vec<u32>)> = BTreeMap::new();
        let mut incomplete = 0;
        let mut polygon = Vec::new();
        for (range, material) in geometry.faces.ranges().zip(materials) {
            let (welder, indices) = parts.entry(material).or_insert_with(|| (Welder::new(2), Vec::new()));
            polygon.clear();
            let corners = geometry.faces.corners.get(range.clone()).unwrap_or_default();
            let normals = geometry.normal_of_corner.get(range).unwrap_or_default();
            incomplete += usize::from(corners.len() < 3);
            if corners.len() >= 3 {
                let known = welder.corners().len();
                polygon
                    .extend(corners.iter().zip(normals).map(|(&at, &normal)| welder.vertex(&[at, normal])));
                indices.extend(fan(&polygon).flatten());
                // Each new corner takes a table entry while corners are compared, and then its attributes.
                let made = welder.corners().len() - known;
                self.bind.budget.charge(made as u64, 160, || object.place())?;
            }
        }
        if incomplete > 0 {
            let about = format!("{incomplete} of {} faces", geometry.faces.count());
            self.report.warn_at(WarningKind::PrimitiveIncomplete, object.place(), &about);
        }
        let mut primitives = Vec::new();
        let mut counts = VertexCounts::default();
        for (material, (welder, indices)) in parts {
            if indices.is_empty() {
                continue;
            }
            let vertices: Vec<[u32; 2]> =
                welder.corners().filter_map(|corner| corner.try_into().ok()).collect();
            let mut primitive = geometry.vertices(&vertices);
            primitive.indices = indices;
            primitive.material = Some(material);
            self.fill_uvs(&mut primitive, object);
            if let Some(weights) = weights {
                primitive.influences = self.influences(object, weights, &vertices, &mut counts)?;
            }
            let (count, bytes_each) = (primitive.positions.len(), bytes_per_vertex(&primitive));
            self.bind.budget.charge(count as u64, WELD_BYTES + bytes_each, || object.place())?;
            weld(&mut primitive);
            primitives.push(primitive);
        }
        counts.report(object, self.report);
        Ok(primitives)
    }

    /// Returns the material of each face.
    fn face_materials(
        &mut self,
        mesh: Object<'_>,
        face_count: usize,
    ) -> Result<Vec<MaterialIndex>, ImportError> {
        let Some(list) = mesh.child(Kind::MeshMaterialList) else {
            return Ok(vec![self.materials.plain(self.imported); face_count]);
        };
        let mut fields = list.fields();
        let material_count = fields.count()?;
        let index_count = fields.count()?;
        let indices = fields.indices(index_count, material_count)?;
        let materials = self.materials.of_list(list, self.imported, self.report)?;
        if materials.len() < material_count {
            let about = format!("{} of {material_count}", materials.len());
            self.report.warn_at(WarningKind::MaterialUnknown, list.place(), &about);
        }
        // Faces without an index use the last one.
        let last = indices.last().copied().unwrap_or_default();
        let indices = indices.into_iter().chain(std::iter::repeat(last)).take(face_count);
        let of_index = |index: u32| match materials.get(index as usize) {
            Some(material) => *material,
            None => self.materials.plain(self.imported),
        };
        Ok(indices.map(of_index).collect())
    }

    /// Adds zeros if the material has a texture but the mesh no coordinates, so that shaders needn't check for it.
    fn fill_uvs(&mut self, primitive: &mut Primitive, object: Object<'_>) {
        let material = primitive.material.and_then(|material| self.imported.materials.get(material.get()));
        let is_textured = material.is_some_and(|material| material.base_color_texture.is_some());
        if is_textured && primitive.uv_sets.is_empty() {
            self.report.warn_at(WarningKind::UvSetMissing, object.place(), "");
            primitive.uv_sets.push(vec![Vec2::ZERO; primitive.positions.len()]);
        }
    }

    fn influences(
        &self,
        object: Object<'_>,
        weights: &Weights,
        vertices: &[[u32; 2]],
        counts: &mut VertexCounts,
    ) -> Result<Influences, ImportError> {
        let most = weights.most();
        let bytes_each = most.next_multiple_of(4) * (size_of::<u16>() + size_of::<f32>());
        self.bind.budget.charge(vertices.len() as u64, bytes_each, || object.place())?;
        let mut merged = Merged::new(most, vertices.len());
        let mut slots = Vec::with_capacity(most);
        for [vertex, _] in vertices {
            counts.unweighted += usize::from(!weights.of_vertex(*vertex, &mut slots));
            merged.push(&mut slots).map_err(|joint| {
                ImportProblem::JointIndexOutOfRange.at(object.place(), format!("joint {joint}"))
            })?;
        }
        counts.odd += merged.odd;
        counts.count += vertices.len();
        Ok(merged.trimmed())
    }
}

/// Counts of a mesh's vertices, for warnings.
#[derive(Default)]
struct VertexCounts {
    count: usize,
    odd: usize,
    unweighted: usize,
}

impl VertexCounts {
    fn report(&self, object: Object<'_>, report: &mut ImportReport) {
        for (kind, count) in [
            (WarningKind::JointWeightsNotNormalised, self.odd),
            (WarningKind::VerticesUnweighted, self.unweighted),
        ] {
            if count > 0 {
                report.warn_at(kind, object.place(), &format!("{count} of {}", self.count));
            }
        }
    }
}

/// A mesh's vertices and faces, numbered as in the file, in the model's space.
struct Geometry {
    positions: Vec<Vec3>,
    faces: Faces,
    normals: Vec<Vec3>,
    /// Index into `normals` for each corner of `faces`.
    normal_of_corner: Vec<u32>,
    uvs: Vec<Vec2>,
    colors: Vec<Vec4>,
}

impl Geometry {
    fn read(mesh: Object<'_>, report: &mut ImportReport) -> Result<Self, ImportError> {
        let mut fields = mesh.fields();
        let count = fields.count()?;
        let positions: Vec<Vec3> = fields.vectors(count)?.into_iter().map(mirrored).collect();
        let faces = Faces::read(&mut fields, count)?;
        let data = VertexData::read(mesh, count, report)?;
        let mut geometry = Self {
            positions,
            normals: Vec::new(),
            normal_of_corner: Vec::new(),
            faces,
            uvs: Vec::new(),
            colors: Vec::new(),
        };
        geometry.read_uvs(mesh, data.uvs, report)?;
        geometry.read_colors(mesh, data.colors, report)?;
        geometry.read_normals(mesh, data.normals, report)?;
        Ok(geometry)
    }

    fn read_uvs(
        &mut self,
        mesh: Object<'_>,
        mut uvs: Vec<[f32; 2]>,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        if let Some(object) = mesh.child(Kind::MeshTextureCoords) {
            let mut fields = object.fields();
            let (count, there) = (fields.count()?, self.positions.len());
            if count != there {
                let found = format!("{count} texture coordinates for {there} vertices");
                return Err(ImportProblem::VertexCountsDiffer.at(object.place(), found));
            }
            uvs = finite(fields.any_vectors(count)?, object, report);
        }
        self.uvs = uvs.into_iter().map(Vec2::from_array).collect();
        Ok(())
    }

    fn read_colors(
        &mut self,
        mesh: Object<'_>,
        mut colors: Vec<Vec4>,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        if let Some(object) = mesh.child(Kind::MeshVertexColors) {
            let mut fields = object.fields();
            // Vertices that the list omits stay white.
            colors = vec![Vec4::ONE; self.positions.len()];
            for _ in 0..fields.count()? {
                let index = fields.indices(1, self.positions.len())?.first().copied().unwrap_or_default();
                let color = finite(fields.any_vectors::<4>(1)?, object, report).first().copied();
                if let (Some(slot), Some(color)) = (colors.get_mut(index as usize), color) {
                    *slot = Vec4::from_array(color);
                }
            }
        }
        self.colors = colors.into_iter().map(linear_with_alpha).collect();
        Ok(())
    }

    fn read_normals(
        &mut self,
        mesh: Object<'_>,
        of_vertices: Vec<[f32; 3]>,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        let mut normals = of_vertices;
        if let Some(object) = mesh.child(Kind::MeshNormals) {
            let mut fields = object.fields();
            let count = fields.count()?;
            let listed = finite(fields.any_vectors(count)?, object, report);
            let faces = Faces::read(&mut fields, count)?;
            if faces.fit(&self.faces) {
                self.normal_of_corner = faces.corners;
                normals = listed;
            } else if count == self.positions.len() {
                normals = listed;
            } else {
                report.warn_at(WarningKind::NormalsUnusable, object.place(), "");
            }
        }
        if self.normal_of_corner.is_empty() {
            self.normal_of_corner = self.faces.corners.clone();
        }
        self.normals = normals.into_iter().map(mirrored).collect();
        if self.normals.is_empty() {
            self.smooth(mesh);
        } else {
            let odd = normals::normalise(&mut self.normals);
            if odd > 0 {
                let about = format!("{odd} of {}", self.normals.len());
                report.warn_at(WarningKind::NormalsNotUnit, mesh.place(), &about);
            }
        }
        Ok(())
    }

    /// Computes normals for a mesh without any, smooth across seams where exporters have duplicated vertices.
    fn smooth(&mut self, mesh: Object<'_>) {
        let originals = originals(mesh, self.positions.len());
        let original = |vertex: u32| originals.get(vertex as usize).copied().unwrap_or(vertex);
        let corners: Vec<u32> = self.faces.corners.iter().map(|&corner| original(corner)).collect();
        let polygons = self.faces.ranges().filter_map(|range| corners.get(range));
        let triangles: Vec<u32> = polygons.flat_map(fan).flatten().collect();
        self.normals = normals::smooth(&self.positions, &triangles);
        self.normal_of_corner = corners;
    }

    /// Builds vertices from pairs of a position's and a normal's index.
    fn vertices(&self, vertices: &[[u32; 2]]) -> Primitive {
        fn picked<T: Copy>(of: &[T], indices: impl Iterator<Item = u32>) -> Vec<T> {
            indices.filter_map(|index| of.get(index as usize).copied()).collect()
        }
        let positions = || vertices.iter().map(|[position, _]| *position);
        let uvs = picked(&self.uvs, positions());
        Primitive {
            positions: picked(&self.positions, positions()),
            normals: picked(&self.normals, vertices.iter().map(|[_, normal]| *normal)),
            uv_sets: if uvs.is_empty() { Vec::new() } else { vec![uvs] },
            colors: picked(&self.colors, positions()),
            ..Primitive::default()
        }
    }
}

/// Returns the original of each vertex; empty if the file doesn't list it.
fn originals(mesh: Object<'_>, vertex_count: usize) -> Vec<u32> {
    let read = |object: Object<'_>| {
        let mut fields = object.fields();
        let (count, _) = (fields.count()?, fields.count()?);
        fields.indices(count, vertex_count)
    };
    let originals = mesh.child(Kind::VertexDuplicationIndices).and_then(|object| read(object).ok());
    originals.filter(|originals| originals.len() == vertex_count).unwrap_or_default()
}

/// Returns vectors whose non-finite numbers have been replaced, and reports those. Positions are never repaired.
fn finite<const N: usize>(
    (vectors, bad): (Vec<[f32; N]>, Option<usize>),
    object: Object<'_>,
    report: &mut ImportReport,
) -> Vec<[f32; N]> {
    if bad.is_some() {
        report.warn_at(WarningKind::ValuesNotFinite, object.place(), "");
    }
    vectors
}
