/**
 * Up to Vite 7 its server for development loses what lies beside a package's scripts, unless it leaves them where they
 * are.
 */
export default { optimizeDeps: { exclude: ["gambol"] } };
