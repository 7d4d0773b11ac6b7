/** Materials changed by the page: colours, numbers and images, per player, and reset by `null`. */

import assert from "node:assert/strict";

import { watchGpus } from "../gpus.mjs";

/** An image that doesn't exist. */
export const expectedErrors = [/Failed to load resource.*404/];

export default async function ({ page, backend, url }) {
  await watchGpus(page, url);
  const told = await page.evaluate(async (backend) => {
    const results = {};
    const still = { clip: "Swing", time: 0.5, css: "width:160px;height:160px" };
    const player = await stage.openModel(backend, "/fixtures/swing.glb", still);
    const other = await stage.openModel(backend, "/fixtures/swing.glb", still);
    for (const one of [player, other]) one.ground = false;
    /** Returns the mean of a channel over the drawn pixels. */
    const mean = (image, lane) => {
      let [sum, count] = [0, 0];
      for (let at = 0; at < image.data.length; at += 4) {
        if (image.data[at + 3] > 20) [sum, count] = [sum + image.data[at + lane], count + 1];
      }
      return sum / count;
    };
    const channels = async () => {
      const image = await stage.look(player);
      return [0, 1, 2, 3].map((lane) => Math.round(mean(image, lane)));
    };
    const file = await stage.look(player);
    const others = await stage.look(other);
    const cloth = player.material("Cloth");
    const numbers = () => [...cloth.color, ...cloth.emissive, cloth.metallic, cloth.roughness, cloth.visible];
    results.names = player.materials;
    results.numbers = numbers();
    results.file = await channels();

    cloth.color = [1, 0.5, 0, 1];
    results.color = [cloth.color, await channels()];
    cloth.color = [1, 1, 1, 0.5];
    results.clear = await channels();
    cloth.color = null;
    results.colorBack = stage.compare(file, await stage.look(player), 0).count;
    cloth.emissive = [0, 0, 1, 1];
    results.emissive = [cloth.emissive, await channels()];
    cloth.emissive = null;
    cloth.metallic = 1;
    cloth.roughness = 0.25;
    results.metal = [numbers(), stage.compare(file, await stage.look(player)).count];
    cloth.metallic = null;
    cloth.roughness = null;
    cloth.visible = false;
    results.hidden = [stage.coverage(await stage.look(player), 1).part, player.stats.draws];
    cloth.visible = true;
    results.back = [numbers(), stage.compare(file, await stage.look(player), 0).count];

    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [64, 32];
    const context = canvas.getContext("2d");
    context.fillStyle = "rgb(0 0 255)";
    context.fillRect(0, 0, 64, 32);
    await cloth.setTexture(canvas);
    results.canvas = await channels();
    const painted = await stage.look(player);
    // An image that doesn't exist.
    const late = cloth.setTexture("/fixtures/picture.png");
    await cloth.setTexture(canvas);
    await late;
    results.late = stage.compare(painted, await stage.look(player), 0).count;
    await cloth.setTexture(new URL("/fixtures/checks.png", location.href));
    results.url = stage.compare(painted, await stage.look(player)).count;
    results.failures = [
      await stage.failure(() => cloth.setTexture("/fixtures/nowhere.png")),
      await stage.failure(() => cloth.setTexture("/fixtures/swing.bin")),
      await stage.failure(() => cloth.setTexture(new Image())),
      await stage.failure(() => (cloth.roughness = 7)),
      await stage.failure(() => (cloth.metallic = NaN)),
      await stage.failure(() => (cloth.color = [1, 1, 1, 2])),
      await stage.failure(() => (cloth.emissive = [-1, 0, 0, 1])),
      await stage.failure(() => player.material("Leather")),
      await stage.failure(() => player.material(1)),
    ].map((failure) => failure && [failure.code, failure.isOurs]);
    await cloth.setTexture(null);
    results.textureBack = stage.compare(file, await stage.look(player), 0).count;
    results.other = stage.compare(others, await stage.look(other), 0).count;

    // Overrides persist after a GPU loss, but not with another model.
    await cloth.setTexture(canvas);
    cloth.color = [0.8, 1, 0.9, 1];
    const before = await stage.look(player);
    const back = Promise.all([player, other].map((one) => stage.once(one, "contextrestored")));
    gpus.lose();
    await gpus.gone();
    cloth.roughness = 0.2;
    cloth.roughness = null;
    gpus.restore();
    await back;
    results.lost = [
      stage.compare(before, await stage.look(player), 0).count,
      stage.compare(others, await stage.look(other), 0).count,
    ];
    await player.load("/fixtures/swing.glb");
    player.play("Swing");
    player.currentTime = 0.5;
    player.frame();
    results.anew = [stage.compare(file, await stage.look(player), 0).count, player.material(0).color];
    return results;
  }, backend);

  assert.deepEqual(told.names, [{ index: 0, name: "Cloth" }]);
  const file = [1, 1, 1, 1, 0, 0, 0, 1, 0, 0.7, true];
  near(told.numbers, file);
  near(told.color[0], [1, 0.5, 0, 1]);
  const [[red, green, blue, alpha], was] = [told.color[1], told.file];
  assert.ok(blue < was[2] / 2 && green < was[1] && red > was[0] - 40 && alpha === was[3], `${told.color[1]} of ${was}`);
  assert.ok(told.clear[3] < was[3] - 60 && told.clear[3] > 60, `${told.clear} lets half through`);
  near(told.emissive[0], [0, 0, 1, 1]);
  assert.ok(told.emissive[1][2] > was[2] + 20, `${told.emissive[1]} shines blue, ${was} didn't`);
  near(told.metal[0].slice(8), [1, 0.25, true]);
  assert.ok(told.metal[1] > 500);
  assert.ok(told.hidden[0] === 0, `${told.hidden}`);
  near(told.back[0], file);
  assert.deepEqual([told.colorBack, told.back[1], told.textureBack, told.other, told.late], [0, 0, 0, 0, 0]);
  assert.ok(told.canvas[2] > 100 && told.canvas[0] < told.canvas[2] / 2, `${told.canvas} is blue`);
  assert.ok(told.url > 500);
  const codes = [
    "HTTP_STATUS",
    "IMAGE_NOT_LOADED",
    "IMAGE_NOT_LOADED",
    "OUT_OF_RANGE",
    "NOT_FINITE",
    "NOT_A_COLOR",
    "NOT_A_COLOR",
    "UNKNOWN_MATERIAL",
    "UNKNOWN_MATERIAL",
  ];
  assert.deepEqual(
    told.failures,
    codes.map((code) => [code, true]),
  );
  assert.deepEqual(told.lost, [0, 0]);
  assert.equal(told.anew[0], 0);
  near(told.anew[1], [1, 1, 1, 1]);
}

function near(found, expected) {
  found.forEach((value, i) =>
    assert.ok(value === expected[i] || Math.abs(value - expected[i]) < 1e-4, `${i}: ${value}, not ${expected[i]}`),
  );
}
