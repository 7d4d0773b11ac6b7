import "gambol/element";

const element = document.querySelector("gambol-player")!;
const speed = document.querySelector<HTMLInputElement>("#speed")!;
const dance = document.querySelector<HTMLInputElement>("#dance")!;
const jump = document.querySelector("#jump")!;
const state = document.querySelector("#state")!;

speed.addEventListener("input", () => {
  element.player?.parameters.set("speed", Number(speed.value));
});
dance.addEventListener("change", () => {
  element.player?.parameters.set("dance", dance.checked);
});
jump.addEventListener("click", () => {
  element.player?.parameters.fire("jump");
});

element.addEventListener("statechange", ({ detail }) => {
  state.textContent = detail.state;
});
