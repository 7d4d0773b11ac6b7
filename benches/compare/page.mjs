/**
 * A page for one module of this folder, which the address names: `?module=gambol&backend=webgpu`.
 *
 * A player's module exports `open(options)`, which resolves to functions that take one argument:
 *
 * - `take({ url, part, view })` draws a model at its rest pose. It resolves to PNGs as data URLs: `picture`, and `mask`
 *   if the model alone doesn't cover what is drawn. `part` is a key of `PARTS`, `view` comes from `cameraFor`.
 * - `box(url)` resolves to the lowest and the highest corner of a model. Only three.js has it.
 */

const { module, ...options } = Object.fromEntries(new URLSearchParams(location.search));

/** The functions of the module, for the program that opened the page. */
globalThis.lab = import(`./${module}.mjs`).then(({ open }) => open(options));
