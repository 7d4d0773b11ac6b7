import "gambol/element";

const element = document.querySelector("gambol-player")!;

element.addEventListener("load", () => {
  element.player!.ground = false;
});
