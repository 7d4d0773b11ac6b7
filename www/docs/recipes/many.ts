import "gambol/element";

const clips = ["Walk", "Run", "Dance", "Wave", "Jump", "Idle"];
const coats = ["character.glb", "ash.glb", "russet.glb"];
const herd = document.querySelector("#herd")!;

for (let at = 0; at < 24; at++) {
  const player = document.createElement("gambol-player");
  player.src = coats[at % coats.length]!;
  player.clip = clips[(at * 5 + Math.floor(at / 6)) % clips.length]!;
  player.playbackRate = 0.8 + (at % 5) * 0.1;
  player.autoplay = true;
  player.cameraControls = true;
  player.alt = `A goat kid: ${player.clip}`;
  herd.append(player);
}
