/**
 * `npm run bench`: measures posing natively, and in a browser beside other players. No result fails a build.
 *
 * `npm run bench -- native` or `-- browser` runs one of the two.
 */

import { build } from "../www/build.mjs";
import { run } from "../www/toolchain.mjs";
import { benchBrowser } from "./browser.mjs";

const wanted = process.argv.slice(2);
const wants = (part) => wanted.length === 0 || wanted.includes(part);

try {
  await build();
  if (wants("native")) {
    console.log("\n── native: cargo bench, a joint's share of the time");
    // A shared target folder, so that dependencies which the build compiled aren't compiled again.
    run("cargo", ["bench", "--manifest-path", "benches/native/Cargo.toml", "--target-dir", "target", "--", "--quiet"]);
  }
  if (wants("browser")) {
    console.log("\n── in Chromium, beside other players");
    await benchBrowser();
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
