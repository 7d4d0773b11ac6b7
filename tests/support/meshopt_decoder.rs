//! A plain decoder of meshopt streams, straight from the text of `KHR_meshopt_compression`. It panics on what it can't
//! read.

/// Decodes a stream of a buffer view to `count` elements of `stride` bytes.
pub fn decode(mode: &str, filter: &str, stream: &[u8], count: usize, stride: usize) -> Vec<u8> {
    let indices = |indices: Vec<u32>| -> Vec<u8> {
        assert_eq!(indices.len(), count);
        indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(stride)).collect()
    };
    match mode {
        "ATTRIBUTES" => filtered(filter, attributes(stream, count, stride), stride),
        "TRIANGLES" => indices(triangles(stream, count)),
        "INDICES" => indices(sequence(stream, count)),
        _ => panic!("{mode}"),
    }
}

fn attributes(stream: &[u8], count: usize, stride: usize) -> Vec<u8> {
    let version = stream[0] - 0xa0;
    let modes_len = if version == 0 { 0 } else { stride / 4 };
    let (rest, tail) = stream.split_at(stream.len() - stride - modes_len);
    let (mut last, modes) = (tail[..stride].to_vec(), &tail[stride..]);
    let mut reader = Reader { bytes: &rest[1..] };
    let block_len = ((8192 / stride) & !15).min(256);
    let mut decoded = Vec::new();
    for start in (0..count).step_by(block_len) {
        let len = block_len.min(count - start);
        let controls = reader.take(modes_len).to_vec();
        let planes: Vec<Vec<u8>> = (0..stride)
            .map(|byte| {
                let bits = match controls.get(byte / 4).map(|control| control >> (byte % 4 * 2) & 3) {
                    None => [0, 2, 4, 8],
                    Some(0) => [0, 1, 2, 4],
                    Some(1) => [1, 2, 4, 8],
                    Some(2) => return vec![0; len],
                    _ => return reader.take(len).to_vec(),
                };
                let choices = reader.take(len.div_ceil(16).div_ceil(4)).to_vec();
                let groups = (0..len.div_ceil(16))
                    .map(|group| reader.group(bits[usize::from(choices[group / 4] >> (group % 4 * 2) & 3)]));
                groups.collect::<Vec<_>>().concat()
            })
            .collect();
        #[allow(clippy::needless_range_loop, reason = "planes are indexed by byte, then by element")]
        for at in 0..len {
            for channel in 0..stride / 4 {
                let delta: [u8; 4] = std::array::from_fn(|byte| planes[channel * 4 + byte][at]);
                let before = &mut last[channel * 4..][..4];
                let from = u32::from_le_bytes((&*before).try_into().unwrap());
                let mode = modes.get(channel).copied().unwrap_or_default();
                let value = match mode & 15 {
                    0 => std::array::from_fn(|byte| {
                        before[byte].wrapping_add(unzigzag(delta[byte].into()) as u8)
                    }),
                    1 => {
                        let half = |at: usize| {
                            let delta = u16::from_le_bytes([delta[at], delta[at + 1]]);
                            let from = u16::from_le_bytes([before[at], before[at + 1]]);
                            from.wrapping_add(unzigzag(delta.into()) as u16).to_le_bytes()
                        };
                        let ([a, b], [c, d]) = (half(0), half(2));
                        [a, b, c, d]
                    }
                    2 => (from ^ u32::from_le_bytes(delta).rotate_right((mode >> 4).into())).to_le_bytes(),
                    _ => panic!("{mode}"),
                };
                before.copy_from_slice(&value);
            }
            decoded.extend_from_slice(&last);
        }
    }
    let least = if version == 0 { 32 } else { 24 };
    assert_eq!(reader.bytes, vec![0; usize::max(least, stride + modes_len) - stride - modes_len]);
    decoded
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn varint(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return value;
            }
        }
    }

    fn group(&mut self, bits: usize) -> [u8; 16] {
        if bits == 0 {
            return [0; 16];
        }
        let packed = self.take(bits * 2);
        let sentinel = ((1_u32 << bits) - 1) as u8;
        std::array::from_fn(|at| {
            let (byte, place) = (packed[at * bits / 8], at % (8 / bits));
            let shift = if bits == 1 { place } else { 8 - bits * (place + 1) };
            match byte >> shift & sentinel {
                delta if delta == sentinel && bits < 8 => self.byte(),
                delta => delta,
            }
        })
    }
}

fn unzigzag(delta: u32) -> u32 {
    delta >> 1 ^ (delta & 1).wrapping_neg()
}

fn triangles(stream: &[u8], count: usize) -> Vec<u32> {
    assert_eq!(stream[0], 0xe1);
    let (body, table) = stream[1..].split_at(stream.len() - 17);
    let (codes, data) = body.split_at(count / 3);
    let mut reader = Reader { bytes: data };
    // Newest first.
    let (mut edges, mut vertices) = (Vec::new(), Vec::new());
    let (mut next, mut last) = (0_u32, 0_u32);
    let mut indices = Vec::new();
    for &code in codes {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let (a, b) = edges[usize::from(high)];
            let c = match low {
                0 => {
                    next += 1;
                    next - 1
                }
                1..13 => vertices[usize::from(low)],
                13 | 14 => {
                    last = if low == 13 { last - 1 } else { last + 1 };
                    last
                }
                _ => {
                    last = last.wrapping_add(unzigzag(reader.varint()));
                    last
                }
            };
            if low == 0 || low > 12 {
                vertices.insert(0, c);
            }
            edges.splice(0..0, [(a, c), (c, b)]);
            indices.extend([a, b, c]);
            continue;
        }
        let pair = if low < 14 { table[usize::from(low)] } else { reader.byte() };
        if low >= 14 && pair == 0 {
            next = 0;
        }
        let first = if low == 15 { 15 } else { 0 };
        let [a, b, c] = [first, pair >> 4, pair & 15].map(|corner| match corner {
            0 => {
                next += 1;
                next - 1
            }
            15 => {
                last = last.wrapping_add(unzigzag(reader.varint()));
                last
            }
            place => vertices[usize::from(place) - 1],
        });
        for (corner, index) in [(first, a), (pair >> 4, b), (pair & 15, c)] {
            if corner == 0 || corner == 15 {
                vertices.insert(0, index);
            }
        }
        edges.splice(0..0, [(a, c), (c, b), (b, a)]);
        indices.extend([a, b, c]);
        vertices.truncate(16);
        edges.truncate(16);
    }
    assert!(reader.bytes.is_empty());
    indices
}

fn sequence(stream: &[u8], count: usize) -> Vec<u32> {
    assert_eq!(stream[0], 0xd1);
    let mut reader = Reader { bytes: &stream[1..] };
    let mut last = [0_u32; 2];
    let mut next = |_| {
        let value = reader.varint();
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        *last
    };
    let indices = (0..count).map(&mut next).collect();
    assert_eq!(reader.bytes, [0; 4]);
    indices
}

fn filtered(filter: &str, mut bytes: Vec<u8>, stride: usize) -> Vec<u8> {
    let round = |number: f64, most: f64| (number * most).round() as i64;
    match filter {
        "NONE" => {}
        "OCTAHEDRAL" => {
            let size = stride / 4;
            for element in bytes.chunks_exact_mut(stride) {
                let number = |at: usize| match size {
                    1 => f64::from(element[at] as i8),
                    _ => f64::from(i16::from_le_bytes([element[at * 2], element[at * 2 + 1]])),
                };
                let (x, y) = (number(0) / number(2), number(1) / number(2));
                let z = 1.0 - x.abs() - y.abs();
                let over = z.min(0.0);
                let (x, y) = (x - over.copysign(x), y - over.copysign(y));
                let length = (x * x + y * y + z * z).sqrt();
                for (at, number) in [x, y, z].into_iter().enumerate() {
                    let rounded = round(number / length, if size == 1 { 127.0 } else { 32767.0 });
                    element[at * size..][..size].copy_from_slice(&rounded.to_le_bytes()[..size]);
                }
            }
        }
        "QUATERNION" => {
            for element in bytes.chunks_exact_mut(8) {
                let number = |at: usize| i16::from_le_bytes([element[at * 2], element[at * 2 + 1]]);
                let (one, place) = (f64::from(number(3) | 3), (number(3) & 3) as usize);
                let [x, y, z] = [0, 1, 2].map(|at| f64::from(number(at)) / one / 2_f64.sqrt());
                let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
                for (at, number) in [w, x, y, z].into_iter().enumerate() {
                    let rounded = round(number, 32767.0) as i16;
                    element[(place + at) % 4 * 2..][..2].copy_from_slice(&rounded.to_le_bytes());
                }
            }
        }
        "EXPONENTIAL" => {
            for element in bytes.chunks_exact_mut(4) {
                let code = i32::from_le_bytes((&*element).try_into().unwrap());
                let number = f64::from(code << 8 >> 8) * 2_f64.powi(code >> 24);
                element.copy_from_slice(&(number as f32).to_le_bytes());
            }
        }
        _ => panic!("{filter}"),
    }
    bytes
}
