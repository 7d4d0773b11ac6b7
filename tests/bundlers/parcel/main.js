import { Player } from "gambol";
import "gambol/element";

// What the tests make in addition.
Object.assign(window, { Player });
