import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";
import { inTime, watched } from "../browser/patience.mjs";

const folder = join(root, "tests/browser");
const files = readdirSync(folder, { recursive: true })
  .map((path) => path.split("\\").join("/"))
  .filter((path) => /\.m?js$/.test(path) && !path.startsWith("out/") && path !== "patience.mjs");

/** Patterns of waits without a limit, and their replacements. */
const ENDLESS = [
  [/timeout: 0\b/, "a timeout of its own"],
  [/\bwhile \(.*\) await (?!inTime\()/, "until()"],
  [/\bfor \(;;\)/, "until()"],
  [/new Promise\(\(\w+\) => \w+\.addEventListener\(/, "untilEvent()"],
];

test("no wait of the browser's tests is without an end", () => {
  assert.ok(files.length > 80, `there are ${files.length}`);
  const found = files.flatMap((path) =>
    readFileSync(join(folder, path), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        ENDLESS.filter(([pattern]) => pattern.test(line)).map(
          ([, instead]) => `${path}:${at + 1}: use ${instead}: ${line.trim()}`,
        ),
      ),
  );
  assert.deepEqual(found, []);
});

test("a wait that takes too long says what it waited for", async () => {
  await assert.rejects(inTime("the moon", new Promise(() => undefined), 0.01), /still waiting after 0\.01 s: the moon/);
  assert.equal(await inTime("the sun", Promise.resolve("up"), 10), "up");
  let end;
  const page = watched({
    evaluate: () => new Promise((resolve) => (end = resolve)),
    waitForFunction: () =>
      Promise.reject(Object.assign(new Error("Waiting failed: 1000ms exceeded"), { name: "TimeoutError" })),
  });
  const call = page.evaluate(() => "the stars");
  assert.match(page.underWay(), /page\.evaluate\(\(\) => "the stars"\)/);
  end();
  await call;
  assert.equal(page.underWay(), "");
  await assert.rejects(
    page.waitForFunction(() => "the tide"),
    /1000ms exceeded: .*page\.waitForFunction\(\(\) => "the tide"\)/,
  );
});
