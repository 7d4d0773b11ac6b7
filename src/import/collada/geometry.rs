//! `<geometry>`: corners with an index for each attribute become vertices, and triangles or lines.
use super::Reader;
use super::polygons::triangulate;
use super::sources::Floats;
use super::xml::Element;
use crate::import::report::WarningKind;
use crate::import::weld::Welder;
use crate::import::{ImportError, ImportProblem};
use crate::model::{Primitive, Topology};
use glam::{Vec2, Vec3, Vec4};
use std::rc::Rc;

// The number of sets that a material may refer to.
const MAX_UV_SETS: usize = 8;

/// A geometry as in the file, without materials, joints and morph targets.
pub(super) struct Geometry {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
    /// The positions that skins and morph targets index.
    pub(super) positions: Rc<Floats>,
}

/// One element such as `<triangles>` or `<polylist>`.
#[derive(Clone)]
pub(super) struct Part {
    /// The symbol to which the file's instances bind a material.
    pub(super) symbol: String,
    /// Has no influences, morph targets or material, and normals only if the file has them.
    pub(super) primitive: Primitive,
    /// Index of the position that each vertex was made from.
    pub(super) position_of_vertex: Vec<u32>,
    /// The file's number of each set of texture coordinates.
    pub(super) uv_set_numbers: Vec<usize>,
    pub(super) place: String,
}

/// Reads a geometry; `None` if it has nothing to draw.
pub(super) fn read(reader: &mut Reader<'_>, geometry: Element<'_>) -> Result<Option<Geometry>, ImportError> {
    let Some(mesh) = geometry.child("mesh") else {
        reader.warn(WarningKind::ElementIgnored, geometry, "a geometry that isn't a mesh");
        return Ok(None);
    };
    let vertices = mesh.expect("vertices")?;
    let position =
        vertices.children_named("input").find(|input| input.attribute("semantic") == Some("POSITION"));
    let Some(position) = position else {
        reader.warn(WarningKind::PrimitiveWithoutPositions, vertices, "");
        return Ok(None);
    };
    let positions = reader.sources.floats(position.target("source")?)?;
    let mut parts = Vec::new();
    for element in mesh.children() {
        let Some(shape) = Shape::of(element.tag()) else { continue };
        let place = element.place();
        let inputs = Inputs::read(reader, element, vertices)?;
        let mut corners = Corners::new(&inputs, element);
        read_corners(&mut corners, shape, element)?;
        if corners.incomplete {
            reader.warn(WarningKind::PrimitiveIncomplete, element, "");
        }
        if corners.indices.is_empty() {
            continue;
        }
        // Memory of the vertices, in addition to that of their indices.
        let bytes_each = inputs.bytes_per_vertex();
        reader.budget.charge(corners.welder.corners().len() as u64, bytes_each, || place.clone())?;
        let topology = if shape.is_line() { Topology::Lines } else { Topology::Triangles };
        let (primitive, position_of_vertex, repaired) = corners.into_primitive(topology)?;
        if repaired > 0 {
            reader.warn(WarningKind::ValuesNotFinite, element, "");
        }
        parts.push(Part {
            symbol: element.attribute("material").unwrap_or_default().to_owned(),
            primitive,
            position_of_vertex,
            uv_set_numbers: inputs.uvs.iter().map(|(number, _)| *number).collect(),
            place,
        });
    }
    let name = geometry.label().to_owned();
    Ok(Some(Geometry { name, parts, positions }).filter(|geometry| !geometry.parts.is_empty()))
}

/// How corners form triangles or lines.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Triangles,
    Strips,
    Fans,
    /// Polygons whose corner counts are in `<vcount>`.
    Polylist,
    /// A polygon in each `<p>`.
    Polygons,
    Lines,
    LineStrips,
}

impl Shape {
    fn of(tag: &str) -> Option<Self> {
        Some(match tag {
            "triangles" => Self::Triangles,
            "tristrips" => Self::Strips,
            "trifans" => Self::Fans,
            "polylist" => Self::Polylist,
            "polygons" => Self::Polygons,
            "lines" => Self::Lines,
            "linestrips" => Self::LineStrips,
            _ => return None,
        })
    }

    fn is_line(self) -> bool {
        matches!(self, Self::Lines | Self::LineStrips)
    }
}

/// The source of each attribute, and the index of a corner that applies to it.
struct Inputs {
    /// Indices per corner.
    stride: usize,
    position: Input,
    normal: Option<Input>,
    color: Option<Input>,
    uvs: Vec<(usize, Input)>,
    /// The distinct offsets in use.
    offsets: Vec<usize>,
}

#[derive(Clone)]
struct Input {
    source: Rc<Floats>,
    /// Index into `Inputs::offsets`.
    at: usize,
}

impl Inputs {
    fn read(reader: &Reader<'_>, element: Element<'_>, vertices: Element<'_>) -> Result<Self, ImportError> {
        let mut found = Vec::new();
        let mut stride = 0;
        for input in element.children_named("input") {
            let offset = input.count("offset")?.unwrap_or(0);
            stride = stride.max(offset.saturating_add(1));
            let set = input.count("set")?.unwrap_or(0);
            match input.attribute("semantic") {
                Some("VERTEX") => {
                    let of_vertex = vertices.children_named("input");
                    found.extend(of_vertex.map(|input| (input, offset, 0)));
                }
                _ => found.push((input, offset, set)),
            }
        }
        // Many elements may share vertices that have many inputs.
        reader.budget.charge(found.len() as u64, 64, || element.place())?;
        let mut offsets = Vec::new();
        let (mut position, mut normal, mut color, mut uvs) = (None, None, None, Vec::new());
        for (input, offset, set) in found {
            let semantic = input.attribute("semantic").unwrap_or_default();
            let is_free = match semantic {
                "POSITION" => position.is_none(),
                "NORMAL" => normal.is_none(),
                "COLOR" => color.is_none(),
                "TEXCOORD" => {
                    uvs.len() < MAX_UV_SETS && !uvs.iter().any(|(number, _): &(usize, Input)| *number == set)
                }
                _ => false,
            };
            if !is_free {
                continue;
            }
            let at = offsets.iter().position(|other| *other == offset).unwrap_or(offsets.len());
            if at == offsets.len() {
                offsets.push(offset);
            }
            let read = Input { source: reader.sources.floats(input.target("source")?)?, at };
            match semantic {
                "POSITION" => position = Some(read),
                "NORMAL" => normal = Some(read),
                "COLOR" => color = Some(read),
                _ => uvs.push((set, read)),
            }
        }
        let position = position.ok_or_else(|| element.missing("input semantic=\"VERTEX\""))?;
        Ok(Self { stride, position, normal, color, uvs, offsets })
    }

    fn all(&self) -> impl Iterator<Item = &Input> {
        let uvs = self.uvs.iter().map(|(_, input)| input);
        [Some(&self.position), self.normal.as_ref(), self.color.as_ref()].into_iter().flatten().chain(uvs)
    }

    fn bytes_per_vertex(&self) -> usize {
        let normal = if self.normal.is_some() { size_of::<Vec3>() } else { 0 };
        let color = if self.color.is_some() { size_of::<Vec4>() } else { 0 };
        size_of::<Vec3>() + normal + color + self.uvs.len() * size_of::<Vec2>()
    }
}

/// Adds the corners of an element.
fn read_corners(corners: &mut Corners<'_>, shape: Shape, element: Element<'_>) -> Result<(), ImportError> {
    if let Some(polygon) = element.child("ph") {
        let found = "<ph>".into();
        return Err(ImportProblem::PolygonWithHoles.at(polygon.place(), found));
    }
    let stride = corners.inputs.stride;
    if shape == Shape::Polylist {
        let indices = element.child("p").map_or(Ok(Vec::new()), Element::indices)?;
        let mut rest = indices.as_slice();
        for count in element.expect("vcount")?.indices()? {
            let length = (count as usize).saturating_mul(stride);
            let Some((run, after)) = rest.split_at_checked(length) else {
                let found = format!("{} of {length} indices left for a polygon", rest.len());
                return Err(ImportProblem::CountWrong.at(element.place(), found));
            };
            corners.run(shape, run)?;
            rest = after;
        }
        corners.incomplete |= !rest.is_empty();
        return Ok(());
    }
    for run in element.children_named("p") {
        let indices = run.indices()?;
        corners.incomplete |= !indices.len().is_multiple_of(stride);
        corners.run(shape, &indices)?;
    }
    Ok(())
}

/// Vertices under construction, and the triangles or lines made of them.
struct Corners<'a> {
    inputs: &'a Inputs,
    element: Element<'a>,
    welder: Welder,
    indices: Vec<u32>,
    /// Whether some corners complete no triangle or line.
    incomplete: bool,
}

impl<'a> Corners<'a> {
    fn new(inputs: &'a Inputs, element: Element<'a>) -> Self {
        let welder = Welder::new(inputs.offsets.len());
        Self { inputs, element, welder, indices: Vec::new(), incomplete: false }
    }

    fn run(&mut self, shape: Shape, run: &[u32]) -> Result<(), ImportError> {
        let mut corners = Vec::with_capacity(run.len() / self.inputs.stride);
        let mut key = Vec::with_capacity(self.inputs.offsets.len());
        for corner in run.chunks_exact(self.inputs.stride) {
            key.clear();
            key.extend(self.inputs.offsets.iter().filter_map(|&offset| corner.get(offset).copied()));
            self.expect_known(&key)?;
            corners.push((self.welder.vertex(&key), key.get(self.inputs.position.at).copied().unwrap_or(0)));
        }
        let vertices =
            |corners: &[(u32, u32)]| corners.iter().map(|(vertex, _)| *vertex).collect::<Vec<u32>>();
        let (least, arity) = if shape.is_line() { (2, 2) } else { (3, 3) };
        self.incomplete |= corners.len() < least && !corners.is_empty();
        match shape {
            Shape::Triangles | Shape::Lines => {
                let whole = corners.len() - corners.len() % arity;
                self.incomplete |= whole < corners.len();
                self.indices.extend(vertices(corners.get(..whole).unwrap_or_default()));
            }
            Shape::LineStrips => corners.windows(2).for_each(|line| self.indices.extend(vertices(line))),
            Shape::Strips => {
                for (at, triangle) in vertices(&corners).windows(3).enumerate() {
                    // Every second triangle of a strip has the opposite winding.
                    if let (&[a, b, c], true) | (&[a, c, b], false) = (triangle, at % 2 == 0)
                        && a != b
                        && b != c
                        && c != a
                    {
                        self.indices.extend([a, b, c]);
                    }
                }
            }
            Shape::Fans => {
                let vertices = vertices(&corners);
                let center = vertices.first().copied().unwrap_or(0);
                for pair in vertices.get(1..).unwrap_or_default().windows(2) {
                    self.indices.push(center);
                    self.indices.extend(pair);
                }
            }
            Shape::Polylist | Shape::Polygons => {
                let positions: Vec<Vec3> =
                    corners.iter().map(|(_, position)| self.position(*position)).collect();
                for triangle in triangulate(&positions) {
                    let corner = |at: usize| corners.get(at).map_or(0, |(vertex, _)| *vertex);
                    self.indices.extend(triangle.map(corner));
                }
            }
        }
        Ok(())
    }

    fn position(&self, index: u32) -> Vec3 {
        Vec3::from_array(self.inputs.position.source.singles(index as usize))
    }

    fn expect_known(&self, key: &[u32]) -> Result<(), ImportError> {
        for input in self.inputs.all() {
            let (index, count) = (key.get(input.at).copied().unwrap_or(u32::MAX), input.source.count());
            if index as usize >= count {
                let found = format!("{index} of {count}");
                return Err(ImportProblem::IndexOutOfRange.at(self.element.place(), found));
            }
        }
        Ok(())
    }

    /// Returns the primitive, each vertex's position index, and the number of non-finite values that were set to 0.
    fn into_primitive(self, topology: Topology) -> Result<(Primitive, Vec<u32>, usize), ImportError> {
        let Inputs { position, normal, color, uvs, .. } = self.inputs;
        let of = |input: &Input| -> Vec<u32> {
            self.welder.corners().map(|key| key.get(input.at).copied().unwrap_or(0)).collect()
        };
        let position_of_vertex = of(position);
        let positions: Vec<Vec3> = position_of_vertex.iter().map(|&index| self.position(index)).collect();
        if positions.iter().any(|position| !position.is_finite()) {
            let found = "a position".into();
            return Err(ImportProblem::ValueNotFinite.at(position.source.place().to_owned(), found));
        }
        let mut repaired = 0;
        let mut singles = |input: &Input, index: u32| -> [f32; 4] {
            let mut numbers: [f32; 4] = input.source.singles(index as usize);
            if input.source.width() < 4 {
                numbers[3] = 1.0;
            }
            for number in numbers.iter_mut().filter(|number| !number.is_finite()) {
                *number = 0.0;
                repaired += 1;
            }
            numbers
        };
        let mut vectors = |input: &Input| -> Vec<Vec4> {
            of(input).into_iter().map(|index| Vec4::from_array(singles(input, index))).collect()
        };
        let normals = normal.as_ref().map_or(Vec::new(), &mut vectors);
        let mut normals: Vec<Vec3> = normals.into_iter().map(Vec4::truncate).collect();
        crate::import::normals::normalise(&mut normals);
        let colors = color.as_ref().map_or(Vec::new(), &mut vectors);
        // Texture coordinates begin at an image's lower left corner here, and at its upper left one in the model.
        let flipped = |uv: &Vec4| Vec2::new(uv.x, 1.0 - uv.y);
        let uv_sets = uvs.iter().map(|(_, input)| vectors(input).iter().map(flipped).collect()).collect();
        let primitive = Primitive {
            topology,
            positions,
            normals,
            uv_sets,
            colors: colors.into_iter().map(super::effects::linear).collect(),
            indices: self.indices,
            ..Default::default()
        };
        Ok((primitive, position_of_vertex, repaired))
    }
}
