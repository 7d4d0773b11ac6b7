/** Medians and their spread. */

/** Returns the quartiles of a list of numbers, each a member of the list. */
export function quartiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.round(share * (sorted.length - 1))]);
}

export function median(numbers) {
  return quartiles(numbers)[1];
}

/**
 * Returns the median ratio of two lists in each round. Interference from other programs slows both times of a round.
 */
export function ratioOf(numbers, others) {
  const rounds = Math.min(numbers.length, others.length);
  return median(Array.from({ length: rounds }, (_, round) => numbers[round] / others[round]));
}

/**
 * Returns how much the values of a straight line through the points rise from the first point to the last, and the
 * range of their distances from that line, which is the noise of the measurement.
 *
 * @param points pairs of a position and a value
 */
export function rise(points) {
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [x, y] = [0, 1].map((axis) => mean(points.map((point) => point[axis])));
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const slope = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / (spread || 1);
  const distances = points.map(([at, value]) => value - y - slope * (at - x));
  return {
    total: slope * (points.at(-1)[0] - points[0][0]),
    noise: Math.max(...distances) - Math.min(...distances),
  };
}
