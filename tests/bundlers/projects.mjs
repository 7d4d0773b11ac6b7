/** How each project is built and served, which is all that they don't have in common. */

/**
 * Commands are `[program, …arguments]`: a package's first program by the package's name, or a script of the project.
 * Those that serve get a free port.
 *
 * - `models`: the folder whose files are served as they are
 * - `build`, then `page`, the folder that it leaves for any server, or `serve`, its own
 * - `dev`: the server for development; or `watch`, which makes the file `makes` of `page` over and over
 * - `run`: a program, and what it must say
 */
export const PROJECTS = {
  vite: {
    models: "public",
    build: ["vite", "build"],
    page: "dist",
    dev: (port) => ["vite", "--port", port, "--strictPort"],
  },
  vite7: {
    models: "public",
    build: ["vite", "build"],
    page: "dist",
    dev: (port) => ["vite", "--port", port, "--strictPort"],
  },
  webpack: {
    models: "public",
    build: ["webpack", "--mode", "production", "--output-path", "public"],
    page: "public",
    dev: (port) => ["webpack-dev-server", "--mode", "development", "--port", port],
  },
  rollup: {
    models: "public",
    build: ["rollup", "--config"],
    page: "public",
    watch: ["rollup", "--config", "--watch"],
    makes: "main.js",
  },
  esbuild: {
    models: "public",
    build: ["build.mjs"],
    page: "public",
    dev: (port) => ["build.mjs", port],
  },
  parcel: {
    models: "dist",
    build: ["parcel", "build", "index.html"],
    page: "dist",
    dev: (port) => ["parcel", "index.html", "--port", port],
  },
  "script-tag": { models: ".", page: "." },
  next: {
    models: "public",
    build: ["next", "build"],
    serve: (port) => ["next", "start", "--port", port],
    dev: (port) => ["next", "dev", "--port", port],
  },
  node: {
    models: ".",
    run: ["render.mjs"],
    says: "function,function,function,function,function,function\n",
  },
  react: { models: ".", run: ["typescript"], says: "" },
  vue: { models: ".", run: ["typescript"], says: "" },
  svelte: { models: ".", run: ["typescript"], says: "" },
};
