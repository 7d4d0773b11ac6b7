//! Streams of the meshopt codecs, decoded by the crate's decoder here and by meshoptimizer's in
//! `tests/node/meshopt.test.mjs`.
use crate::support::made_model::Random;
use gambol::decode::meshopt::{Filter, Mode, decode};
use gambol::export::meshopt::{
    Version, decode_exponential, decode_octahedral, decode_quaternion, encode_attributes, encode_exponential,
    encode_octahedral, encode_quaternion, encode_sequence, encode_triangles, exponent_of_step,
};
use glam::{Quat, Vec3};

struct Stream {
    name: String,
    mode: &'static str,
    filter: &'static str,
    stride: usize,
    /// What a decoder makes of it.
    decoded: Vec<u8>,
    encoded: Vec<u8>,
}

fn streams() -> Vec<Stream> {
    let mut streams = Vec::new();
    let mut random = Random::new(5);
    for version in [Version::Zero, Version::One] {
        for (name, filter, stride, stored, decoded) in elements(&mut random) {
            let encoded = encode_attributes(&stored, stride, version).unwrap();
            let name = format!("{name} {version:?}");
            streams.push(Stream { name, mode: "ATTRIBUTES", filter, stride, decoded, encoded });
        }
    }
    for (name, indices) in [
        ("nothing", Vec::new()),
        ("one", vec![0, 1, 2]),
        ("one turned", vec![1, 2, 0]),
        ("grid", grid(40)),
        ("two grids", [grid(12), grid(9)].concat()),
        ("far", vec![0, 1, 2, 900_000, 3, 70_000, 3, 900_000, 899_999, 70_001, 3, 900_000]),
        ("equal corners", vec![0, 0, 0, 0, 1, 1, 2, 2, 1, 3, 3, 3, 5, 4, 3]),
        ("random", (0..3000).map(|_| random.below(500) as u32).collect()),
        ("near", (0..3000).map(|at| (at / 4 + random.below(5)) as u32).collect()),
    ] {
        for (mode, encoded) in [
            ("TRIANGLES", encode_triangles(indices.iter().copied())),
            ("INDICES", encode_sequence(indices.iter().copied())),
        ] {
            let decoded = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
            streams.push(Stream { name: name.to_owned(), mode, filter: "NONE", stride: 4, decoded, encoded });
        }
    }
    streams
}

/// Returns triangles in rows of a square.
fn grid(size: u32) -> Vec<u32> {
    let row = |y: u32| {
        (0..size).flat_map(move |x| {
            let (at, below) = (y * (size + 1) + x, (y + 1) * (size + 1) + x);
            [at, below, at + 1, at + 1, below, below + 1]
        })
    };
    (0..size).flat_map(row).collect()
}

type Elements = (&'static str, &'static str, usize, Vec<u8>, Vec<u8>);

/// Returns names, filters, strides, the bytes to encode, and the bytes behind the filter.
fn elements(random: &mut Random) -> Vec<Elements> {
    let mut all: Vec<Elements> = Vec::new();
    for stride in [4, 8, 12, 16, 64, 256] {
        for count in [0, 1, 15, 16, 17, 256, 257, 700] {
            for reach in [1, 2, 5, 30, 256] {
                let mut bytes = vec![0_u8; count * stride];
                for at in 0..bytes.len() {
                    let before = at.checked_sub(stride).map_or(100, |before| bytes[before]);
                    bytes[at] = before.wrapping_add(random.below(reach) as u8);
                }
                all.push(("bytes", "NONE", stride, bytes.clone(), bytes));
            }
        }
    }
    let shorts: Vec<u8> =
        (0..900_u16).flat_map(|at| [at.wrapping_mul(300), at * 7].map(u16::to_le_bytes).concat()).collect();
    all.push(("shorts", "NONE", 4, shorts.clone(), shorts));
    let floats: Vec<u8> = (0..900_u16).flat_map(|at| (f32::from(at) / 30.0).to_le_bytes()).collect();
    all.push(("times", "NONE", 4, floats.clone(), floats));

    let directions: Vec<[i8; 4]> = (0..900).map(|at| encode_octahedral(random.vec3(1.0), at as i8)).collect();
    let decoded = directions.iter().flat_map(|&code| decode_octahedral(code));
    all.push((
        "directions",
        "OCTAHEDRAL",
        4,
        directions.iter().flatten().map(|&byte| byte as u8).collect(),
        decoded.map(|byte| byte as u8).collect(),
    ));
    let flat = |codes: Vec<[i16; 4]>| codes.into_iter().flatten().flat_map(i16::to_le_bytes).collect();
    for (name, bits) in [("rough rotations", 4), ("rotations", 12), ("fine rotations", 16)] {
        let codes: Vec<[i16; 4]> = (0..900).map(|_| encode_quaternion(random.rotation(), bits)).collect();
        let decoded = codes.iter().map(|&code| decode_quaternion(code)).collect();
        all.push((name, "QUATERNION", 8, flat(codes), flat(decoded)));
    }
    let numbers: Vec<[u8; 4]> = (0..900)
        .map(|at| {
            let number = random.between(-1.0, 1.0) * 10_f32.powi(at % 40 - 20);
            encode_exponential(number, random.below(240) as i32 - 120)
        })
        .collect();
    let decoded = numbers.iter().flat_map(|&code| decode_exponential(code).to_le_bytes()).collect();
    all.push(("numbers", "EXPONENTIAL", 12, numbers.concat(), decoded));
    all
}

/// Begins each triangle with its least corner, since the codec may turn them.
fn turned(indices: &[u8]) -> Vec<u8> {
    let mut turned = indices.to_vec();
    for triangle in turned.chunks_exact_mut(12) {
        let corner = |at: usize| u32::from_le_bytes(triangle[at * 4..][..4].try_into().unwrap());
        let corners = [corner(0), corner(1), corner(2)];
        let [a, b, c] = corners;
        let least = [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap();
        triangle.copy_from_slice(&least.map(u32::to_le_bytes).concat());
    }
    turned
}

#[test]
fn what_is_encoded_is_decoded_to_the_same_bytes() {
    for Stream { name, mode, filter, stride, decoded, encoded } in streams() {
        let mode_of = Mode::ALL.into_iter().find(|known| known.name() == mode).unwrap();
        let filter_of = Filter::ALL.into_iter().find(|known| known.name() == filter).unwrap();
        let mut found = vec![0; decoded.len()];
        decode(mode_of, filter_of, stride, &encoded, &mut found).unwrap();
        match mode {
            "TRIANGLES" => assert_eq!(turned(&found), turned(&decoded), "{name}"),
            // Rounding is specified to one unit, and halves are rounded by their last bit.
            _ if filter == "OCTAHEDRAL" => {
                let near = |(a, b): (&u8, &u8)| (*a as i8).abs_diff(*b as i8) <= 1;
                assert!(found.iter().zip(&decoded).all(near), "{name}");
            }
            _ if filter == "QUATERNION" => {
                let shorts = |bytes: &[u8]| -> Vec<i16> {
                    bytes.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect()
                };
                let (found, decoded) = (shorts(&found), shorts(&decoded));
                assert!(found.iter().zip(&decoded).all(|(a, b)| a.abs_diff(*b) <= 1), "{name}");
            }
            _ => assert!(found == decoded, "{name}: {mode} {filter}, {stride}"),
        }
    }
}

#[test]
fn bytes_are_those_of_the_specification() {
    // The example of mode 0 in the extension: sixteen differences in four bits each, two of them as whole bytes.
    let differences = [-1_i8, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let mut bytes = vec![7_u8, 0, 0, 0];
    for difference in differences.into_iter().skip(1) {
        let last = bytes[bytes.len() - 4];
        bytes.extend([last.wrapping_add(difference as u8), 0, 0, 0]);
    }
    let encoded = encode_attributes(&bytes, 4, Version::Zero).unwrap();
    let group = [0x07, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    assert_eq!(encoded[..12], [&[0xa0, 2][..], &group].concat());
    // Three bytes without differences, the padding, and the first element.
    assert_eq!(encoded[12..], [&[0; 3 + 28][..], &[7, 0, 0, 0]].concat());

    // A new triangle, one at its edge with a new corner, and one whose third corner is recent.
    assert_eq!(encode_triangles([0, 1, 2, 2, 1, 3, 3, 1, 0])[..4], [0xe1, 0xf0, 0x10, 0x13]);
    // 3 from 0, -1 from that, and 998 from that, each doubled twice.
    assert_eq!(encode_sequence([3, 2, 1000])[..5], [0xd1, 12, 2, 0x98, 0x1f]);
    assert_eq!(encode_attributes(&[0; 6], 6, Version::Zero), None);
    assert_eq!(encode_attributes(&[0; 6], 4, Version::Zero), None);
}

#[test]
fn directions_are_off_by_less_than_a_degree() {
    let mut random = Random::new(1);
    let mut worst = 0.0_f32;
    for _ in 0..100_000 {
        let direction = random.vec3(1.0).normalize_or(Vec3::X);
        let [x, y, z, last] = decode_octahedral(encode_octahedral(direction, -127));
        assert_eq!(last, -127);
        let back = Vec3::from_array([x, y, z].map(f32::from)).normalize();
        worst = worst.max(back.angle_between(direction).to_degrees());
    }
    assert!(worst < 1.0, "{worst}");
    for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let [x, y, z, _] = decode_octahedral(encode_octahedral(axis, 0));
        assert_eq!(Vec3::from_array([x, y, z].map(f32::from)), axis * 127.0);
    }
    assert_eq!(encode_octahedral(Vec3::ZERO, 3), [0, 0, 127, 3]);
    assert_eq!(encode_octahedral(Vec3::NAN, 3), [0, 0, 127, 3]);
}

#[test]
fn rotations_are_off_by_less_with_every_bit() {
    let mut random = Random::new(2);
    for bits in 4..=16 {
        let mut worst = 0.0_f64;
        for _ in 0..5000 {
            let rotation = random.rotation();
            let [x, y, z, w] = decode_quaternion(encode_quaternion(rotation, bits)).map(f32::from);
            let back = Quat::from_xyzw(x, y, z, w).normalize();
            let rotation = if back.dot(rotation) < 0.0 { -rotation } else { rotation };
            worst = worst.max(4.0 * (f64::from((back - rotation).length()) / 2.0).asin());
        }
        // Half a unit in each component, of which the largest follows, and half a unit of 16 bits.
        let bound = 3.0 / f64::from((1 << (bits - 1)) - 1) + 2.0 / 32767.0;
        assert!(worst < bound, "{bits}: {worst} above {bound}");
    }
}

#[test]
fn numbers_are_off_by_half_a_step() {
    let mut random = Random::new(3);
    for step in [1e-6, 0.001, 0.5, 1.0, 3.0] {
        let exponent = exponent_of_step(step);
        let grain = 2_f64.powi(exponent);
        assert!(grain <= step && step < grain * 2.0);
        for _ in 0..1000 {
            let number = random.between(-5.0, 5.0);
            let back = decode_exponential(encode_exponential(number, exponent));
            assert!(f64::from((back - number).abs()) <= grain / 2.0, "{number} {back}");
        }
    }
    assert_eq!((exponent_of_step(0.0), exponent_of_step(1e300)), (-100, 100));
    for number in [0.0, -0.0, 1e37, -1e37, 1e-38] {
        let back = decode_exponential(encode_exponential(number, -20));
        assert!((back - number).abs() <= number.abs() * 2e-7 + 1e-6, "{number} {back}");
        assert!(back != 0.0 || back.is_sign_positive());
    }
}

/// For meshoptimizer's decoder: `tests/node/meshopt.test.mjs` says where to.
#[test]
fn streams_are_written_for_meshoptimizer() {
    let Some(folder) = std::env::var_os("GAMBOL_STREAMS_TO").map(std::path::PathBuf::from) else {
        println!("SKIPPED: GAMBOL_STREAMS_TO names no folder");
        return;
    };
    for (nth, Stream { name, mode, filter, stride, decoded, encoded }) in streams().into_iter().enumerate() {
        let stem = format!("{nth},{mode},{filter},{stride},{}", name.replace(' ', "_"));
        std::fs::write(folder.join(format!("{stem}.decoded")), decoded).unwrap();
        std::fs::write(folder.join(format!("{stem}.encoded")), encoded).unwrap();
    }
}
