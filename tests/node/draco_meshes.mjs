/**
 * Made-up meshes, compressed by Draco's own encoder: all kinds of attributes and surfaces, at all speeds, so that every
 * encoding of connectivity, order of values and prediction occurs.
 */

/** Returns a generator of numbers from 0 to 1 that are the same on every machine. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from `least` to `most`. */
function whole(next, least, most) {
  return least + Math.floor(next() * (most - least + 1));
}

/** Adds a grid of triangles. It wraps around in the directions that are `closed`. */
function grid({ faces, positions }, [columns, rows], closed, place) {
  const first = positions.length;
  const width = closed[0] ? columns : columns + 1;
  const height = closed[1] ? rows : rows + 1;
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) positions.push(place((u / columns) * 2 * Math.PI, (v / rows) * 2 * Math.PI));
  const vertex = (u, v) => first + (v % height) * width + (u % width);
  for (let v = 0; v < rows; v++)
    for (let u = 0; u < columns; u++)
      faces.push(
        [vertex(u, v), vertex(u + 1, v), vertex(u + 1, v + 1)],
        [vertex(u, v), vertex(u + 1, v + 1), vertex(u, v + 1)],
      );
}

const { sin, cos } = Math;

/** Surfaces. Each adds faces, which are lists of vertices, and their positions. */
const SHAPES = {
  plane: (mesh, size, bump) => grid(mesh, size, [false, false], (u, v) => [u + bump(), v + bump(), sin(u) + bump()]),
  torus: (mesh, [columns, rows], bump) =>
    grid(mesh, [columns + 2, rows + 2], [true, true], (u, v) => [
      cos(u) * (2 + cos(v)) + bump(),
      sin(u) * (2 + cos(v)),
      sin(v) + bump(),
    ]),
  sphere: (mesh, [columns, rows]) =>
    grid(mesh, [columns + 2, rows], [true, false], (u, v) => [cos(u) * sin(v / 2), sin(u) * sin(v / 2), cos(v / 2)]),
  strip: (mesh, [columns, rows], bump) => grid(mesh, [columns * rows, 1], [false, false], (u, v) => [u, v, bump()]),
  /** Triangles that share no vertices. */
  soup({ faces, positions }, [columns], _bump, next) {
    for (let face = 0; face < columns; face++) {
      faces.push([0, 1, 2].map((corner) => 3 * face + corner));
      for (let corner = 0; corner < 3; corner++) positions.push([next(), next(), next()]);
    }
  },
  /** A vertex with many triangles, all around it or not. */
  fan({ faces, positions }, [columns], bump, next) {
    const rim = columns + 2;
    positions.push([0, 0, 1]);
    for (let at = 0; at < rim; at++) positions.push([cos(at), sin(at), bump()]);
    for (let at = next() < 0.5 ? 0 : 1; at < rim; at++) faces.push([0, 1 + at, 1 + ((at + 1) % rim)]);
  },
  /** Vertices joined at random: edges with many triangles, and triangles without area. */
  chaos({ faces, positions }, [columns, rows], _bump, next) {
    const count = whole(next, 3, 3 * columns + 3);
    for (let vertex = 0; vertex < count; vertex++) positions.push([next(), next(), next()]);
    for (let face = 0; face < columns * rows; face++) faces.push([0, 0, 0].map(() => whole(next, 0, count - 1)));
  },
  /** Several surfaces, some of which are tetrahedra. */
  components(mesh, _size, bump, next) {
    const count = whole(next, 2, 6);
    for (let part = 0; part < count; part++) {
      const size = [whole(next, 1, 5), whole(next, 1, 5)];
      grid(mesh, size, [next() < 0.3, false], (u, v) => [u + part * 9, v, bump()]);
      if (next() < 0.5) continue;
      const first = mesh.positions.length;
      mesh.positions.push([part, 0, 2], [part + 1, 0, 2], [part, 1, 2], [part, 0, 3]);
      const faces = ["021", "013", "123", "203"];
      mesh.faces.push(...faces.map((face) => Array.from(face, (corner) => first + Number(corner))));
    }
  },
  /** A plane with triangles that are degenerate, twice there, or inverted. */
  degenerate(mesh, size, _bump, next) {
    grid(mesh, size, [false, false], (u, v) => [u, v, 0]);
    for (let times = 0; times < 3; times++) {
      const vertex = whole(next, 0, mesh.positions.length - 1);
      const face = [vertex, vertex, whole(next, 0, mesh.positions.length - 1)];
      mesh.faces.splice(whole(next, 0, mesh.faces.length), 0, face);
    }
    mesh.faces.push([...mesh.faces[0]], [...mesh.faces[0]].reverse());
  },
  holes(mesh, [columns, rows], _bump, next) {
    grid(mesh, [columns + 3, rows + 3], [next() < 0.5, next() < 0.5], (u, v) => [u, v, sin(u * v)]);
    const kept = mesh.faces.filter(() => next() < 0.85);
    mesh.faces = kept.length > 0 ? kept : mesh.faces;
  },
  /** Tori, joined by single triangles. */
  handles(mesh, _size, _bump, next) {
    const count = whole(next, 1, 3);
    for (let part = 0; part < count; part++)
      grid(mesh, [whole(next, 3, 8), whole(next, 3, 8)], [true, true], (u, v) => [cos(u) + part, sin(v), cos(v)]);
    for (let part = 1; part < count; part++)
      mesh.faces.push([0, 0, 0].map(() => whole(next, 0, mesh.positions.length - 1)));
  },
};

function shape(next, largest) {
  const names = Object.keys(SHAPES);
  const mesh = { faces: [], positions: [] };
  const bumps = next() < 0.5 ? 0 : next();
  const size = [whole(next, 1, largest), whole(next, 1, largest)];
  SHAPES[names[whole(next, 0, names.length - 1)]](mesh, size, () => (next() - 0.5) * bumps, next);
  if (next() < 0.2) {
    for (let last = mesh.faces.length - 1; last > 0; last--) {
      const other = whole(next, 0, last);
      [mesh.faces[last], mesh.faces[other]] = [mesh.faces[other], mesh.faces[last]];
    }
  }
  // Vertices at one place.
  if (next() < 0.1) mesh.positions = mesh.positions.map((place) => (next() < 0.5 ? mesh.positions[0] : place));
  return mesh;
}

/** Returns indices, and for each point its vertex. Corners of a vertex share a point, or several, or none. */
function points(next, faces) {
  const sharing = next();
  const several = next() < 0.5 ? 0 : next();
  const numbers = new Map();
  const vertices = [];
  const indices = faces.flat().map((vertex, corner) => {
    const variant = sharing < 0.3 ? corner : sharing < 0.6 && next() < several ? whole(next, 0, 3) : 0;
    const name = `${vertex},${variant}`;
    if (!numbers.has(name)) numbers.set(name, vertices.push(vertex) - 1);
    return numbers.get(name);
  });
  return { indices, vertices };
}

/**
 * Returns a mesh in Draco's encoding, or nothing if the encoder refuses it. `draco` is the encoder's module, and
 * `largest` the side of the largest grid.
 */
export function madeUpMesh(draco, next, largest) {
  const { faces, positions } = shape(next, largest);
  const { indices, vertices } = points(next, faces);
  const count = vertices.length;
  const builder = new draco.MeshBuilder();
  const mesh = new draco.Mesh();
  const encoder = new draco.Encoder();
  builder.AddFacesToMesh(mesh, indices.length / 3, new Uint32Array(indices));

  const isSmooth = next() < 0.7;
  const value = (vertex, component) =>
    isSmooth ? (1 + sin(positions[vertex][component % 3] * (component + 1))) / 2 : next();
  const add = (type, kind, components, make) => {
    const numbers = vertices.flatMap((vertex) => Array.from({ length: components }, (_, at) => make(vertex, at)));
    const array = new { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array }[
      `${type}Array`
    ](numbers);
    const name = `Add${type.replace("Uint", "UInt").replace("Float32", "Float")}Attribute`;
    builder[name](mesh, draco[kind], count, components, array);
  };
  const scale = [1, 1e-3, 100, 1e4][whole(next, 0, 3)];
  if (next() < 0.05) add("Int32", "POSITION", 3, (vertex, axis) => Math.round(positions[vertex][axis] * 1000));
  else add("Float32", "POSITION", 3, (vertex, axis) => positions[vertex][axis] * scale);
  if (next() < 0.6) {
    const normal = (vertex) => {
      const direction = isSmooth ? positions[vertex] : [next() - 0.5, next() - 0.5, next() - 0.5];
      return direction.map((axis) => axis / (Math.hypot(...direction) || 1));
    };
    const normals = positions.map((_, vertex) => (next() < 0.02 ? [-1, 0, 0] : normal(vertex)));
    add("Float32", "NORMAL", 3, (vertex, axis) => normals[vertex][axis]);
  }
  if (next() < 0.6) add("Float32", "TEX_COORD", 2, value);
  if (next() < 0.2) add("Float32", "TEX_COORD", whole(next, 2, 3), () => next());
  if (next() < 0.3) {
    const [type, most] = [
      ["Float32", 1],
      ["Uint8", 255],
      ["Uint16", 65535],
    ][whole(next, 0, 2)];
    add(type, "COLOR", whole(next, 3, 4), (vertex, at) => value(vertex, at) * most);
  }
  if (next() < 0.4) {
    const joints = [0, 3, 60, 250][whole(next, 0, 3)];
    add(next() < 0.5 ? "Uint8" : "Uint16", "GENERIC", 4, () => whole(next, 0, joints));
    add("Float32", "GENERIC", 4, () => next());
  }
  if (next() < 0.3) {
    const types = ["Int8", "Int16", "Int32", "Uint32", "Float32", "Uint8"];
    const most = [100, 1e4, 1e6][whole(next, 0, 2)];
    add(types[whole(next, 0, 5)], "GENERIC", whole(next, 1, 4), () => whole(next, -most, most));
  }

  const isSlow = next() < (faces.length >= 1000 ? 0.8 : 0.4);
  const speed = () => whole(next, 0, isSlow ? 4 : 10);
  if (next() < 0.1) encoder.SetSpeedOptions(0, 0);
  else encoder.SetSpeedOptions(speed(), speed());
  const isWild = next() < 0.3;
  for (const [kind, least, most] of [
    ["POSITION", 8, 16],
    ["NORMAL", 6, 12],
    ["TEX_COORD", 8, 14],
    ["COLOR", 6, 10],
    ["GENERIC", 8, 14],
  ]) {
    // Normals take two bits at least. The encoder aborts with 30 bits, and counts symbols slowly with more than 20.
    const widest = next() < 0.03 ? 29 : 19;
    const bits = isWild ? whole(next, kind === "NORMAL" ? 2 : 1, widest) : whole(next, least, most);
    if (next() < 0.9) encoder.SetAttributeQuantization(draco[kind], bits);
  }
  const method = next();
  if (method < 0.12) encoder.SetEncodingMethod(draco.MESH_SEQUENTIAL_ENCODING);
  else if (method < 0.8) encoder.SetEncodingMethod(draco.MESH_EDGEBREAKER_ENCODING);
  const encoded = new draco.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(mesh, encoded);
  const bytes = Uint8Array.from({ length }, (_, at) => encoded.GetValue(at));
  for (const object of [encoded, encoder, builder, mesh]) draco.destroy(object);
  return length > 0 ? bytes : null;
}
