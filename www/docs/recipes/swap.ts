import "gambol/element";

const element = document.querySelector("gambol-player")!;
const buttons = document.querySelectorAll<HTMLButtonElement>("[data-model]");

for (const button of buttons) {
  button.addEventListener("click", () => void wear(button));
}

async function wear(chosen: HTMLButtonElement): Promise<void> {
  const { player } = element;
  if (!player) return;
  await element.load(chosen.dataset["model"]!, { onProgress: remember });
  const { time, yaw, pitch, distance } = kept;
  element.currentTime = time;
  Object.assign(player.camera, { yaw, pitch, distance });
  for (const button of buttons) button.ariaPressed = String(button === chosen);
}

/** Saves the state during loading, since the old model keeps playing until the new one is ready. */
let kept = { time: 0, yaw: 0, pitch: 0, distance: 1 };
function remember(): void {
  const { yaw, pitch, distance } = element.player!.camera;
  kept = { time: element.currentTime, yaw, pitch, distance };
}
