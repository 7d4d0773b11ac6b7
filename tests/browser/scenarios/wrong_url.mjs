/** A wrong address is one error with a code, and nothing else breaks. */

import assert from "node:assert/strict";

// The browser itself reports the 404.
export const expectedErrors = [/Failed to load resource.*404/, /ERR_UNKNOWN_URL_SCHEME|net::ERR|CORS|URL scheme/i];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const heard = stage.record(player, "error", "load");
    const missing = await stage.failure(() => player.load("/nowhere/fox.glb"));
    const notAUrl = await stage.failure(() => player.load("http://"));
    const aborted = new AbortController();
    const loading = stage.failure(() => player.load("/fixtures/swing.glb", { signal: aborted.signal }));
    aborted.abort();
    const cancelled = await loading;
    const told = heard.splice(0).map(({ name, detail }) => [name, detail.code]);
    await player.load("/fixtures/swing.glb");
    return { missing, notAUrl, cancelled, told, after: heard.map(({ name }) => name), clips: player.clips.length };
  }, backend);

  assert.equal(told.missing.code, "HTTP_STATUS");
  assert.match(told.missing.message, /404/);
  assert.match(told.missing.place, /\/nowhere\/fox\.glb$/);
  assert.equal(told.notAUrl.code, "BAD_URL");
  assert.equal(told.cancelled.isOurs, false, "a cancellation is no failure");
  assert.deepEqual(told.told, [
    ["error", "HTTP_STATUS"],
    ["error", "BAD_URL"],
  ]);
  assert.deepEqual(told.after, ["load"]);
  assert.equal(told.clips, 2);
}
