import "gambol/element";
import { drive } from "gambol/drive";

const player = document.querySelector("gambol-player")!;
const tune = document.querySelector("audio")!;

drive(player, tune, { clip: "Dance" });

const speed = document.querySelector<HTMLSelectElement>("#speed")!;
speed.addEventListener("change", () => (tune.playbackRate = Number(speed.value)));
