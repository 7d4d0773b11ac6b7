/** three.js with `WebGLRenderer`. */

import { Box3, NeutralToneMapping, PerspectiveCamera, PMREMGenerator, Scene, Vector3, WebGLRenderer } from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { HDRLoader } from "three/addons/loaders/HDRLoader.js";

import { FIELD_OF_VIEW, SIDE } from "./view.mjs";

/** Blur of the room, in radians. The examples of three.js pass this number. */
const ROOM_BLUR = 0.04;

export async function open() {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setSize(SIDE, SIDE);
  renderer.toneMapping = NeutralToneMapping;
  document.body.append(renderer.domElement);
  const loader = new GLTFLoader();
  const generator = new PMREMGenerator(renderer);
  const environments = {
    light: generator.fromEquirectangular(await new HDRLoader().loadAsync("/out/light.hdr")).texture,
    defaults: generator.fromScene(new RoomEnvironment(), ROOM_BLUR).texture,
  };
  return {
    async box(url) {
      const { scene } = await loader.loadAsync(url);
      scene.updateMatrixWorld(true);
      const { min, max } = boxOf(scene);
      scene.traverse(dispose);
      return [min.toArray(), max.toArray()];
    },
    async take({ url, part, view }) {
      const { scene: model } = await loader.loadAsync(url);
      const scene = new Scene().add(model);
      scene.environment = environments[part];
      // Lights of the file would be added to the light that all players have.
      if (part === "light") model.traverse(darken);
      renderer.render(scene, cameraOf(view));
      const picture = renderer.domElement.toDataURL();
      model.traverse(dispose);
      return { picture };
    },
  };
}

/**
 * Returns the box of what a scene shows at its rest pose, as `Box3.setFromObject` would, but without vertices that are
 * nowhere: real files have weights that are NaN.
 */
function boxOf(scene) {
  const box = new Box3();
  const point = new Vector3();
  scene.traverse((node) => {
    const count = node.isMesh ? node.geometry.getAttribute("position").count : 0;
    for (let vertex = 0; vertex < count; vertex++) {
      node.getVertexPosition(vertex, point).applyMatrix4(node.matrixWorld);
      if (point.toArray().every(Number.isFinite)) box.expandByPoint(point);
    }
  });
  if (box.isEmpty()) throw new Error("it has no vertices");
  return box;
}

function cameraOf({ target, eye, near, far }) {
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, near, far);
  camera.position.set(...eye);
  camera.lookAt(...target);
  return camera;
}

function darken(node) {
  if (node.isLight) node.intensity = 0;
}

function dispose({ geometry, skeleton, material }) {
  geometry?.dispose();
  skeleton?.dispose();
  for (const one of [material ?? []].flat()) {
    for (const value of Object.values(one)) if (value?.isTexture) value.dispose();
    one.dispose();
  }
}
