import "gambol/element";

const element = document.querySelector("gambol-player")!;
const label = document.querySelector<HTMLElement>("#label")!;

function follow(): void {
  const player = element.player;
  if (player?.alive && player.readyState) {
    const [x = 0, y = 0, z = 0] = player.node("LeftEar2").worldMatrix.slice(12, 15);
    const point = player.camera.project([x, y, z]);
    label.hidden = point === null;
    if (point) label.style.translate = `${point[0]}px ${point[1]}px`;
  }
  requestAnimationFrame(follow);
}
follow();
