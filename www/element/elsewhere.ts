/** The way to a host in a worker, which no other page fetches. */
import { Contents } from "./contents.js";
import { asError, GambolError } from "./errors.js";
import { notStarted, saidOfPage } from "./loader.js";
import type { PlayerOptions } from "./options.js";
import type { RemoteHost } from "./remote_host.js";
import { PageStage } from "./stage.js";

/** The script is lent what it needs from here: it stays one file, and so does this one. */
export async function startThere(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<RemoteHost> {
  const script = await import("./remote_host.js").catch((error) => {
    throw notStarted(error);
  });
  return script.startRemote(canvas, options, { asError, Contents, GambolError, PageStage, saidOfPage });
}
