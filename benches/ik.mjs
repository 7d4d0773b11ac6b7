/**
 * `node benches/ik.mjs`: inverse kinematics of chains beside the CCDIKSolver of three.js, on the same chains and goals.
 *
 * Each chain has 2 to 12 joints without limits, and a goal within its reach. All solvers start from the rest pose. The
 * goal counts as reached where the tip is nearer than 1e-4 of the chain's length.
 */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { Bone, BufferGeometry, MeshBasicMaterial, Skeleton, SkinnedMesh, Vector3 } from "three";
import { CCDIKSolver } from "three/addons/animation/CCDIKSolver.js";

const REACHED = 1e-4;
const REPEATS = 20;
const OURS = ["Gambol, cyclic descent", "Gambol, FABRIK", "Gambol, least squares"];

const { chains, iterations } = nativeResults();
const rows = OURS.map((name, solver) => [name, chains.map((chain) => chain.solvers[solver])]);
rows.push(["three.js, CCDIKSolver", chains.map((chain) => iterations.map((count) => solvedByThree(chain, count)))]);

console.log(`${chains.length} chains; at most so many iterations: reached, median and worst error, mean time`);
for (const [name, results] of rows) {
  console.log(name);
  iterations.forEach((count, nth) => {
    const errors = results.map((result) => result[nth][0]).sort((a, b) => a - b);
    const micros = results.reduce((sum, result) => sum + result[nth][1], 0) / results.length;
    const reached = errors.filter((error) => error < REACHED).length / errors.length;
    const [median, worst] = [errors[errors.length >> 1], errors.at(-1)].map((error) => error.toExponential(1));
    const cells = [count, `${(reached * 100).toFixed(1)} %`, median, worst, `${micros.toFixed(1)} µs`];
    console.log(cells.map((cell) => String(cell).padStart(10)).join(""));
  });
}

function nativeResults() {
  const manifest = fileURLToPath(new URL("native/Cargo.toml", import.meta.url));
  const target = fileURLToPath(new URL("../target", import.meta.url));
  const command = ["bench", "--quiet", "--manifest-path", manifest, "--target-dir", target, "--bench", "ik"];
  return JSON.parse(execFileSync("cargo", command, { maxBuffer: 1 << 28, encoding: "utf8" }));
}

/** Returns the error as a fraction of the chain's length, and the microseconds of a solve. */
function solvedByThree({ joints, target, length }, iteration) {
  const bones = joints.map(([translation, rotation]) => {
    const bone = new Bone();
    bone.position.fromArray(translation);
    bone.quaternion.fromArray(rotation);
    return bone;
  });
  bones.slice(1).forEach((bone, above) => {
    bones[above].add(bone);
  });
  const goal = new Bone();
  goal.position.fromArray(target);
  const mesh = new SkinnedMesh(new BufferGeometry(), new MeshBasicMaterial());
  mesh.add(bones[0], goal);
  mesh.bind(new Skeleton([...bones, goal]));
  const tip = bones.length - 1;
  const links = Array.from({ length: tip }, (_, nth) => ({ index: tip - 1 - nth }));
  const solver = new CCDIKSolver(mesh, [{ target: bones.length, effector: tip, links, iteration }]);
  let millis = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    joints.forEach(([, rotation], nth) => {
      bones[nth].quaternion.fromArray(rotation);
    });
    mesh.updateMatrixWorld(true);
    const start = performance.now();
    solver.update();
    millis += performance.now() - start;
  }
  mesh.updateMatrixWorld(true);
  const error = bones[tip].getWorldPosition(new Vector3()).distanceTo(goal.position) / length;
  return [error, (millis / REPEATS) * 1000];
}
