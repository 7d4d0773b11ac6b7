import { Player } from "/gambol/index.js";
import "/gambol/element.js";

// Additional models that the tests create.
Object.assign(window, { Player });
