/** The examples of `motion.html`. `www/docs/build.mjs` generates the module from the page's code blocks. */
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
