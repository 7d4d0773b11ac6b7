import "gambol/element";
import { drive } from "gambol/drive";

const player = document.querySelector("gambol-player")!;
const track = document.querySelector("#track")!;

drive(player, track, { clip: "Jump" });
