//! meshopt streams. `tests/node/meshopt_decoder.test.mjs` compares more of them with another decoder.

use gambol::decode::meshopt::{Filter, MeshoptProblem, Mode, decode};
use std::fs;
use std::path::Path;

/// A quad, as `MeshoptEncoder` of npm's meshoptimizer 1.3.0 writes it.
const TRIANGLES: &[u8] = &[
    0xe1, 0xf0, 0x10, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69,
    0x00, 0x00,
];
const QUAD: [u16; 6] = [0, 1, 2, 2, 1, 3];

fn decoded(
    mode: Mode,
    filter: Filter,
    stride: usize,
    count: usize,
    stream: &[u8],
) -> Result<Vec<u8>, MeshoptProblem> {
    let mut elements = vec![0xcc; stride * count];
    decode(mode, filter, stride, stream, &mut elements).map_err(|error| error.problem())?;
    Ok(elements)
}

/// Returns a stream of version 1 whose elements are all equal.
fn constant(element: &[u8], count: usize) -> Vec<u8> {
    let channel_count = element.len() / 4;
    let mut stream = vec![0xa1];
    // Every byte of every block is zero.
    let block_elements = ((8192 / element.len()) & !15).min(256);
    stream.extend(vec![0xaa; channel_count * count.div_ceil(block_elements)]);
    stream.extend(vec![0; 24_usize.saturating_sub(element.len() + channel_count)]);
    stream.extend(element);
    stream.extend(vec![0; channel_count]);
    stream
}

#[test]
fn triangles_are_decoded_in_either_size() {
    let short: Vec<u8> = QUAD.iter().flat_map(|index| index.to_le_bytes()).collect();
    let long: Vec<u8> = QUAD.iter().flat_map(|&index| u32::from(index).to_le_bytes()).collect();
    assert_eq!(decoded(Mode::Triangles, Filter::None, 2, 6, TRIANGLES), Ok(short));
    assert_eq!(decoded(Mode::Triangles, Filter::None, 4, 6, TRIANGLES), Ok(long));
}

#[test]
fn a_sequence_has_two_baselines() {
    // Differences +5 and −1 of the first baseline, +300 of the second.
    let stream = [0xd1, 20, 0xb1, 0x09, 2, 0, 0, 0, 0];
    let expected: Vec<u8> = [5_u16, 300, 4].iter().flat_map(|index| index.to_le_bytes()).collect();
    assert_eq!(decoded(Mode::Indices, Filter::None, 2, 3, &stream), Ok(expected));
}

#[test]
fn constant_elements_take_no_bytes_but_their_first() {
    for (stride, count) in [(4, 1), (4, 256), (4, 257), (12, 700), (64, 300), (256, 100)] {
        let element: Vec<u8> = (0..stride).map(|byte| byte as u8).collect();
        let expected = element.repeat(count);
        assert_eq!(
            decoded(Mode::Attributes, Filter::None, stride, count, &constant(&element, count)),
            Ok(expected)
        );
    }
}

#[test]
fn filters_give_unit_vectors_quaternions_numbers_and_colours() {
    let of =
        |filter, element: &[u8]| decoded(Mode::Attributes, filter, element.len(), 1, &constant(element, 1));
    // z is what x and y leave of the third number, which is 1.
    assert_eq!(of(Filter::Octahedral, &[0, 0, 127, 9]), Ok(vec![0, 0, 127, 9]));
    assert_eq!(of(Filter::Octahedral, &[127, 0, 127, 0]), Ok(vec![127, 0, 0, 0]));
    // The corner of the octahedron is where z is −1.
    assert_eq!(of(Filter::Octahedral, &[127, 127, 127, 0]), Ok(vec![0, 0, 129, 0]));
    // The first component is the largest, in the place that the last number gives.
    let quaternion = |place: u8| of(Filter::Quaternion, &[0, 0, 0, 0, 0, 0, 0xfc | place, 0x7f]).unwrap();
    assert_eq!(quaternion(0), [0xff, 0x7f, 0, 0, 0, 0, 0, 0]);
    assert_eq!(quaternion(3), [0, 0, 0, 0, 0, 0, 0xff, 0x7f]);
    // 3 · 2⁻¹
    assert_eq!(of(Filter::Exponential, &[3, 0, 0, 0xff]), Ok(1.5_f32.to_le_bytes().to_vec()));
    assert_eq!(of(Filter::Color, &[64, 63, 0, 127]), Ok(vec![255, 129, 2, 255]));
}

#[test]
fn each_kind_of_damage_has_its_problem() {
    use MeshoptProblem::{Channel, Elements, Filter as BadFilter, Header, Trailing, Truncated, Version};
    let constant = constant(&[1, 2, 3, 4], 300);
    let with = |at: usize, byte: u8| {
        let mut stream = constant.clone();
        stream[at] = byte;
        stream
    };
    let attributes = |stream: &[u8]| decoded(Mode::Attributes, Filter::None, 4, 300, stream).unwrap_err();
    assert_eq!(attributes(&[]), Truncated);
    assert_eq!(attributes(&with(0, 0xe1)), Header);
    assert_eq!(attributes(&with(0, 0xa2)), Version);
    assert_eq!(attributes(&with(constant.len() - 1, 3)), Channel);
    assert_eq!(decoded(Mode::Attributes, Filter::None, 4, 256, &constant).unwrap_err(), Trailing);
    assert_eq!(decoded(Mode::Attributes, Filter::None, 4, 600, &constant).unwrap_err(), Truncated);
    for stride in [1, 6, 260] {
        assert_eq!(decoded(Mode::Attributes, Filter::None, stride, 1, &constant).unwrap_err(), Elements);
    }
    assert_eq!(decoded(Mode::Triangles, Filter::None, 2, 5, TRIANGLES).unwrap_err(), Elements);
    assert_eq!(decoded(Mode::Triangles, Filter::None, 3, 6, TRIANGLES).unwrap_err(), Elements);
    assert_eq!(decoded(Mode::Triangles, Filter::Color, 2, 6, TRIANGLES).unwrap_err(), BadFilter);
    assert_eq!(decoded(Mode::Attributes, Filter::Quaternion, 4, 300, &constant).unwrap_err(), BadFilter);
    assert_eq!(decoded(Mode::Triangles, Filter::None, 2, 600, TRIANGLES).unwrap_err(), Truncated);
}

#[test]
fn streams_that_are_cut_or_changed_never_panic() {
    let constant = constant(&[7; 12], 40);
    let streams = [(Mode::Attributes, 12, 40, &constant[..]), (Mode::Triangles, 2, 6, TRIANGLES)];
    for (mode, stride, count, stream) in streams {
        for length in 0..stream.len() {
            assert!(
                decoded(mode, Filter::None, stride, count, &stream[..length]).is_err(),
                "{mode:?} {length}"
            );
        }
        for bit in 0..8 * stream.len() {
            let mut changed = stream.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            for mode in Mode::ALL {
                // Some changes give other elements.
                drop(decoded(mode, Filter::None, stride, count, &changed));
            }
        }
    }
}

/// The fixtures are made by `tests/fixtures/meshopt/make.mjs`.
#[test]
fn streams_give_the_bytes_that_the_reference_decoder_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/meshopt");
    let mut compared = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "meshopt") {
            continue;
        }
        let file = fs::read(&path).unwrap();
        let [mode, filter, stride, low, high, stream @ ..] = &file[..] else { panic!("{}", path.display()) };
        let count = u16::from_le_bytes([*low, *high]).into();
        let (mode, filter) = (Mode::ALL[usize::from(*mode)], Filter::ALL[usize::from(*filter)]);
        let found = decoded(mode, filter, (*stride).into(), count, stream);
        assert_eq!(found, Ok(fs::read(path.with_extension("bytes")).unwrap()), "{}", path.display());
        compared += 1;
    }
    assert_eq!(compared, 15);
}
