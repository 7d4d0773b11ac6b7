/**
 * Returns a banner with two joints, 2 units high, made of rings of four vertices. The lower half follows the first
 * joint, the upper half the second.
 */

export function banner() {
  const heights = [0, 0.5, 0.9, 1.1, 1.5, 2];
  const [half, thin] = [0.3, 0.1];
  const corners = [
    [-half, thin, 0],
    [half, thin, 0.33],
    [half, -thin, 0.66],
    [-half, -thin, 1],
  ];
  const [positions, uvs, widened, joints, weights, indices] = [[], [], [], [], [], []];
  heights.forEach((y, ring) => {
    const upper = Math.min(Math.max((y - 0.9) / 0.2, 0), 1);
    for (const [x, z, u] of corners) {
      positions.push(x, y, z);
      uvs.push(u, y / 2);
      widened.push(x * (y / 2), 0, 0);
      joints.push(0, 1, 0, 0);
      weights.push(1 - upper, upper, 0, 0);
    }
    for (let side = 0; side < 4 && ring > 0; side++) {
      const [a, b] = [(ring - 1) * 4 + side, (ring - 1) * 4 + ((side + 1) % 4)];
      indices.push(a, b, b + 4, a, b + 4, a + 4);
    }
  });
  const top = positions.length / 3 - 4;
  indices.push(top, top + 1, top + 2, top, top + 2, top + 3, 0, 2, 1, 0, 3, 2);
  return { positions, uvs, widened, joints, weights, indices };
}
