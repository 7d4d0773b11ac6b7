/** Column-major 4×4 matrices, used by the comparison of poses only. */

/** Returns `left` multiplied with each matrix of a list. */
export function multiply(left, list) {
  const a = matrix(left);
  const products = new Float32Array(list.length);
  for (let at = 0; at < list.length; at += 16) products.set(a.multiply(matrix(list, at)).toFloat64Array(), at);
  return products;
}

export function inverse(one) {
  return matrix(one).inverse().toFloat64Array();
}

/** Returns the greatest distance between a point as transformed by two lists of matrices. */
export function farthest(list, other, points) {
  if (list.length !== other.length) return Infinity;
  let most = 0;
  for (let at = 0; at < list.length; at += 16) {
    const [a, b] = [matrix(list, at), matrix(other, at)];
    for (const point of points) {
      const [p, q] = [a.transformPoint(point), b.transformPoint(point)];
      // NaN counts as an infinite distance.
      most = Math.max(most, Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) || (Number.isNaN(p.x + q.x) ? Infinity : 0));
    }
  }
  return most;
}

function matrix(list, at = 0) {
  return new DOMMatrix(Array.from(list.subarray?.(at, at + 16) ?? list.slice(at, at + 16)));
}
