/** The glue that `npm run build` generates; `wasm.ts` says what it exports. */
declare module "*/gambol.js";
