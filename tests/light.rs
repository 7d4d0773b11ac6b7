//! Light from all around: the prepared environments compared with integrals over the whole sphere.

use gambol::light::{
    Care, Environment, LEVEL_COUNT, MATT_SIDE, Room, SIDE, direction_at, place_of, roughness_of, unpacked,
};
use gambol::render::Tier;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::shaders::{Module, Texts};
use glam::{Vec2, Vec3, Vec3A, Vec4};
use std::f32::consts::{PI, TAU};

/// Returns `count` unit vectors that are evenly distributed over the sphere: a spiral by the golden angle.
fn sphere(count: usize) -> impl Iterator<Item = Vec3A> {
    let golden = PI * (3.0 - 5_f32.sqrt());
    (0..count).map(move |index| {
        let y = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
        let (sin, cos) = (golden * index as f32 % TAU).sin_cos();
        let around = (1.0 - y * y).sqrt();
        Vec3A::new(around * cos, y, around * sin)
    })
}

/// Returns the light that a white, matt surface reflects, as shaders read it.
fn diffuse(environment: &Environment, normal: Vec3A) -> Vec3A {
    interpolated(&environment.matt, MATT_SIDE, place_of(normal) * MATT_SIDE as f32)
}

/// Returns the light of a level of the map from a direction, interpolated as GPUs do.
fn on_level(environment: &Environment, level: usize, direction: Vec3A) -> Vec3A {
    let side = SIDE >> level;
    interpolated(&environment.levels[level], side, place_of(direction) * side as f32 - 0.5)
}

/// Returns what GPUs read at a place, in texels from the centre of the first.
fn interpolated(texels: &[u32], side: usize, place: Vec2) -> Vec3A {
    let corner = place.floor();
    let share = place - corner;
    let texel = |dx: f32, dy: f32| {
        let at = (corner + Vec2::new(dx, dy)).clamp(Vec2::ZERO, Vec2::splat(side as f32 - 1.0));
        unpacked(texels[at.y as usize * side + at.x as usize])
    };
    let row = |dy| texel(0.0, dy).lerp(texel(1.0, dy), share.x);
    row(0.0).lerp(row(1.0), share.y)
}

/// Returns the average of light over the lobe of a rough surface that is seen straight on: GGX's distribution of
/// facets, in terms of the reflected direction, times the cosine.
fn reflected(light_from: &dyn Fn(Vec3A) -> Vec3A, axis: Vec3A, roughness: f32) -> Vec3A {
    let alpha2 = roughness.powi(4);
    let mut sum = Vec3A::ZERO;
    let mut whole = 0.0;
    for direction in sphere(200_000) {
        let facing = axis.dot(direction);
        if facing <= 0.0 {
            continue;
        }
        // The facet's cosine is that of half the angle.
        let lobe = (1.0 + facing) / 2.0 * (alpha2 - 1.0) + 1.0;
        let share = facing / (lobe * lobe);
        whole += share;
        sum += light_from(direction) * share;
    }
    sum / whole
}

fn environment(light_from: &dyn Fn(Vec3A) -> Vec3A) -> Environment {
    Environment::of(light_from, None, Care::Full)
}

#[test]
fn a_white_room_is_white_everywhere() {
    let white = environment(&|_| Vec3A::ONE);
    for direction in sphere(500) {
        assert!((diffuse(&white, direction) - Vec3A::ONE).abs().max_element() < 1e-3);
        for level in 0..LEVEL_COUNT {
            let light = on_level(&white, level, direction);
            assert!((light - Vec3A::ONE).abs().max_element() < 3e-3, "level {level}: {light}");
        }
    }
    assert!(white.key.light.max_element() < 1e-3, "nothing is brighter than the rest");
}

#[test]
fn a_gradient_is_reflected_as_the_integrals_say() {
    // Light that is linear in the direction: matt surfaces reflect two thirds of its slope.
    let slope = Vec3A::new(0.3, -0.4, 0.2);
    let light_from = |direction: Vec3A| Vec3A::splat(1.0 + direction.dot(slope));
    let gradient = environment(&light_from);
    for direction in sphere(300) {
        let expected = 1.0 + direction.dot(slope) * 2.0 / 3.0;
        let found = diffuse(&gradient, direction).x;
        assert!((found - expected).abs() < 5e-3, "{direction}: {found}, not {expected}");
    }
}

#[test]
fn matt_surfaces_reflect_what_the_integral_says() {
    let room = Room::studio();
    let studio = room.environment(Care::Full);
    for normal in sphere(40) {
        let mut sum = Vec3A::ZERO;
        for direction in sphere(60_000) {
            sum += room.light_from(direction) * normal.dot(direction).max(0.0);
        }
        let expected = sum * (4.0 / 60_000.0);
        let apart = (diffuse(&studio, normal) - expected).abs().max_element();
        // What nine coefficients leave out.
        assert!(apart < 0.08 * expected.max_element() + 0.02, "{normal}: {apart} of {expected}");
    }
}

#[test]
fn rough_surfaces_reflect_what_the_integral_says() {
    let room = Room::studio();
    let studio = room.environment(Care::Full);
    let light_from = |direction: Vec3A| room.light_from(direction);
    for level in 1..LEVEL_COUNT {
        let (mut apart, mut most, mut whole) = (0.0, 0.0_f32, 0.0);
        for axis in sphere(60) {
            let expected = reflected(&light_from, axis, roughness_of(level));
            let difference = (on_level(&studio, level, axis) - expected).abs().element_sum() / 3.0;
            apart += difference;
            most = most.max(difference);
            whole += expected.element_sum() / 3.0;
        }
        println!("level {level}: mean {:.4}, most {most:.4} of mean {:.4}", apart / 60.0, whole / 60.0);
        assert!(apart < 0.04 * whole, "level {level}: {apart} of {whole}");
        assert!(most < 0.35 * whole / 60.0, "level {level}: {most} of {}", whole / 60.0);
    }
}

#[test]
fn the_first_level_is_the_environment() {
    let room = Room::studio();
    let studio = room.environment(Care::Full);
    for (index, texel) in studio.levels[0].iter().enumerate().step_by(97) {
        let place = (Vec2::new((index % SIDE) as f32, (index / SIDE) as f32) + 0.5) / SIDE as f32;
        let expected = room.light_from(direction_at(place).normalize());
        assert!((unpacked(*texel) - expected).abs().max_element() < 0.01 * expected.max_element());
    }
    let sides = studio.levels.iter().map(|level| level.len().isqrt());
    assert!(sides.eq((0..LEVEL_COUNT).map(|level| SIDE >> level)));
}

#[test]
fn the_key_light_is_found_in_a_picture() {
    let sun = Vec3A::new(0.48, 0.8, -0.36);
    let sky = |direction: Vec3A| Vec3A::splat(if direction.dot(sun) > 0.98 { 50.0 } else { 0.3 });
    let key = environment(&sky).key;
    assert!(key.towards.dot(sun.into()) > 0.97, "{}", key.towards);
    // A disk of 0.126 steradians: its light times its solid angle over π.
    let expected = 49.7 * TAU * 0.02 / PI;
    assert!((key.light.x / expected - 1.0).abs() < 0.1, "{} of {expected}", key.light);
}

#[test]
fn shadows_of_a_low_or_high_sun_stay_near_the_feet() {
    for (sun, highest) in [(Vec3A::new(0.8, 0.1, 0.59), false), (Vec3A::Y, true), (-Vec3A::Y, false)] {
        let sun = sun.normalize();
        let sky = |direction: Vec3A| Vec3A::splat(if direction.dot(sun) > 0.98 { 50.0 } else { 0.3 });
        let towards = environment(&sky).key.towards;
        assert!(towards.is_normalized());
        assert_eq!(towards.y > 0.9, highest, "{towards}");
        assert!(towards.y > 0.6, "{towards}");
    }
}

#[test]
fn the_studio_lights_faces() {
    let studio = Room::studio().environment(Care::Full);
    let of =
        |normal: Vec3| diffuse(&studio, normal.normalize().into()).dot(Vec3A::new(0.2126, 0.7152, 0.0722));
    let front = of(Vec3::new(0.0, 0.15, 1.0));
    let [left, right, back, down, up] = [Vec3::NEG_X, Vec3::X, Vec3::NEG_Z, Vec3::NEG_Y, Vec3::Y].map(of);
    println!("front {front:.3} left {left:.3} right {right:.3} back {back:.3} down {down:.3} up {up:.3}");
    println!("key {:?}", studio.key);
    assert!((1.2..1.45).contains(&front), "{front}");
    for (side, light) in [("left", left), ("right", right), ("back", back), ("down", down)] {
        assert!(light > 0.3 * front, "{side}: {light} of {front}");
    }
    // A shadow on the face leaves at least half of the light.
    let key = studio.key.light.dot(Vec3::new(0.2126, 0.7152, 0.0722));
    assert!(key * studio.key.towards.z < 0.5 * front, "{key}");
    // The shadow comes from somewhat higher than the light.
    assert!((49.0..56.0).contains(&studio.key.towards.y.asin().to_degrees()));
}

/// A device's first pictures have the draft.
#[test]
fn a_draft_of_the_studio_looks_like_it() {
    let [draft, full] = [Care::Draft, Care::Full].map(|care| Room::studio().environment(care));
    for normal in sphere(100) {
        let [of_draft, of_full] = [&draft, &full].map(|environment| diffuse(environment, normal));
        assert!((of_draft / of_full - 1.0).abs().max_element() < 0.02, "{normal}: {of_draft} and {of_full}");
    }
    assert!(draft.key.towards.distance(full.key.towards) < 0.02, "{:?} and {:?}", draft.key, full.key);
    assert!((draft.key.light / full.key.light - 1.0).abs().max_element() < 0.05, "{:?}", draft.key);
    for level in 1..LEVEL_COUNT {
        let light = |environment: &Environment| {
            environment.levels[level].iter().map(|texel| unpacked(*texel)).collect()
        };
        let [of_draft, of_full]: [Vec<Vec3A>; 2] = [&draft, &full].map(light);
        let sum = |light: &[Vec3A]| light.iter().sum::<Vec3A>().element_sum();
        let apart: Vec<Vec3A> = of_draft.iter().zip(&of_full).map(|(a, b)| (*a - *b).abs()).collect();
        let share = sum(&apart) / sum(&of_full);
        assert!(share < 0.15, "level {level}: {share}");
    }
}

/// Shaders find the texels of the map for matt surfaces.
#[test]
fn the_map_for_matt_surfaces_lies_where_shaders_read_it() {
    let source = Module::Mesh.source_from(&Texts::NAMED, Tier::WebGpu, false, ShaderParts::ALL);
    let moved = format!("place_on_map(in_environment(normal)) + 1.0 / {:.1};", 2.0 * MATT_SIDE as f32);
    assert!(source.contains(&moved), "no {moved}");
}

#[test]
fn hostile_light_becomes_numbers() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.0] {
        let light_from = |direction: Vec3A| if direction.x > 0.3 { Vec3A::splat(number) } else { Vec3A::ONE };
        let found = environment(&light_from);
        assert!(
            found.key.towards.is_normalized() && found.key.light.is_finite(),
            "{number}: {:?}",
            found.key
        );
        // A coefficient that isn't a number would make all texels black.
        let brightest = sphere(100).map(|normal| diffuse(&found, normal).max_element()).fold(0.0, f32::max);
        assert!(brightest > 0.1, "{number}: {brightest}");
    }
}

/// What shaders use for the integral of a rough surface's reflections.
#[test]
fn the_approximated_reflectance_is_near_the_integral() {
    let (mut most, mut sum) = (0.0_f32, 0.0);
    for roughness in (0..=20).map(|step| step as f32 / 20.0) {
        for facing in (1..=40).map(|step| step as f32 / 40.0) {
            let expected = integrated_reflectance(roughness.max(0.01), facing);
            let found = approximated_reflectance(roughness, facing);
            let apart = (0..2).map(|part| (expected[part] - found[part]).abs()).fold(0.0, f32::max);
            assert!(found[0] > 0.0 && found[1] >= 0.0 && found[0] + found[1] <= 1.0, "{found:?}");
            most = most.max(apart);
            sum += apart;
        }
    }
    println!("mean {:.4}, most {most:.4}", sum / 840.0);
    assert!(most < 0.045 && sum < 840.0 * 0.007, "{most}, {}", sum / 840.0);
}

/// For the roughness 1, the integral has a closed form when the surface is seen straight on: 1 − ln 2.
#[test]
fn the_roughest_surface_reflects_what_arithmetic_says() {
    let [factor, addend] = integrated_reflectance(1.0, 1.0);
    assert!((factor + addend - (1.0 - std::f32::consts::LN_2)).abs() < 1e-4, "{factor} + {addend}");
}

/// The test above is about what shaders have.
#[test]
fn shaders_approximate_the_reflectance_by_the_same_numbers() {
    assert_same_numbers("reflectance", "approximated_reflectance", 19);
}

/// Returns the code of a component of a colour in sRGB. This repeats `srgb_encoded` of `tone.wgsl`.
fn approximated_code(clamped: f32) -> f32 {
    let root = clamped.sqrt();
    let curved = 0.83374 * root + 0.29811 * root.sqrt() - 0.05531 * clamped - 0.0769;
    let dark = clamped * 12.92;
    if clamped <= 0.0031308 { dark } else { curved }
}

#[test]
fn roots_encode_colours_to_a_tenth_of_a_level() {
    for step in 0..=100_000 {
        let linear = step as f32 / 100_000.0;
        let code = if linear <= 0.0031308 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
        let apart = (approximated_code(linear) - code).abs() * 255.0;
        assert!(apart < 0.1, "{linear}: {apart} of a level");
    }
}

/// The test above is about what shaders have.
#[test]
fn shaders_encode_colours_by_the_same_numbers() {
    assert_same_numbers("srgb_encoded", "approximated_code", 6);
}

/// Asserts that a function of the shader of meshes has the numbers of one of this file, in the same order.
fn assert_same_numbers(in_shader: &str, here: &str, count: usize) {
    let shader = Module::Mesh.source_from(&Texts::NAMED, Tier::WebGpu, false, ShaderParts::ALL);
    let formula = |source: &str, name: &str| {
        let (_, from) = source.split_once(&format!("fn {name}(")).expect("the function is there");
        let (formula, _) = from.split_once("\n}").expect("the function ends");
        let is_number =
            |word: &&str| word.contains('.') && word.starts_with(|letter: char| letter.is_ascii_digit());
        let words = formula.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
        let numbers = words.filter(is_number).filter(|word| !["0.0", "1.0"].contains(word));
        numbers.map(str::to_owned).collect::<Vec<_>>()
    };
    let numbers = formula(&shader, in_shader);
    assert_eq!(numbers.len(), count);
    assert_eq!(numbers, formula(include_str!("light.rs"), here));
}

/// Returns factor and addend of the specular colour. This repeats `reflectance` of `environment.wgsl`; the scenarios
/// `environment` and `layers` compare pictures with the integral.
fn approximated_reflectance(roughness: f32, facing: f32) -> [f32; 2] {
    let alpha = roughness * roughness;
    let square = facing * facing;
    let terms = Vec4::new(1.0, facing, square, roughness);
    let above = Vec4::new(-1.3238, 1.9628 - 1.2156 * roughness, 0.1763, 0.6801);
    let below = Vec4::new(-0.7391, -9.2963 - 11.89 * roughness, 14.2173, 8.3535);
    let past = 1.0 - facing;
    let addend =
        past.powi(3) * (past * past + roughness * above.dot(terms)) / (1.0 + roughness * below.dot(terms));
    let lost = facing * alpha * alpha * (0.2308 + alpha * (3.2076 * facing + 0.7416 * alpha - 0.1086))
        / (square * (facing - 2.331 * alpha)
            + alpha * alpha * (4.1463 * square + 2.8411 * facing + 0.1681 * alpha + 0.0133));
    [1.0 - lost - addend, addend]
}

/// Returns factor and addend of the specular colour: the integral of GGX with Smith's height-correlated shadowing and
/// Schlick's Fresnel, over directions of the light in a grid.
fn integrated_reflectance(roughness: f32, facing: f32) -> [f32; 2] {
    let alpha2 = f64::from(roughness).powi(4);
    let facing = f64::from(facing);
    let viewer = [(1.0 - facing * facing).sqrt(), facing];
    let reach = |cosine: f64| (cosine * cosine * (1.0 - alpha2) + alpha2).sqrt();
    let mut sums = [0.0; 2];
    const RINGS: usize = 1500;
    const TURNS: usize = 60;
    for ring in 0..RINGS {
        // Facets of GGX, in rings of equal shares around the normal.
        let high = (ring as f64 + 0.5) / RINGS as f64;
        let cos = ((1.0 - high) / (1.0 + (alpha2 - 1.0) * high)).sqrt();
        for turn in 0..TURNS {
            let aside =
                (1.0 - cos * cos).sqrt() * (std::f64::consts::PI * (turn as f64 + 0.5) / TURNS as f64).cos();
            let towards_facet = (viewer[0] * aside + viewer[1] * cos).max(0.0);
            let lit = 2.0 * towards_facet * cos - facing;
            if lit > 0.0 {
                let share = 2.0 * lit * towards_facet / cos / (lit * reach(facing) + facing * reach(lit));
                let fresnel = (1.0 - towards_facet).powi(5);
                sums[0] += share * (1.0 - fresnel);
                sums[1] += share * fresnel;
            }
        }
    }
    sums.map(|sum| (sum / (RINGS * TURNS) as f64) as f32)
}
