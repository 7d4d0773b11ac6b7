/** Starts a host in a worker. Only pages that play in a worker fetch its script. */
import { webgpu } from "../engine/connection.js";
import { fetched, pageUrls } from "../engine/engine.js";
import { Contents } from "../files/contents.js";
import type { PlayerOptions } from "../host/options.js";
import { PageStage } from "../host/stage.js";
import { asError, GambolError } from "../errors.js";
import type { RemoteHost } from "./remote_host.js";

/**
 * Starts a player in the worker. The script receives values of the main script as an argument, so that bundlers split
 * neither of them.
 */
export async function startInWorker(canvas: HTMLCanvasElement, options: PlayerOptions): Promise<RemoteHost> {
  const script = await fetched(import("./remote_host.js"));
  return script.startRemote(canvas, options, { asError, Contents, GambolError, PageStage, pageUrls, webgpu });
}
