import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { shorten } from "../../www/glue.mjs";
import { root } from "../../www/toolchain.mjs";
import { readWasm } from "../packed.mjs";

const dist = join(root, "dist");
const character = new Uint8Array(readFileSync(join(dist, "viewer/character.glb")));
const module = new WebAssembly.Module(readWasm(join(dist, "wasm/webgl/gambol_bg.wasm")));
const parts = ["late", "import", "still", "tangents"].map((name) => ({
  name,
  module: new WebAssembly.Module(readWasm(join(dist, `wasm/webgl/gambol_${name}.wasm`))),
}));
/** The glue before the build shortens and minifies it. */
const long = readFileSync(join(root, "target/xtask/webgl/gambol.js"), "utf8");

/** Runs a script as a module with an instance of its own. */
async function started(script) {
  const glue = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  glue.start(new WebAssembly.Instance(module, glue.imports()), module);
  for (const part of parts) glue.join(part.name, new WebAssembly.Instance(part.module, glue.partImports()));
  for (const part of [0, 1]) glue.partJoined(part);
  glue.onError((code, message, place) => new Error([code, message, place].join("|")));
  return glue;
}

/** Calls with each kind of argument and result. */
const CALLS = {
  "a text": ({ glue }) => glue.imageType(new Uint8Array(18), "image/péng"),
  "lists of texts": ({ model }) => [model.names(0), model.names(1), model.names(3), model.warnings()],
  "lists of numbers": ({ model }) => [model.clipDurations(), model.nodeParents(), model.clipBytes(), model.nodeFlags()],
  "a number": ({ model }) => model.imageCount,
  "an argument": ({ model }) => [model.skinJoints(0), model.imageUri(99), model.imageBytes(99)],
  "an error of an import": ({ glue }) => glue.importModel(character.subarray(0, 100), [], [], [], false),
  "an inspection": ({ glue }) => glue.inspect(new Uint8Array(3)),
  "an argument of another class": ({ player }) => player.prepare(player),
  "no argument": ({ player }) => player.prepare(undefined),
  "a player's values": ({ player }) => [player.state, player.ground, player.background, player.camera()],
  "a text as argument": ({ player }) => player.setParameter("Größe €", 1),
  "two texts": ({ player }) => player.setLayer("base", '{"weight":2'),
  "a list as argument": ({ player }) => {
    player.setNode(1, 0, new Float32Array([1, 2, 3]), 0, 1);
    player.pose();
    return player.nodeMatrix(1);
  },
  "several lists": ({ player }) => player.setFeet("{}", 0.1, new Uint32Array([1, 2]), new Float32Array(3)),
  "a clip": ({ player }) => {
    player.play("base", '{"clip":"Walk"}', record);
    player.update(0.25);
    player.pose();
    return [player.clip, player.currentTime, player.worldMatrices(0), player.drainEvents(), player.layer("base")];
  },
  "no text": ({ player }) => player.stateName("base", undefined),
  "no controller": ({ player }) => player.setController(undefined),
  "a controller with a mistake": ({ player }) => player.setController('{"states":[]}'),
  "a setting": ({ player }) => {
    player.playbackRate = 2;
    player.wind = new Float32Array([1, 0, 0]);
    return [player.playbackRate, player.wind];
  },
  "a wrong setting": ({ player }) => (player.playbackRate = Number.NaN),
  "an index that may be missing": ({ player }) => player.fadeRagdoll(1, 0, undefined),
  "memory that grows": ({ glue, model }) => {
    const models = Array.from({ length: 40 }, () => glue.importModel(character, [], [], [], false));
    for (const copy of models) copy.free();
    return [model.restMatrices(), model.names(0)];
  },
  "an object twice freed": ({ glue }) => {
    const copy = glue.importModel(character, [], [], [], false);
    copy.free();
    return copy.names(0);
  },
  "an object of the previous instance": ({ glue, player }) => {
    glue.__wbg_reset_state();
    return player.pause();
  },
};

/** The calls that fail, in either form of the glue. */
const FAIL = [
  "an error of an import",
  "an argument of another class",
  "no argument",
  "a text as argument",
  "two texts",
  "several lists",
  "a controller with a mistake",
  "a wrong setting",
  "an object twice freed",
  "an object of the previous instance",
];

const record = { fade: 0, easing: 0, crossing: 0, passes: 0, bounce: false, speed: 1, start: 0, resumes: false };

test("shortened glue does what the glue does", async () => {
  const outcomes = await Promise.all(
    [long, shorten(long)].map(async (script) => {
      const glue = await started(script);
      const model = glue.importModel(character, [], [], [], true);
      const player = new glue.PlayerHandle();
      player.show(model, []);
      return Object.fromEntries(
        Object.entries(CALLS).map(([name, call]) => {
          try {
            return [name, call({ glue, model, player })];
          } catch (error) {
            return [name, `${error.name}: ${error.message}`];
          }
        }),
      );
    }),
  );
  const [before, after] = outcomes;
  assert.deepEqual(after, before);
  const failed = Object.keys(before).filter((name) => String(before[name]).includes("Error: "));
  assert.deepEqual(failed, FAIL);
  assert.equal(before["a text"], "image/péng");
  assert.deepEqual(before["lists of texts"][0], ["Idle", "Walk", "Run", "Wave", "Jump", "Dance"]);
});

test("glue of another form is refused", () => {
  const pieces = {
    "throw e;": "throw (e);",
    "deferred3_1 = ret[1]": "deferred3_1 = ret[2]",
    "ret[1] * 4, 4);": "ret[1] * 4, 8);",
    "throw takeFromExternrefTable0(ret": "throw takeFromExternrefTable0 (ret",
    "(model).__wbg_inst !==": "(model).__wbg_inst !=",
    "__destroy_into_raw() {": "__destroy_into_raw () {",
    "static __wrap(ptr)": "static __wrap(pointer)",
    "(({ ptr, instance }) =>": "(({ instance, ptr }) =>",
    "Memory0() {": "Memory0 () {",
    "Number.MAX_SAFE_INTEGER : (": "Number.MAX_SAFE_INTEGER: (",
    "arg, malloc)": "arg, allocate)",
    "typeof self === ": "typeof self == ",
    "}, arguments); }": "}, arguments);}",
    "f.apply(this, args)": "f.apply(undefined, args)",
    "        this.__wbg_ptr = ret;": "        this.__wbg_ptr = +ret;",
  };
  for (const [piece, other] of Object.entries(pieces)) {
    assert.ok(long.includes(piece), piece);
    assert.throws(() => shorten(long.replaceAll(piece, other)), /www\/glue.mjs doesn't expect/, piece);
  }
});

test("values that are passed in another order than they are made are refused", () => {
  const call = "(self, ptr0, len0, ptr1, len1";
  assert.ok(long.includes(call));
  for (const other of ["ptr1, len1, ptr0, len0", "len0, ptr0, ptr1, len1", "ptr0, len0, ptr1, ptr1"])
    assert.throws(() => shorten(long.replace(call, `(self, ${other}`)), /doesn't expect/, other);
});
