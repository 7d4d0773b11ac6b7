import { Player } from "gambol";
import "gambol/element";
import "./main.css";

// What the tests make in addition.
Object.assign(window, { Player });
