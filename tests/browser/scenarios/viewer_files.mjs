/**
 * The viewer asks for the ticks per second that a file lacks, shows the skeleton of a file without a mesh, and adds the
 * clips of other files.
 */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";
export const backends = ["webgpu"];

const BARE = `xof 0303txt 0032
AnimTicksPerSecond { 10; }
Frame Hip { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }
  Frame Knee { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-1,0,1;; } } }
AnimationSet Kick { Animation { { Hip } AnimationKey { 2; 2; 0;3;0,0,0;;, 10;3;0,2,0;;; } } }`;

export default async function ({ page }) {
  await page.waitForFunction(() => document.querySelector("gambol-player").player?.clips.length > 0);
  const opened = (action, argument) =>
    page.evaluate(
      async (action, argument) => {
        const element = document.querySelector("gambol-player");
        const loaded = untilEvent(element, "load");
        if (action === "drop") {
          const transfer = new DataTransfer();
          const [name, text] = argument;
          const content = text ?? (await (await fetch(`/fixtures/formats/${name}`)).arrayBuffer());
          transfer.items.add(new File([content], name));
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }),
          );
        } else {
          const input = document.querySelector("#ticks-per-second");
          input.value = argument;
          input.dispatchEvent(new Event("change", { bubbles: true }));
        }
        await loaded;
        const { player } = element;
        return {
          duration: player.clips[0].duration,
          asks: !document.querySelector("#ticks").hidden && document.querySelector("#ticks-per-second").value,
          skeleton: [element.skeleton, document.querySelector("#skeleton").checked],
        };
      },
      action,
      argument,
    );

  const ticks = await opened("drop", ["ticks.x"]);
  assert.equal(ticks.asks, "4800", "the file doesn't say what a tick is");
  const slower = await opened("answer", "100");
  assert.ok(Math.abs(slower.duration / ticks.duration - 48) < 1e-3, `${ticks.duration} s became ${slower.duration} s`);
  assert.equal(slower.asks, "100");

  const bare = await opened("drop", ["bare.x", BARE]);
  assert.deepEqual(bare.skeleton, [true, true], "there is nothing else to see");
  assert.equal(bare.asks, false, "this one says it");
  // When the clip plays, which moves the joints from −1 to 2, the camera frames that range.
  await page.waitForFunction(
    () => Math.abs(document.querySelector("gambol-player").player.camera.target[1] - 0.5) < 0.1,
  );
  const swing = await opened("drop", ["swing.x"]);
  assert.deepEqual(swing.skeleton, [false, false], "it goes with the model that it came with");

  const clips = await page.evaluate(async () => {
    const transfer = new DataTransfer();
    for (const name of ["swing.x", "ticks.x"]) {
      transfer.items.add(new File([await (await fetch(`/fixtures/formats/${name}`)).arrayBuffer()], name));
    }
    const input = document.querySelector("#clips-input");
    const element = document.querySelector("gambol-player");
    const before = element.clips.length;
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    for (let added = 0; added < 2; added++) await untilEvent(element, "clipsadd");
    const buttons = [...document.querySelectorAll("#clips button")];
    buttons.at(-1).click();
    await untilEvent(element, "clipchange");
    const marked = buttons.filter((button) => button.getAttribute("aria-current") === "true");
    return [before, element.clips.length, buttons.length, marked.length && marked[0] === buttons.at(-1)];
  });
  assert.deepEqual(clips.slice(1), [clips[1], clips[1], true], "added clips are listed and play");
  assert.ok(clips[1] > clips[0] + 1, `${clips}`);
}
