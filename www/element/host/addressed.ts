/** Handles whose calls concern one actor of a player. Imported with the first actor. */
import type { PlayerHandle } from "../engine/wasm.js";

type Members = Record<string | symbol, unknown>;

/** Returns a handle that forwards everything to the player's, which `handle` returns, addressed to an actor. */
export function addressed(handle: () => PlayerHandle, actor: number): PlayerHandle {
  const within = <Result>(use: (members: Members) => Result): Result => {
    const rust = handle();
    rust.address(actor);
    try {
      const result = use(rust as unknown as Members);
      rust.address(0);
      return result;
    } catch (error) {
      // After a trap, nothing may be called.
      if (!(error instanceof WebAssembly.RuntimeError)) rust.address(0);
      throw error;
    }
  };
  return new Proxy({} as PlayerHandle, {
    get(_, name) {
      const member = within((rust) => rust[name]);
      if (!(member instanceof Function)) return member;
      return (...args: unknown[]) => within((rust) => (rust[name] as (...args: unknown[]) => unknown)(...args));
    },
    set(_, name, value) {
      within((rust) => (rust[name] = value));
      return true;
    },
  });
}
