/** The side of three.js of the page of crowds: a clone and an `AnimationMixer` for each character, as its users do. */

import { AnimationMixer, Color, Mesh, PlaneGeometry, ShadowMaterial, WebGLRenderer } from "three";
import { clone } from "three/addons/utils/SkeletonUtils.js";

import { lookFrom, openWith, step } from "../players/three.mjs";
import { phaseOf, sizeOf } from "../players/view.mjs";
import { boxAround, cameraOn, placeIn } from "./view.mjs";

/** Side of the shadow map: as Gambol's of a crowd. */
const SHADOW_SIDE = 2048;

/** Milliseconds after which adding characters lets the browser draw. */
const LONGEST_TASK_MILLIS = 30;

export class ThreeSide {
  #stage;
  #ground = new Mesh(new PlaneGeometry(), new ShadowMaterial({ opacity: 0.25 }));
  #resizing = new ResizeObserver(() => this.#resize());
  /** Indices of the clips, and the share of the second one. */
  #clips;
  #share;

  static async open(canvas, { background, pixelRatio }) {
    const renderer = new WebGLRenderer({ canvas, antialias: true });
    renderer.setPixelRatio(pixelRatio);
    const stage = await openWith(renderer, canvas.parentElement, { shadows: true });
    stage.scene.background = new Color(background);
    return new ThreeSide(stage);
  }

  constructor(stage) {
    this.#stage = stage;
    this.#ground.rotation.x = -Math.PI / 2;
    this.#ground.receiveShadow = true;
    stage.scene.add(this.#ground);
    const { domElement } = stage.renderer;
    // The page's style sheet sizes the canvas.
    domElement.removeAttribute("style");
    this.#resizing.observe(domElement);
  }

  async load(url) {
    this.#unload();
    this.#stage.gltf = await this.#stage.loader.loadAsync(url);
  }

  async fill({ box, count, total, clips, share }) {
    const { characters } = this.#stage;
    this.#drop(count);
    let since = performance.now();
    while (characters.length < count) {
      this.#add();
      if (performance.now() - since < LONGEST_TASK_MILLIS) continue;
      await new Promise((done) => setTimeout(done));
      since = performance.now();
    }
    [this.#clips, this.#share] = [clips, share];
    for (const [index, character] of characters.entries()) {
      character.root.position.set(...placeIn(box, total, index));
      this.#play(character, phaseOf(index));
    }
    const around = boxAround(box, total);
    const target = around[0].map((low, axis) => (low + around[1][axis]) / 2);
    lookFrom(this.#stage, cameraOn(box, total), { target, radius: sizeOf(around) / 2 }, SHADOW_SIDE);
    this.#ground.scale.setScalar(sizeOf(around) * 4);
    this.#resize();
  }

  async blend(share) {
    this.#share = share;
    for (const character of this.#stage.characters) {
      const [{ time, clip }] = character.actions.map((action) => ({ time: action.time, clip: action.getClip() }));
      this.#play(character, time / clip.duration);
    }
  }

  castShadows(casts) {
    this.#stage.sun.castShadow = casts;
  }

  step(dtSecs) {
    step(this.#stage, dtSecs);
  }

  get costs() {
    return { draws: this.#stage.renderer.info.render.calls };
  }

  close() {
    this.#resizing.disconnect();
    this.#unload();
    this.#stage.renderer.dispose();
  }

  #add() {
    const { gltf, characters, scene } = this.#stage;
    const root = clone(gltf.scene);
    root.traverse((object) => (object.castShadow = object.receiveShadow = true));
    scene.add(root);
    characters.push({ root, mixer: new AnimationMixer(root), actions: [] });
  }

  /** Plays one clip, or both with their weights. Both are then at the same share of their durations, as in Gambol. */
  #play(character, phase) {
    const { animations } = this.#stage.gltf;
    const [first, second] = this.#clips.map((index) => animations[index]);
    const share = first === second ? 0 : this.#share;
    const secs = first.duration + (second.duration - first.duration) * share;
    const weighted = [
      [first, 1 - share],
      [second, share],
    ].filter(([, weight]) => weight > 0);
    character.mixer.stopAllAction();
    character.actions = weighted.map(([clip, weight]) => {
      const action = character.mixer.clipAction(clip).play();
      return Object.assign(action, { weight, time: phase * clip.duration, timeScale: clip.duration / secs });
    });
  }

  #resize() {
    const { renderer, camera } = this.#stage;
    const { clientWidth, clientHeight } = renderer.domElement;
    renderer.setSize(clientWidth, clientHeight, false);
    if (!camera) return;
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
  }

  /** Removes all characters but some, and frees what they have on the GPU. */
  #drop(kept) {
    const { characters, scene } = this.#stage;
    for (const { root, mixer } of characters.splice(kept)) {
      mixer.stopAllAction();
      mixer.uncacheRoot(root);
      root.traverse(({ skeleton }) => skeleton?.dispose());
      scene.remove(root);
    }
  }

  #unload() {
    this.#drop(0);
    this.#stage.gltf?.scene.traverse(({ geometry, material }) => {
      geometry?.dispose();
      material?.map?.dispose();
      material?.dispose();
    });
  }
}
