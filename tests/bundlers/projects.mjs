/** How each project is built and served, which is all that they don't have in common. */

/**
 * A bundler's program is run as `[package, …arguments]`. `page`: where `build` leaves the page. `assets`: where models
 * are put, for dev and build to serve. `dev` gets a free port.
 */
export const PROJECTS = {
  vite: {
    assets: "public",
    build: ["vite", "build"],
    page: "dist",
    dev: (port) => ["vite", "--port", port, "--strictPort", "--host", "127.0.0.1"],
  },
};
