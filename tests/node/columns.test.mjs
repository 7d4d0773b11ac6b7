import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../www/toolchain.mjs";

const MOST = 120;

/** Tracked files that may have longer lines, each with the reason. */
const DATA = [
  [/(^|\/)(package-lock\.json|Cargo\.lock)$/, "npm and cargo write them"],
  [/^tests\/fixtures\//, "models, poses and fuzz inputs"],
];

/** Returns `file:line: N columns` for each line that is too long. A file with a zero byte is binary. */
function tooLong(file, bytes) {
  if (bytes.includes(0)) return [];
  return bytes
    .toString("utf8")
    .split(/\r?\n/)
    .map((line) => Array.from(line).length)
    .flatMap((columns, index) => (columns > MOST ? [`${file}:${index + 1}: ${columns} columns`] : []));
}

test("columns are characters, binary files have none, and a line is named by its number", () => {
  const line = "é".repeat(MOST);
  assert.deepEqual(tooLong("a.md", Buffer.from(`${line}\r\n${line}\n`)), []);
  assert.deepEqual(tooLong("a.md", Buffer.from(`short\n${line}😀`)), ["a.md:2: 121 columns"]);
  assert.deepEqual(tooLong("a.png", Buffer.from(`${line}${line}\0`)), []);
});

test("no line of a tracked file is longer than 120 columns", (t) => {
  if (!existsSync(join(root, ".git"))) return t.skip("no git repository, so no list of tracked files");
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  // A tracked file that was deleted and not yet committed is still listed.
  const files = list.split("\0").filter((file) => file && existsSync(join(root, file)));
  for (const [pattern, why] of DATA)
    assert.ok(
      files.some((file) => pattern.test(file)),
      `none left: ${why}`,
    );
  const ours = files.filter((file) => !DATA.some(([pattern]) => pattern.test(file)));
  assert.ok(ours.length > 500, `${ours.length} files`);
  const found = ours.flatMap((file) => tooLong(file, readFileSync(join(root, file))));
  assert.ok(found.length === 0, `\n${found.join("\n")}`);
});
