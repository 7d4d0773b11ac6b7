/** Clips of other files: added to a model in the page and in a worker, with a load, and by the element's attribute. */

import assert from "node:assert/strict";
import { createServer } from "node:http";

/** The element reports a file that doesn't exist. */
export const expectedErrors = [/404 \(Not Found\).*nowhere\.glb/];

export default async function (context) {
  const asked = [];
  const silent = createServer(({ url, socket }) => {
    asked.push(url);
    socket.on("close", () => asked.push(`${url} closed`));
  });
  await new Promise((done) => silent.listen(0, "127.0.0.1", done));
  try {
    await added(context, `http://localhost:${silent.address().port}/`);
    // In the page and in a worker.
    for (const url of ["/replaced.glb", "/disposed.glb"]) {
      assert.deepEqual(asked.filter((line) => line.startsWith(url)).sort(), [
        url,
        url,
        `${url} closed`,
        `${url} closed`,
      ]);
    }
  } finally {
    silent.close();
  }
}

async function added({ page, backend }, silent) {
  const told = await page.evaluate(
    async (backend, silent) => {
      const names = (clips) => clips.map(({ name, index }) => `${index} ${name}`).join(", ");
      const failure = (promise) =>
        promise.then(
          () => "none",
          (error) => (error.name === "AbortError" ? error.name : error.code),
        );
      const matrices = async (player) => {
        player.worldMatrices();
        await player.settled();
        return [...player.worldMatrices()];
      };
      const results = {};

      for (const worker of [false, true]) {
        const told = (results[worker ? "worker" : "page"] = []);
        const player = await stage.open(backend, { worker });
        told.push(await failure(player.addClips("/fixtures/stroll.glb")));
        await player.load("/fixtures/swing.glb");
        const [swing] = player.clips;
        const heard = stage.record(player, "clipsadd", "clipchange", "finished");
        player.play("Swing");
        player.advance(0.25);
        const before = await matrices(player);
        const added = await player.addClips("/fixtures/stroll.glb");
        told.push(names(added.clips), added.warnings.length, names(player.clips), player.clips[0] === swing);
        await player.settled();
        told.push(player.clip?.name, player.currentTime, `${await matrices(player)}` === `${before}`);

        // The same poses as in the clip's own file.
        player.play("Stroll", { loop: "once" });
        player.advance(0.5);
        const twin = await stage.openModel(backend, "/fixtures/stroll.glb", { worker });
        twin.play("Stroll");
        twin.advance(0.5);
        told.push(`${await matrices(player)}` === `${await matrices(twin)}`, player.duration);
        player.setMarkers("Stroll", [{ name: "step", time: 0.75 }]);
        await player.settled();
        told.push(player.markers("Stroll").length);
        player.advance(1);
        await player.settled();
        await null;
        told.push(heard.map(({ name, detail }) => `${name} ${(detail.clip ?? detail.clips?.[0])?.name}`).join(", "));

        // Names that are taken, and names that the page gives.
        await player.addClips("/fixtures/stroll.glb");
        // One clip, which moves a joint to the origin.
        const amble = {
          asset: { version: "2.0" },
          nodes: [{ name: player.nodes.at(-1).name }],
          animations: [
            {
              name: "Stroll",
              samplers: [{ input: 0, output: 1 }],
              channels: [{ sampler: 0, target: { node: 0, path: "translation" } }],
            },
          ],
          accessors: ["SCALAR", "VEC3"].map((type) => ({ componentType: 5126, count: 1, type })),
        };
        await player.addClips(new File([JSON.stringify(amble)], "amble.gltf"));
        await player.addClips("/fixtures/stroll.glb", { names: { Stroll: "Saunter" } });
        told.push(names(player.clips));

        // Errors leave the model as it is.
        const calls = [
          player.addClips("/fixtures/nowhere.glb"),
          player.addClips("/fixtures/checks.png"),
          player.addClips(5),
          player.addClips("/fixtures/stroll.glb", { retarget: "yes" }),
          player.addClips("/fixtures/stroll.glb", { names: "Walk" }),
          player.addClips("/fixtures/stroll.glb", { signal: AbortSignal.abort() }),
          player.addClips(new File([JSON.stringify({ asset: { version: "2.0" } })], "empty.gltf")),
        ];
        told.push(...(await Promise.all(calls.map(failure))));
        const late = failure(player.addClips(`${silent}replaced.glb`));
        await player.load("/fixtures/swing.glb", { clips: ["/fixtures/stroll.glb", "/fixtures/nowhere.glb"] });
        told.push(await late, names(player.clips));
        told.push(player.warnings.map(({ code, place }) => `${code} ${place.split("/").pop()}`).join());
        told.push(
          await failure(player.load("/fixtures/swing.glb", { clips: "/fixtures/stroll.glb" })),
          names(player.clips),
        );
        const disposed = failure(player.addClips(`${silent}disposed.glb`));
        await new Promise((resolve) => setTimeout(resolve, 100));
        player.dispose();
        told.push(await disposed);
        twin.dispose();
      }

      const element = document.createElement("gambol-player");
      Object.assign(element, {
        backend,
        src: "/fixtures/swing.glb",
        clipsSrc: " /fixtures/stroll.glb\n /fixtures/stroll.glb?2",
        clip: "Stroll 2",
      });
      element.autoplay = true;
      element.style.cssText = "display:block;width:100px;height:100px";
      const codes = [];
      element.addEventListener("error", (event) => {
        event.preventDefault();
        codes.push(event.detail.code);
      });
      const played = () => untilEvent(element, "clipchange", undefined, ({ detail }) => detail.clip?.name);
      const [loaded, first] = [untilEvent(element, "load"), played()];
      document.body.append(element);
      await loaded;
      results.element = [names(element.clips), await first];
      const [added, failed, second] = [untilEvent(element, "clipsadd"), untilEvent(element, "error"), played()];
      Object.assign(element, {
        clipsSrc: "/fixtures/stroll.glb /fixtures/stroll.glb?3 /fixtures/nowhere.glb?2",
        clip: "Stroll 3",
      });
      await added;
      await failed;
      results.element.push(names(element.clips), await second, codes.join());
      element.remove();
      return results;
    },
    backend,
    silent,
  );

  const once = "0 Swing, 1 Raise, 2 Swing 2, 3 Raise 2, 4 Stroll";
  const twice = `${once}, 5 Swing 3, 6 Raise 3, 7 Stroll 2`;
  const expected = [
    "NO_MODEL",
    ...["2 Swing 2, 3 Raise 2, 4 Stroll", 0, once, true],
    ...["Swing", 0.25, true],
    ...[true, 1, 1],
    "clipchange Swing, clipsadd Swing 2, finished Swing, clipchange Stroll, finished Stroll",
    `${twice}, 8 amble, 9 Swing 4, 10 Raise 4, 11 Saunter`,
    ...["HTTP_STATUS", "NOT_A_MODEL", "NOT_A_SOURCE", "WRONG_TYPE", "WRONG_TYPE", "AbortError", "NO_FITTING_CLIPS"],
    ...["AbortError", once, "CLIPS_NOT_ADDED nowhere.glb", "WRONG_TYPE", once],
    "PLAYER_DISPOSED",
  ];
  assert.deepEqual(told.page, expected);
  assert.deepEqual(told.worker, expected);
  const thrice = `${twice}, 8 Swing 4, 9 Raise 4, 10 Stroll 3`;
  assert.deepEqual(told.element, [twice, "Stroll 2", thrice, "Stroll 3", "HTTP_STATUS"]);
}
