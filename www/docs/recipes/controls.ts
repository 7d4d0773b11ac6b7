import "gambol/element";

const element = document.querySelector("gambol-player")!;
const play = document.querySelector<HTMLButtonElement>("#play")!;
const time = document.querySelector<HTMLInputElement>("#time")!;
const clock = document.querySelector("#clock")!;
const clips = document.querySelector("#clips")!;

element.addEventListener("load", ({ detail }) => {
  const buttons = detail.clips.map(({ name }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => void element.play(name));
    return button;
  });
  clips.replaceChildren(...buttons);
  show();
});

play.addEventListener("click", () => {
  if (element.paused) void element.play();
  else element.pause();
});
time.addEventListener("input", () => (element.currentTime = Number(time.value)));
for (const name of ["play", "pause", "finished", "clipchange", "timeupdate"]) {
  element.addEventListener(name, show);
}

function show(): void {
  play.textContent = element.paused ? "Play" : "Pause";
  time.max = String(element.duration);
  time.value = String(element.currentTime);
  clock.textContent = element.currentTime.toFixed(2);
  for (const button of clips.querySelectorAll("button")) {
    button.ariaPressed = String(button.textContent === element.player?.clip?.name);
  }
}
