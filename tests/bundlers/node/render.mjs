/** What a server does that renders pages: it imports everything, and there is no DOM. */
import { GambolError, Player, preload, toGlb } from "gambol";
import { GambolPlayerElement } from "gambol/element";
import { drive } from "gambol/drive";

console.log([GambolError, Player, preload, toGlb, GambolPlayerElement, drive].map((value) => typeof value).join());
