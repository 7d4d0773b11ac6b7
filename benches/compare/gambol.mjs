/** Gambol, with either backend. */

import { Player } from "/gambol/index.js";

import { FIELD_OF_VIEW } from "./view.mjs";

export async function open({ backend }) {
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const player = await Player.create(canvas, { backend, cameraControls: false });
  player.autoUpdate = false;
  player.background = null;
  const panorama = await (await fetch("/out/light.hdr")).blob();
  let lit = "defaults";
  return {
    async take({ url, part, view }) {
      await player.load(url);
      if (lit !== part) await player.setEnvironment(part === "light" ? panorama : null);
      // Lights of the file would be added to the light that all players have.
      player.lightsIntensity = part === "light" ? 0 : 1;
      lit = part;
      player.camera.target = view.target;
      player.camera.eye = view.eye;
      player.camera.fov = (FIELD_OF_VIEW * Math.PI) / 180;
      player.ground = false;
      const mask = look(player);
      if (part === "light") return { picture: mask };
      // The shadow on the ground is part of the default, but it isn't the model.
      player.ground = true;
      return { picture: look(player), mask };
    },
  };
}

/** Draws, and reads the canvas in the same task, since a WebGPU canvas is blank in the next one. */
function look(player) {
  player.render();
  return player.canvas.toDataURL();
}
