//! Meshes: each becomes a node with the vertices that its triangles use. They share one skin; a mesh with unweighted
//! vertices gets a copy of it with one joint more.
use super::arrays::{Array, Arrays};
use super::file::{File, MESHES, Record, TRIANGLES};
use super::joints::Joints;
use super::upright;
use crate::import::imported_model::ImportedModel;
use crate::import::influences::{Merged, Slot};
use crate::import::normals;
use crate::import::report::WarningKind;
use crate::import::srgb::linear;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{
    Influences, Material, MaterialIndex, Mesh, MeshIndex, NodeIndex, Primitive, SkinIndex, Texture,
    TextureSlot, Topology, UvTransform, Wrap,
};
use glam::{Affine3A, DVec3, Vec2, Vec3, Vec4};
use std::collections::HashMap;

const TRIANGLE_LEN: usize = 12;

pub(super) fn read(
    file: &File<'_>,
    joints: &Joints,
    imported: &mut ImportedModel,
    report: &mut ImportReport,
) -> Result<(), ImportError> {
    let arrays = Arrays::read(file)?;
    let triangles = file.section(TRIANGLES, TRIANGLE_LEN)?;
    let mut reader = Reader {
        file,
        arrays: &arrays,
        joints,
        triangles,
        materials: HashMap::new(),
        shared_skin: None,
        imported,
        report,
    };
    for record in file.records(MESHES, 6)? {
        let Some((primitive, unweighted)) = reader.primitive(&record)? else { continue };
        let skinned = !primitive.influences.is_empty();
        let node = reader.push_mesh(&file.text(&record, 0)?, primitive);
        if skinned {
            let skin = reader.skin(unweighted.then_some(node), &record)?;
            if let Some(node) = reader.imported.nodes.last_mut() {
                node.skin = Some(skin);
            }
        }
    }
    Ok(())
}

struct Reader<'a> {
    file: &'a File<'a>,
    arrays: &'a Arrays<'a>,
    joints: &'a Joints,
    triangles: &'a [u8],
    materials: HashMap<String, MaterialIndex>,
    shared_skin: Option<SkinIndex>,
    imported: &'a mut ImportedModel,
    report: &'a mut ImportReport,
}

impl Reader<'_> {
    /// Returns a mesh's primitive, and whether it has vertices without weight; `None` if there is nothing to draw.
    fn primitive(&mut self, record: &Record<'_>) -> Result<Option<(Primitive, bool)>, ImportError> {
        let Some(positions) = self.arrays.positions else {
            self.report.warn_at(WarningKind::PrimitiveWithoutPositions, record.place(0), "");
            return Ok(None);
        };
        let mut indices = self.indices(record)?;
        let used = renumber(&mut indices);
        if used.is_empty() {
            return Ok(None);
        }
        let (influences, unweighted) = self.influences(&used, record)?;
        let material = self.material(record)?;
        let mut uv_sets = Vec::from_iter(self.arrays.uvs.map(|uvs| self.uvs(uvs, &used)));
        if uv_sets.is_empty() && self.is_textured(material) {
            self.report.warn_at(WarningKind::UvSetMissing, record.place(0), "");
            uv_sets.push(vec![Vec2::ZERO; used.len()]);
        }
        let positions = self.positions(positions, &used)?;
        let normals = match self.arrays.normals {
            Some(normals) => self.normals(normals, &used),
            None => normals::smooth(&positions, &indices),
        };
        let primitive = Primitive {
            topology: Topology::Triangles,
            positions,
            normals,
            tangents: Vec::new(),
            uv_sets,
            colors: self.arrays.colors.map(|colors| self.colors(colors, &used)).unwrap_or_default(),
            influences,
            indices,
            variants: Vec::new(),
            material: Some(material),
            morph_targets: Vec::new(),
        };
        Ok(Some((primitive, unweighted)))
    }

    /// Returns a mesh's indices into the file's vertices. Front faces are clockwise in the file and counter-clockwise
    /// in the model, so the winding is reversed.
    fn indices(&self, record: &Record<'_>) -> Result<Vec<u32>, ImportError> {
        let (first, count) = (record.index(4), record.index(5));
        if count == 0 {
            return Ok(Vec::new());
        }
        let at = |triangle: usize| triangle.saturating_mul(TRIANGLE_LEN);
        let Some(bytes) = self.triangles.get(at(first)..at(first.saturating_add(count))) else {
            return Err(ImportProblem::IndexOutOfRange.at(
                record.place(4),
                format!("{count} triangles from {first} on, of {}", self.triangles.len() / TRIANGLE_LEN),
            ));
        };
        // Meshes may share triangles, but each gets its own vertices.
        self.file.budget.charge(count as u64 * 3, self.bytes_per_vertex(), || record.place(4))?;
        let (words, _) = bytes.as_chunks::<4>();
        let mut indices = Vec::with_capacity(words.len());
        for corners in words.chunks_exact(3) {
            if let &[a, b, c] = corners {
                indices.extend([a, c, b].map(u32::from_le_bytes));
            }
        }
        let vertex_count = self.arrays.vertex_count;
        match indices.iter().find(|&&index| index as usize >= vertex_count) {
            None => Ok(indices),
            Some(index) => Err(ImportProblem::VertexIndexOutOfRange
                .at(record.place(4), format!("{index} of {vertex_count} vertices"))),
        }
    }

    /// Returns an upper estimate of a vertex's bytes, including its index and temporary data.
    fn bytes_per_vertex(&self) -> usize {
        let slots = self.arrays.joints.map_or(0, |joints| joints.size.next_multiple_of(4));
        2 * size_of::<u32>() + 2 * size_of::<Vec3>() + size_of::<Vec2>() + size_of::<Vec4>() + slots * 6
    }

    fn positions(&self, array: Array<'_>, used: &[u32]) -> Result<Vec<Vec3>, ImportError> {
        let position = |&vertex: &u32| {
            let position = DVec3::from_array(array.of_vertex(vertex)).as_vec3();
            match position.is_finite() {
                true => Ok(upright(position)),
                false => Err(ImportProblem::ValueNotFinite.at(array.place_of(vertex), position.to_string())),
            }
        };
        used.iter().map(position).collect()
    }

    fn normals(&mut self, array: Array<'_>, used: &[u32]) -> Vec<Vec3> {
        let numbers = self.repaired::<3>(array, used);
        let mut normals: Vec<Vec3> = numbers.into_iter().map(|normal| upright(normal.into())).collect();
        let odd = normals::normalise(&mut normals);
        if odd > 0 {
            self.report.warn_at(
                WarningKind::NormalsNotUnit,
                array.place(),
                &format!("{odd} of {}", used.len()),
            );
        }
        normals
    }

    fn uvs(&mut self, array: Array<'_>, used: &[u32]) -> Vec<Vec2> {
        self.repaired::<2>(array, used).into_iter().map(Vec2::from_array).collect()
    }

    /// Returns vertex colours in linear space. The file's are meant for the screen, sRGB like a texture's.
    fn colors(&mut self, array: Array<'_>, used: &[u32]) -> Vec<Vec4> {
        let opaque = array.size < 4;
        let color = |[red, green, blue, alpha]: [f32; 4]| {
            let [red, green, blue] = [red, green, blue].map(linear);
            Vec4::new(red, green, blue, if opaque { 1.0 } else { alpha.clamp(0.0, 1.0) })
        };
        self.repaired::<4>(array, used).into_iter().map(color).collect()
    }

    /// Returns numbers of each used vertex as `f32`, with 0 for infinity and NaN.
    fn repaired<const N: usize>(&mut self, array: Array<'_>, used: &[u32]) -> Vec<[f32; N]> {
        let mut odd = 0;
        let mut repair = |number: f64| {
            #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
            let single = number as f32;
            odd += usize::from(!single.is_finite());
            if single.is_finite() { single } else { 0.0 }
        };
        let repaired = used.iter().map(|&vertex| array.normalised::<N>(vertex).map(&mut repair)).collect();
        if odd > 0 {
            let about = format!("{odd} of {}", used.len() * N);
            self.report.warn_at(WarningKind::ValuesNotFinite, array.place(), &about);
        }
        repaired
    }

    fn influences(&mut self, used: &[u32], record: &Record<'_>) -> Result<(Influences, bool), ImportError> {
        let (joints, joint_weights) = match (self.arrays.joints, self.arrays.joint_weights) {
            (Some(joints), Some(joint_weights)) => (joints, joint_weights),
            (None, None) => return Ok(Default::default()),
            (Some(odd), None) | (None, Some(odd)) => {
                self.report.warn_at(WarningKind::JointsWithoutWeights, odd.place(), "");
                return Ok(Default::default());
            }
        };
        let joint_count = self.joints.nodes.len();
        if joint_count == 0 {
            self.report.warn_at(WarningKind::SkinMissing, record.place(0), "");
            return Ok(Default::default());
        }
        let mut merged = Merged::new(joints.size.min(joint_weights.size), used.len());
        // Index of the joint that `skin` adds for vertices without weight.
        let own_joint = u32::try_from(joint_count).unwrap_or(u32::MAX);
        let mut without = 0;
        let mut slots = Vec::new();
        for &vertex in used {
            let pairs = joints.numbers_of(vertex).zip(joint_weights.numbers_of(vertex));
            for (joint, weight) in pairs.filter(|(_, weight)| weight.is_finite() && *weight != 0.0) {
                let known = (0.0..joint_count as f64).contains(&joint);
                if !known && weight > 0.0 {
                    let found = format!("joint {joint} of {}", joint_count);
                    return Err(ImportProblem::JointIndexOutOfRange.at(joints.place_of(vertex), found));
                }
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the count")]
                let joint = if known { joint as u32 } else { 0 };
                slots.push(Slot { joint, joint_weight: weight / joint_weights.most() });
            }
            if slots.iter().all(|slot| slot.joint_weight <= 0.0) {
                without += 1;
                slots.clear();
                slots.push(Slot { joint: own_joint, joint_weight: 1.0 });
            }
            merged.push(&mut slots).map_err(|joint| {
                ImportProblem::JointIndexOutOfRange.at(joints.place_of(vertex), format!("joint {joint}"))
            })?;
            slots.clear();
        }
        for (kind, count) in
            [(WarningKind::JointWeightsNotNormalised, merged.odd), (WarningKind::VerticesUnweighted, without)]
        {
            if count > 0 {
                let about = format!("{count} of {}", used.len());
                self.report.warn_at(kind, joint_weights.place(), &about);
            }
        }
        Ok((merged.trimmed(), without > 0))
    }

    /// Returns the skin that meshes share, or a copy of it with `own_joint` added.
    fn skin(&mut self, own_joint: Option<NodeIndex>, record: &Record<'_>) -> Result<SkinIndex, ImportError> {
        if let (None, Some(shared)) = (own_joint, self.shared_skin) {
            return Ok(shared);
        }
        let bytes_each = size_of::<NodeIndex>() + size_of::<Affine3A>();
        self.file.budget.charge(self.joints.nodes.len() as u64, bytes_each, || record.place(0))?;
        let index = SkinIndex::new(self.imported.skins.len());
        let mut skin = self.joints.skin.clone();
        match own_joint {
            Some(node) => {
                skin.joints.push(node);
                skin.joint_from_mesh.push(Affine3A::IDENTITY);
            }
            None => self.shared_skin = Some(index),
        }
        self.imported.skins.push(skin);
        Ok(index)
    }

    /// Returns the material of that name. Its texture's file has the same name.
    fn material(&mut self, record: &Record<'_>) -> Result<MaterialIndex, ImportError> {
        let name = self.file.text(record, 1)?;
        if let Some(&material) = self.materials.get(&name) {
            return Ok(material);
        }
        let texture = (!name.is_empty()).then(|| {
            let image = self.imported.pictures.by_uri(&name);
            TextureSlot {
                texture: self.imported.pictures.texture(Texture {
                    image,
                    magnify: Default::default(),
                    minify: Default::default(),
                    mipmap: Some(Default::default()),
                    wrap_u: Wrap::Repeat,
                    wrap_v: Wrap::Repeat,
                }),
                uv_set: 0,
                transform: UvTransform::IDENTITY,
            }
        });
        let index = MaterialIndex::new(self.imported.materials.len());
        self.imported.materials.push(Material {
            name: name.clone(),
            base_color_texture: texture,
            metallic: 0.0,
            ..Material::default()
        });
        self.materials.insert(name, index);
        Ok(index)
    }

    fn is_textured(&self, material: MaterialIndex) -> bool {
        let material = self.imported.materials.get(material.get());
        material.is_some_and(|material| material.base_color_texture.is_some())
    }

    fn push_mesh(&mut self, name: &str, primitive: Primitive) -> NodeIndex {
        let mesh = MeshIndex::new(self.imported.meshes.len());
        let primitives = vec![primitive];
        self.imported.meshes.push(Mesh { name: name.to_owned(), primitives, morph_target_names: Vec::new() });
        let node = self.imported.push_node(name, self.joints.facing, &Affine3A::IDENTITY);
        if let Some(node) = self.imported.nodes.last_mut() {
            node.mesh = Some(mesh);
        }
        node
    }
}

/// Renumbers `indices` to count only the vertices in use, from 0. Returns these vertices in ascending order.
fn renumber(indices: &mut [u32]) -> Vec<u32> {
    let mut used = indices.to_vec();
    used.sort_unstable();
    used.dedup();
    for index in indices {
        // Every index is found, and there are no more than a `u32` can count.
        *index = used.binary_search(index).map_or(0, |at| u32::try_from(at).unwrap_or(0));
    }
    used
}
