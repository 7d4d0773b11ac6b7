/** The way to a host in a worker, which no other page fetches. */
import { notStarted, saidOfPage } from "../engine/engine.js";
import { Contents } from "../files/contents.js";
import type { PlayerOptions } from "../host/options.js";
import { PageStage } from "../host/stage.js";
import { asError, GambolError } from "../errors.js";
import type { RemoteHost } from "./remote_host.js";

/** The script is lent what it needs from here: it stays one file, and so does this one. */
export async function startThere(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<RemoteHost> {
  const script = await import("./remote_host.js").catch((error) => {
    throw notStarted(error);
  });
  return script.startRemote(canvas, options, { asError, Contents, GambolError, PageStage, saidOfPage });
}
