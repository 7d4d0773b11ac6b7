import { Player } from "./node_modules/gambol/dist/index.js";

// What the tests make in addition.
Object.assign(window, { Player });
