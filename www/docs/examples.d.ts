/** Made by `www/build.mjs` from the blocks of the page beside this file. */
declare module "examples" {
  import type { GambolError, Player } from "gambol";

  interface Page {
    log(...things: unknown[]): void;
  }

  export const examples: Record<
    string,
    (player: Player, gambolError: typeof GambolError, console: Page) => Promise<void>
  >;
}
