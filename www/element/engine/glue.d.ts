/** The glue that `npm run build` generates. `wasm.ts` declares its exports. */
declare module "*/gambol.js";
