import { Player } from "gambol";

export const players = await Promise.all([start("#there", true), start("#here", false)]);

async function start(canvas: string, worker: boolean): Promise<Player> {
  const element = document.querySelector<HTMLCanvasElement>(canvas)!;
  const player = await Player.create(element, { worker });
  await player.load("character.glb");
  player.play("Dance");
  player.frame();
  // Respects the preference for reduced motion.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) player.pause();
  return player;
}

document.querySelector("#busy")!.addEventListener("click", () => {
  const end = performance.now() + 2000;
  while (performance.now() < end);
});

const pause = document.querySelector("#pause")!;
pause.addEventListener("click", () => {
  const paused = !players[0]!.paused;
  for (const player of players) paused ? player.pause() : player.play();
  pause.textContent = paused ? "Play" : "Pause";
});
