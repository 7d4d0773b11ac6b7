/** Writes ZIP archives, also those that other programs write, and damaged ones. */

import { crc32, deflateRawSync } from "node:zlib";

/**
 * Returns an archive.
 *
 * @param files `name` and `bytes`, and optionally what its headers have instead: `method` (8), `flags` (UTF-8), `size`,
 *   `packed`, `checksum`; `body` are the bytes in the archive
 * @param options `prefix`, `comment`: bytes before the archive, and after it; `descriptors`: local headers without
 *   sizes, which follow the files; `large`: zip64
 */
export function zip(files, { prefix = "", comment = "", descriptors = false, large = false } = {}) {
  const parts = [];
  const directory = [];
  let offset = 0;
  const push = (...some) => {
    for (const part of some) {
      parts.push(part);
      offset += part.length;
    }
  };
  for (const file of files) {
    const bytes = Buffer.from(file.bytes);
    const name = Buffer.from(file.name);
    const method = file.method ?? 8;
    const body = file.body ?? (method === 8 ? deflateRawSync(bytes) : bytes);
    const flags = (file.flags ?? 0x800) | (descriptors ? 8 : 0);
    const sizes = [file.checksum ?? crc32(bytes), file.packed ?? body.length, file.size ?? bytes.length];
    const start = offset;
    const local = descriptors ? [0, 0, 0] : sizes;
    push(fields([4, 0x04034b50], [2, 20], [2, flags], [2, method], [4, 0], ...local.map((size) => [4, size])));
    push(fields([2, name.length], [2, 5]), name, fields([2, 0xcafe], [2, 1], [1, 7]), body);
    if (descriptors) push(fields([4, 0x08074b50], ...sizes.map((size) => [4, size])));
    const all = 0xffffffff;
    const extra = large ? fields([2, 1], [2, 24], [8, sizes[2]], [8, sizes[1]], [8, start]) : Buffer.alloc(0);
    const [packed, size, at] = large ? [all, all, all] : [sizes[1], sizes[2], start];
    directory.push(
      fields([4, 0x02014b50], [2, 20], [2, 20], [2, flags], [2, method], [4, 0], [4, sizes[0]], [4, packed]),
      fields([4, size], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
      name,
      extra,
    );
  }
  const start = offset;
  push(...directory);
  const size = offset - start;
  if (large) {
    const end = offset;
    push(fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, files.length], [8, files.length]));
    push(fields([8, size], [8, start], [4, 0x07064b50], [4, 0], [8, end], [4, 1]));
  }
  const [count, length, at] = large ? [0xffff, 0xffffffff, 0xffffffff] : [files.length, size, start];
  push(fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, at]));
  push(fields([2, comment.length]), Buffer.from(comment));
  return Buffer.concat([Buffer.from(prefix), ...parts]);
}

/** Returns numbers of 1, 2, 4 or 8 bytes each. */
function fields(...numbers) {
  const bytes = Buffer.alloc(numbers.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, number] of numbers) {
    if (length === 8) bytes.writeBigUInt64LE(BigInt(number), at);
    else bytes.writeUIntLE(number, at, length);
    at += length;
  }
  return bytes;
}
