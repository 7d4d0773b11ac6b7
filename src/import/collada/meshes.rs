//! Converts instances of geometries and controllers to meshes and skins on nodes.
use super::Reader;
use super::cameras;
use super::geometry::{self, Geometry, Part};
use super::materials::{Bindings, Materials};
use super::morphs::{self, Morph};
use super::nodes::Hierarchy;
use super::skins::{self, Binding};
use super::xml::{Element, Id};
use crate::import::normals::flatten;
use crate::import::report::WarningKind;
use crate::import::vertices::bytes_per_vertex;
use crate::import::weld::{WELD_BYTES, weld};
use crate::import::{ImportError, ImportProblem};
use crate::model::{MaterialIndex, Mesh, MeshIndex, MorphTarget, NodeIndex, Primitive, Topology};
use glam::{Affine3A, Vec2, Vec3};
use std::collections::HashMap;
use std::rc::Rc;

/// Limit to nested controllers. In practice there are two: a skin over a morph.
pub(super) const MOST_CONTROLLERS: usize = 8;

/// A node that has the targets of a morph controller.
#[derive(Clone, Copy)]
pub(super) struct Morphed {
    pub(super) node: NodeIndex,
    /// Index of the controller's first target in the mesh, which may have several controllers.
    pub(super) first: usize,
}

/// Nodes by the element of the morph controller.
pub(super) type MorphedNodes = HashMap<Id, Vec<Morphed>>;

pub(super) fn place<'a>(
    reader: &mut Reader<'a>,
    hierarchy: &Hierarchy<'a>,
) -> Result<MorphedNodes, ImportError> {
    let mut placed = Placed::default();
    for &(node, instance) in &hierarchy.instances {
        if instance.tag() == "instance_camera" {
            cameras::place(reader, node, instance)?;
        } else {
            placed.instance(reader, hierarchy, node, instance)?;
        }
    }
    Ok(placed.morphed)
}

/// Cache of everything that is read once, by element.
#[derive(Default)]
struct Placed<'a> {
    geometries: HashMap<Id, Option<Rc<Geometry>>>,
    bindings: HashMap<Id, Rc<Binding<'a>>>,
    morphs: HashMap<Id, Rc<Morph<'a>>>,
    meshes: HashMap<Key, BuiltMesh>,
    materials: Materials,
    morphed: MorphedNodes,
}

/// Identifies a mesh that instances share: the element that they instance, and their materials.
type Key = (Id, Vec<Option<MaterialIndex>>);

#[derive(Clone, Copy)]
struct BuiltMesh {
    mesh: MeshIndex,
    /// Whether some vertices are weighted to the node that has the mesh.
    carried: bool,
}

/// A geometry and the controllers that an instance applies to it.
struct Chain<'a> {
    geometry: Rc<Geometry>,
    skin: Option<Rc<Binding<'a>>>,
    morphs: Vec<Rc<Morph<'a>>>,
}

impl<'a> Placed<'a> {
    fn instance(
        &mut self,
        reader: &mut Reader<'a>,
        hierarchy: &Hierarchy<'a>,
        node: NodeIndex,
        instance: Element<'a>,
    ) -> Result<(), ImportError> {
        // In a file without a scene, the geometry itself is attached to the node.
        let target = if instance.tag() == "geometry" { Ok(instance) } else { instance.target("url") };
        let Ok(target) = target else {
            reader.warn_of_reference(instance);
            return Ok(());
        };
        let Some(chain) = self.chain(reader, target)? else { return Ok(()) };
        let bindings = Bindings::of(instance);
        let parts = chain.geometry.parts.iter();
        let materials: Vec<_> = parts.map(|part| self.materials.of_part(reader, &bindings, part)).collect();
        let name_bytes = chain.geometry.name.len();
        reader.budget.charge(materials.len() as u64 + 1, 32 + name_bytes, || instance.place())?;
        let key = (target.id(), materials);
        let made = match self.meshes.get(&key) {
            Some(made) => *made,
            None => {
                let made = self.mesh(reader, &chain, &key.1)?;
                self.meshes.insert(key, made);
                made
            }
        };

        let skin = match &chain.skin {
            Some(binding) => Some(binding.place(reader, hierarchy, node, instance, made.carried)?),
            None => None,
        };
        let carrier = free_node(reader, node, &chain.geometry.name);
        let mut rest_morph_weights = Vec::new();
        for morph in &chain.morphs {
            let placed = Morphed { node: carrier, first: rest_morph_weights.len() };
            self.morphed.entry(morph.element.id()).or_default().push(placed);
            rest_morph_weights.extend(&morph.rest_weights);
        }
        reader.budget.charge(rest_morph_weights.len() as u64, size_of::<f32>(), || instance.place())?;
        if let Some(carrier) = reader.imported.nodes.get_mut(carrier.get()) {
            carrier.mesh = Some(made.mesh);
            carrier.skin = skin;
            carrier.rest_morph_weights = rest_morph_weights;
        }
        Ok(())
    }

    /// Follows controllers to their geometry. A morph over a skin is treated as a skin over a morph, since the
    /// targets are shapes of the geometry either way.
    fn chain(
        &mut self,
        reader: &mut Reader<'a>,
        target: Element<'a>,
    ) -> Result<Option<Chain<'a>>, ImportError> {
        let Some((controllers, geometry)) = below(reader, target)? else { return Ok(None) };
        let Some(geometry) = self.geometry(reader, geometry)? else { return Ok(None) };
        let (mut skin, mut morphs) = (None, Vec::new());
        for controller in controllers {
            match controller.tag() {
                "skin" if skin.is_none() => {
                    let read = || Ok(Rc::new(skins::read(reader, controller)?));
                    skin = Some(once(&mut self.bindings, controller.id(), read)?);
                }
                "skin" => reader.warn(WarningKind::ElementIgnored, controller, "a skin over another skin"),
                _ => {
                    let read = || Ok(Rc::new(morphs::read(reader, controller)?));
                    morphs.push(once(&mut self.morphs, controller.id(), read)?);
                }
            }
        }
        Ok(Some(Chain { geometry, skin, morphs }))
    }

    fn geometry(
        &mut self,
        reader: &mut Reader<'a>,
        element: Element<'a>,
    ) -> Result<Option<Rc<Geometry>>, ImportError> {
        once(&mut self.geometries, element.id(), || Ok(geometry::read(reader, element)?.map(Rc::new)))
    }

    fn mesh(
        &mut self,
        reader: &mut Reader<'a>,
        chain: &Chain<'a>,
        materials: &[Option<MaterialIndex>],
    ) -> Result<BuiltMesh, ImportError> {
        let mut targets = Vec::new();
        for morph in &chain.morphs {
            for &target in &morph.targets {
                let geometry = match morph.geometry(reader, target)? {
                    Some(element) => self.geometry(reader, element)?,
                    None => None,
                };
                targets.push((morph, target, geometry));
            }
        }
        let name_bytes =
            targets.iter().map(|(_, target, _)| target.label().len() + size_of::<String>()).sum();
        let place = || chain.morphs.first().map_or(String::new(), |morph| morph.element.place());
        reader.budget.charge(1, name_bytes, place)?;
        let mut mesh = Mesh {
            name: chain.geometry.name.clone(),
            morph_target_names: targets.iter().map(|(_, target, _)| target.label().to_owned()).collect(),
            primitives: Vec::new(),
        };
        let mut carried = false;
        for (at, (part, material)) in chain.geometry.parts.iter().zip(materials).enumerate() {
            charge_copy(reader, part)?;
            let mut primitive = Primitive { material: *material, ..part.primitive.clone() };
            if let Some(binding) = &chain.skin {
                let (influences, some_carried) = binding.influences(reader, &part.position_of_vertex)?;
                primitive.influences = influences;
                carried |= some_carried;
            }
            for (morph, _, geometry) in &targets {
                let target = match geometry {
                    Some(geometry) => morph.target(reader, (&chain.geometry, geometry), (part, at))?,
                    None => MorphTarget::default(),
                };
                primitive.morph_targets.push(target);
            }
            finish(reader, part, &mut primitive)?;
            let (count, bytes_each) = (primitive.positions.len(), bytes_per_vertex(&primitive));
            reader.budget.charge(count as u64, WELD_BYTES + bytes_each, || part.place.clone())?;
            weld(&mut primitive);
            mesh.primitives.push(primitive);
        }
        reader.imported.meshes.push(mesh);
        Ok(BuiltMesh { mesh: MeshIndex::new(reader.imported.meshes.len() - 1), carried })
    }
}

/// Returns the controllers over a geometry, outermost first, and the geometry.
///
/// `None` if they lead to no geometry: files that hold only a skeleton keep the controller of the missing mesh.
fn below<'a>(
    reader: &mut Reader<'a>,
    target: Element<'a>,
) -> Result<Option<(Vec<Element<'a>>, Element<'a>)>, ImportError> {
    let mut controllers = Vec::new();
    let mut element = target;
    while element.tag() != "geometry" {
        let inner = element.children().find(|child| ["skin", "morph"].contains(&child.tag()));
        let Some(inner) = inner.filter(|_| element.tag() == "controller") else {
            reader.warn_of_reference(target);
            return Ok(None);
        };
        if controllers.len() == MOST_CONTROLLERS {
            let found = "controllers over controllers".into();
            return Err(ImportProblem::NestedTooDeeply.at(target.place(), found));
        }
        controllers.push(inner);
        let Ok(source) = inner.target("source") else {
            reader.warn_of_reference(inner);
            return Ok(None);
        };
        element = source;
    }
    Ok(Some((controllers, element)))
}

/// Returns the value that was read before, or else reads it.
fn once<T: Clone>(
    known: &mut HashMap<Id, T>,
    id: Id,
    read: impl FnOnce() -> Result<T, ImportError>,
) -> Result<T, ImportError> {
    if let Some(found) = known.get(&id) {
        return Ok(found.clone());
    }
    let found = read()?;
    known.insert(id, found.clone());
    Ok(found)
}

/// Returns the node itself, or a new child if the node has a mesh already.
fn free_node(reader: &mut Reader<'_>, node: NodeIndex, name: &str) -> NodeIndex {
    match reader.imported.nodes.get(node.get()) {
        Some(occupied) if occupied.mesh.is_some() => {
            reader.imported.push_node(name, Some(node), &Affine3A::IDENTITY)
        }
        _ => node,
    }
}

/// Adds flat normals if the file has none, and zeros for coordinates that the material needs and the file lacks.
fn finish(reader: &mut Reader<'_>, part: &Part, primitive: &mut Primitive) -> Result<(), ImportError> {
    if primitive.normals.is_empty() && primitive.topology == Topology::Triangles {
        let bytes_each =
            bytes_per_vertex(primitive) + size_of::<Vec3>() * (1 + primitive.morph_targets.len());
        reader.budget.charge(primitive.indices.len() as u64, bytes_each, || part.place.clone())?;
        flatten(primitive);
    }
    let material = primitive.material.and_then(|material| reader.imported.materials.get(material.get()));
    let is_textured = material
        .is_some_and(|material| material.base_color_texture.is_some() || material.emissive_texture.is_some());
    if is_textured && primitive.uv_sets.is_empty() {
        reader.report.warn_at(WarningKind::UvSetMissing, &part.place, "");
        let count = primitive.positions.len();
        reader.budget.charge(count as u64, size_of::<Vec2>(), || part.place.clone())?;
        primitive.uv_sets.push(vec![Vec2::ZERO; count]);
    }
    Ok(())
}

fn charge_copy(reader: &Reader<'_>, part: &Part) -> Result<(), ImportError> {
    let vertices = part.primitive.positions.len() * bytes_per_vertex(&part.primitive);
    let indices = part.primitive.indices.len() * size_of::<u32>();
    reader.budget.charge((vertices + indices) as u64, 1, || part.place.clone())
}
