//! One model with everything that glTF has words for, as an importer would leave it.
use crate::support::made_model::{clip, moved, node, track};
use gambol::model::{
    AlphaMode, Camera, CameraIndex, Filter, Image, ImageIndex, ImageSource, Influences, Interpolation, Light,
    LightIndex, LightKind, Material, MaterialIndex, Mesh, MeshIndex, Metadata, Model, MorphTarget, Node,
    NodeIndex, Primitive, Projection, Scene, Skin, SkinIndex, Springs, Srt, Texture, TextureIndex,
    TextureSlot, Topology, TrackValues, UvTransform, VariantIndex, Wrap,
};
use gambol::picture::{Picture, to_png};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

pub(crate) fn model() -> Model {
    let mut nodes: Vec<Node> = [
        (None, Srt::IDENTITY),
        (Some(0), moved(Vec3::new(0.1, -2.5, 1e-7))),
        (
            Some(1),
            Srt {
                scale: Vec3::new(-1.0, 2.0, 0.5),
                rotation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                ..Srt::IDENTITY
            },
        ),
        (Some(0), Srt::IDENTITY),
        (None, Srt::IDENTITY),
        (None, moved(Vec3::X)),
        (Some(5), moved(Vec3::Z)),
    ]
    .into_iter()
    .enumerate()
    .map(|(index, (parent, rest))| node(parent, rest, index))
    .collect();
    nodes[0].name = "Zoë \"the\u{1} fox\" \\ 🦊".to_owned();
    nodes[0].extras = Some(r#"{"a":[1.50,"ü"]}"#.to_owned());
    nodes[1].camera = Some(CameraIndex::new(0));
    nodes[3].camera = Some(CameraIndex::new(1));
    nodes[2].visible = false;
    nodes[5].light = Some(LightIndex::new(2));
    nodes[3].mesh = Some(MeshIndex::new(0));
    nodes[3].rest_morph_weights = vec![0.0, 0.25, 0.0];
    nodes[4].mesh = Some(MeshIndex::new(1));
    nodes[4].skin = Some(SkinIndex::new(0));
    for hidden in [5, 6] {
        nodes[hidden].in_scene = false;
    }
    let scene = |name: &str, roots: &[usize]| Scene {
        name: name.to_owned(),
        roots: roots.iter().copied().map(NodeIndex::new).collect(),
    };
    let joint_from_mesh = (0..3).map(|joint| Affine3A::from_translation(Vec3::X * joint as f32)).collect();
    Model {
        node_from_source: (0..nodes.len()).map(NodeIndex::new).collect(),
        nodes,
        clips: clips(),
        properties: Vec::new(),
        skins: vec![Skin {
            name: "skin".to_owned(),
            joints: [2, 0, 1].map(NodeIndex::new).to_vec(),
            joint_from_mesh,
            skeleton_root: Some(NodeIndex::new(0)),
        }],
        meshes: vec![morphing(), skinned()],
        materials: materials(),
        variants: vec!["red".to_owned(), "worn \"out\"".to_owned()],
        textures: textures(),
        images: images(),
        cameras: cameras(),
        lights: lights(),
        springs: Springs::default(),
        humanoid: Vec::new(),
        metadata: Metadata {
            extras: Some(r#"{"of": "the file"}"#.to_owned()),
            xmp_packets: Some(r#"[{"dc:title":"a"},{}]"#.to_owned()),
            xmp_packet: Some(1),
        },
        scenes: vec![scene("other", &[5]), scene("main", &[0, 4])],
        default_scene: Some(1),
    }
}

/// A picture that only old programs read, and one that no one has.
pub(crate) fn add_images_beside(model: &mut Model) {
    for (uri, mime_type) in [("C:\\art\\50% \"grey\".tga", None), ("a b.webp", Some("image/webp"))] {
        let source = ImageSource::Uri(uri.to_owned());
        let image = ImageIndex::new(model.images.len());
        model.images.push(Image { name: uri.to_owned(), mime_type: mime_type.map(str::to_owned), source });
        model.textures.push(plain(image));
    }
}

fn clips() -> Vec<gambol::model::Clip> {
    let times = [0.0, 0.1, 1.0 / 3.0];
    let vectors = |count: usize| (0..count).map(|at| Vec3::new(at as f32, 0.1, -1e-9)).collect::<Vec<_>>();
    let turns = |count: usize| {
        [Quat::IDENTITY, Quat::from_xyzw(0.6, 0.0, 0.0, -0.8)].into_iter().cycle().take(count).collect()
    };
    vec![
        clip(
            "straight",
            vec![
                track(0, Interpolation::Linear, &times, TrackValues::Translation(vectors(3))),
                track(0, Interpolation::Linear, &times, TrackValues::Rotation(turns(3))),
                track(1, Interpolation::Step, &[0.5], TrackValues::Scale(vectors(1))),
                track(3, Interpolation::Linear, &times, TrackValues::MorphWeights(vec![0.5; 9])),
            ],
        ),
        clip(
            "round",
            vec![
                track(2, Interpolation::CubicSpline, &times, TrackValues::Translation(vectors(9))),
                track(2, Interpolation::CubicSpline, &times, TrackValues::Rotation(turns(9))),
                track(2, Interpolation::CubicSpline, &times[1..], TrackValues::Scale(vectors(6))),
                track(3, Interpolation::CubicSpline, &times, TrackValues::MorphWeights(vec![0.25; 27])),
            ],
        ),
        clip("straight", vec![track(6, Interpolation::Linear, &[0.0], TrackValues::Scale(vectors(1)))]),
    ]
}

fn square() -> Primitive {
    Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

/// Three targets of three kinds: some vertices, all of them, none of them.
fn morphing() -> Mesh {
    let positions = |moved: usize| {
        let target = |at| if at < moved { Vec3::new(0.1, at as f32, 0.0) } else { Vec3::ZERO };
        (0..64).map(target).collect::<Vec<_>>()
    };
    let targets =
        [1, 64, 0].map(|moved| MorphTarget { positions: positions(moved), ..MorphTarget::default() });
    let lines = Primitive {
        topology: Topology::Lines,
        positions: (0..64).map(|at| Vec3::new(at as f32, 0.5, -3.0)).collect(),
        indices: (0..64).chain([0, 2]).collect(),
        morph_targets: targets.to_vec(),
        material: Some(MaterialIndex::new(1)),
        ..Primitive::default()
    };
    let mut lit = Primitive { morph_targets: targets.to_vec(), ..lines.clone() };
    lit.topology = Topology::Triangles;
    lit.material = None;
    lit.normals = vec![Vec3::Y; 64];
    lit.morph_targets[1].normals = vec![Vec3::X; 64];
    lit.colors = vec![Vec4::new(0.1, 0.2, 0.3, 1.0); 64];
    let names = ["Smile", "", "\"Blink\""].map(str::to_owned).to_vec();
    Mesh { name: "morphing".to_owned(), primitives: vec![lines, lit], morph_target_names: names }
}

fn skinned() -> Mesh {
    let eight = [0.25, 0.25, 0.25, 0.125, 0.125, 0.0, 0.0, 0.0];
    let uvs = |set: f32| (0..4).map(|at| Vec2::new(at as f32 * 0.1, set)).collect::<Vec<_>>();
    let mut rich = Primitive {
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 4],
        uv_sets: vec![uvs(0.0), uvs(1.0)],
        colors: (0..4).map(|at| Vec4::new(0.1, 0.9, 0.5, at as f32 * 0.25)).collect(),
        material: Some(MaterialIndex::new(0)),
        variants: [(1, 2), (0, 1)]
            .map(|(variant, material)| (VariantIndex::new(variant), MaterialIndex::new(material)))
            .to_vec(),
        ..square()
    };
    // Only three joints are there: the same vertex can't name eight, so all but one have one.
    rich.influences = Influences {
        per_vertex: 4,
        joints: [[2, 0, 1, 0]; 4].concat(),
        joint_weights: [[0.5, 0.25, 0.25, 0.0]; 4].concat(),
    };
    let points = Primitive {
        topology: Topology::Points,
        positions: vec![Vec3::Y, Vec3::Z],
        indices: vec![0, 1],
        influences: Influences {
            per_vertex: 4,
            joints: vec![1, 0, 0, 0, 2, 0, 0, 0],
            joint_weights: [[1.0, 0.0, 0.0, 0.0]; 2].concat(),
        },
        ..Primitive::default()
    };
    assert_eq!(eight.iter().sum::<f32>(), 1.0);
    Mesh { name: String::new(), primitives: vec![rich, points], morph_target_names: Vec::new() }
}

fn materials() -> Vec<Material> {
    let slot = |texture, uv_set| {
        Some(TextureSlot { texture: TextureIndex::new(texture), uv_set, transform: UvTransform::IDENTITY })
    };
    let mut turned = slot(1, 1);
    turned.as_mut().unwrap().transform =
        UvTransform { offset: Vec2::new(0.1, 0.0), rotation: 0.7, scale: Vec2::new(2.0, -1.0) };
    let rich = Material {
        name: "rich".to_owned(),
        base_color: Vec4::new(0.1, 0.2, 0.3, 0.4),
        base_color_texture: slot(0, 0),
        metallic: 0.3,
        roughness: 0.0,
        metallic_roughness_texture: turned,
        normal_texture: slot(2, 1),
        normal_scale: -0.7,
        occlusion_texture: slot(3, 0),
        occlusion_strength: 0.3,
        emissive: Vec3::new(7.3, 0.1, 0.0),
        emissive_texture: slot(0, 1),
        clearcoat: 0.9,
        clearcoat_texture: slot(3, 1),
        clearcoat_roughness: 0.2,
        clearcoat_roughness_texture: turned,
        clearcoat_normal_texture: slot(2, 1),
        clearcoat_normal_scale: 0.4,
        specular: 0.4,
        specular_texture: slot(3, 0),
        specular_color: Vec3::new(0.5, 2.0, 0.0),
        specular_color_texture: turned,
        ior: 1.7,
        sheen_color: Vec3::new(0.2, 0.7, 0.1),
        sheen_color_texture: slot(0, 1),
        sheen_roughness: 0.6,
        sheen_roughness_texture: turned,
        specular_glossiness_color: Vec3::new(0.1, 0.9, 0.4),
        specular_glossiness_texture: slot(0, 0),
        glossiness: 0.3,
        iridescence: 0.8,
        iridescence_texture: slot(1, 0),
        iridescence_ior: 1.9,
        iridescence_thickness_minimum: 20.0,
        iridescence_thickness_maximum: 900.0,
        iridescence_thickness_texture: turned,
        anisotropy: 0.3,
        anisotropy_rotation: -2.0,
        anisotropy_texture: turned,
        diffuse_transmission: 0.7,
        diffuse_transmission_texture: slot(1, 1),
        diffuse_transmission_color: Vec3::new(0.5, 0.2, 0.0),
        diffuse_transmission_color_texture: turned,
        transmission: 0.7,
        transmission_texture: slot(1, 1),
        thickness: 1.5,
        thickness_texture: turned,
        attenuation_color: Vec3::new(0.5, 0.2, 0.0),
        attenuation_distance: 0.3,
        dispersion: 2.0,
        alpha: AlphaMode::Mask { cutoff: 0.3 },
        double_sided: true,
        unlit: false,
        specular_glossiness: true,
    };
    let plain = Material {
        emissive: Vec3::new(0.3, 1.0, 0.0),
        alpha: AlphaMode::Blend,
        unlit: true,
        ..Material::default()
    };
    vec![rich, plain, Material { alpha: AlphaMode::Mask { cutoff: 0.5 }, ..Material::default() }]
}

fn plain(image: ImageIndex) -> Texture {
    let linear = Filter::Linear;
    Texture {
        image,
        magnify: linear,
        minify: linear,
        mipmap: Some(linear),
        wrap_u: Wrap::Repeat,
        wrap_v: Wrap::Repeat,
    }
}

/// Each filter, each way to wrap, and a texture that is like another one but for its image.
fn textures() -> Vec<Texture> {
    let [png, webp] = [0, 1].map(ImageIndex::new);
    let mut textures = vec![plain(png), plain(webp)];
    for minify in [Filter::Nearest, Filter::Linear] {
        for mipmap in [None, Some(Filter::Nearest), Some(Filter::Linear)] {
            textures.push(Texture { minify, mipmap, wrap_v: Wrap::ClampToEdge, ..plain(png) });
        }
    }
    textures.push(Texture { magnify: Filter::Nearest, wrap_u: Wrap::MirroredRepeat, ..plain(png) });
    textures.push(Texture { image: webp, ..textures[2] });
    textures
}

fn images() -> Vec<Image> {
    let picture = to_png(&Picture { width: 2, height: 2, rgba: [[255, 0, 0, 255]; 4].concat() });
    // A pixel by `cwebp -lossless`.
    let webp = b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0".to_vec();
    let image = |name: &str, mime_type: &str, bytes: Vec<u8>| Image {
        name: name.to_owned(),
        mime_type: Some(mime_type.to_owned()),
        source: ImageSource::Encoded(bytes.into()),
    };
    vec![image("red", "image/png", picture), image("", "image/webp", webp)]
}

fn lights() -> Vec<Light> {
    let spot = LightKind::Spot { inner_angle: 0.1, outer_angle: 0.7 };
    [("sun", LightKind::Directional, None), ("", LightKind::Point, Some(2.5)), ("lamp", spot, None)]
        .map(|(name, kind, range)| Light {
            name: name.to_owned(),
            color: Vec3::new(0.1, 1.0, 0.5),
            intensity: 30.0,
            range,
            kind,
        })
        .to_vec()
}

fn cameras() -> Vec<Camera> {
    let wide = Projection::Perspective { vertical_fov: 0.9, aspect: Some(1.5), near: 0.1, far: None };
    let flat = Projection::Orthographic { half_width: 2.0, half_height: 1.0, near: 0.0, far: 10.0 };
    [("eye", wide), ("", flat)]
        .map(|(name, projection)| Camera { name: name.to_owned(), projection })
        .to_vec()
}
