import { Player } from "/gambol/index.js";
import "/gambol/element.js";

// What the tests make in addition.
Object.assign(window, { Player });
