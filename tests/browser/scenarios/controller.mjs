/** The element's attribute `controller` starts a state machine, and a wrong controller is an error with a place. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    const heard = stage.record(element, "statechange", "play", "error");
    Object.assign(element, {
      backend,
      src: "/fixtures/swing.glb",
      controller: "/fixtures/up_and_down.json",
      autoplay: true,
    });
    const playing = stage.once(element, "statechange");
    document.body.append(element);
    const first = await playing;
    const { player } = element;
    player.autoUpdate = false;
    const results = {
      first,
      state: player.layer("base").stateName,
      kinds: player.parameters.names.map((name) => [name, player.parameters.kind(name), player.parameters.get(name)]),
    };
    heard.length = 0;

    player.parameters.set("height", 1);
    player.advance(0.1);
    player.advance(0.5);
    results.raised = {
      state: player.layer("base").stateName,
      clip: player.clip.name,
      heard: heard.splice(0).map(({ name, detail }) => `${name} ${detail.layer} ${detail.state ?? detail.clip.name}`),
    };
    player.parameters.fire("drop");
    results.fired = player.parameters.get("drop");
    player.parameters.set("height", 0);
    player.advance(0.1);
    results.dropped = [player.layer("base").stateName, player.parameters.get("drop")];

    const lift = () => player.node("Lower").worldMatrix[13];
    const before = lift();
    const failed = stage.once(element, "error");
    element.controller = "/fixtures/nowhere.json";
    const error = await failed;
    results.failed = {
      code: error.code,
      place: error.place,
      same: lift() === before,
      state: player.layer("base").stateName,
    };

    const missing = stage.once(element, "error");
    element.controller = "/fixtures/missing.json";
    results.missing = (await missing).code;
    element.removeAttribute("controller");
    await null;
    await new Promise((resolve) => setTimeout(resolve));
    results.without = [player.layer("base").stateName, player.state];
    element.remove();
    return results;
  }, backend);

  assert.deepEqual(told.first, { layer: "base", state: "Down" });
  assert.equal(told.state, "Down");
  assert.deepEqual(told.kinds, [
    ["drop", "trigger", false],
    ["height", "number", 0],
  ]);
  assert.deepEqual(told.raised, {
    state: "Up",
    clip: "Raise",
    heard: ["play base Raise", "statechange base Up"],
  });
  assert.deepEqual([told.fired, told.dropped], [true, ["Down", false]]);
  assert.deepEqual(told.failed, {
    code: "CONTROLLER_STATE_UNKNOWN",
    place: "/layers/0/transitions/0/to",
    same: true,
    state: "Down",
  });
  assert.equal(told.missing, "HTTP_STATUS");
  assert.deepEqual(told.without, [null, "stopped"]);
}

export const expectedErrors = [/missing\.json/];
