/** Clips of other files: added to a model in the page and in a worker, with a load, and by the element's attribute. */

import assert from "node:assert/strict";

/** The element reports a file that doesn't exist. */
export const expectedErrors = [/404 \(Not Found\).*nowhere\.glb/];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const names = (clips) => clips.map(({ name, index }) => `${index} ${name}`).join(", ");
    const failure = (promise) =>
      promise.then(
        () => "none",
        (error) => error.code ?? error.name,
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
      told.push(await failure(player.addClips("stroll.glb")));
      await player.load("swing.glb");
      const [swing] = player.clips;
      const heard = stage.record(player, "clipsadd", "clipchange", "finished");
      player.play("Swing");
      player.advance(0.25);
      const before = await matrices(player);
      const added = await player.addClips("stroll.glb");
      told.push(names(added.clips), added.warnings.length, names(player.clips), player.clips[0] === swing);
      await player.settled();
      told.push(player.clip?.name, player.currentTime, `${await matrices(player)}` === `${before}`);

      // The same poses as in the clip's own file.
      player.play("Stroll", { loop: "once" });
      player.advance(0.5);
      const twin = await stage.openModel(backend, "stroll.glb", { worker });
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
      await player.addClips("stroll.glb");
      await player.addClips(new File([await (await fetch("stroll.glb")).arrayBuffer()], "amble.glb"));
      await player.addClips("stroll.glb", { names: { Stroll: "Saunter" } });
      told.push(names(player.clips));

      // Errors leave the model as it is.
      for (const promise of [
        player.addClips("nowhere.glb"),
        player.addClips("checks.png"),
        player.addClips(5),
        player.addClips("stroll.glb", { retarget: true }),
        player.addClips("stroll.glb", { names: "Walk" }),
        player.addClips("stroll.glb", { signal: AbortSignal.abort() }),
        player.addClips(new File([JSON.stringify({ asset: { version: "2.0" } })], "empty.gltf")),
      ]) {
        told.push(await failure(promise));
      }
      const late = failure(player.addClips("stroll.glb?late"));
      await player.load("swing.glb", { clips: ["stroll.glb", "nowhere.glb"] });
      told.push(await late, names(player.clips));
      told.push(player.warnings.map(({ code, place }) => `${code} ${place.split("/").pop()}`).join());
      told.push(await failure(player.load("swing.glb", { clips: "stroll.glb" })), names(player.clips));
      const disposed = failure(player.addClips("stroll.glb?disposed"));
      player.dispose();
      told.push(await disposed);
      twin.dispose();
    }

    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "swing.glb", clipsSrc: " stroll.glb\n stroll.glb?2", clip: "stroll" });
    element.autoplay = true;
    element.style.cssText = "display:block;width:100px;height:100px";
    const codes = [];
    element.addEventListener("error", (event) => {
      event.preventDefault();
      codes.push(event.detail.code);
    });
    const played = [];
    element.addEventListener("clipchange", ({ detail }) => played.push(detail.clip?.name));
    const next = (name) => new Promise((resolve) => element.addEventListener(name, resolve, { once: true }));
    const loaded = next("load");
    document.body.append(element);
    await loaded;
    while (played.length === 0) await new Promise(requestAnimationFrame);
    results.element = [names(element.clips), played[0]];
    const added = next("clipsadd");
    const failed = next("error");
    Object.assign(element, { clipsSrc: "stroll.glb stroll.glb?3 nowhere.glb?2", clip: "stroll 2" });
    await added;
    await failed;
    while (played.length === 1) await new Promise(requestAnimationFrame);
    results.element.push(names(element.clips), played[1], codes.join());
    element.remove();
    return results;
  }, backend);

  const three = "0 Swing, 1 Raise, 2 Stroll";
  const expected = [
    "NO_MODEL",
    ...["2 Stroll", 0, three, true],
    ...["Swing", 0.25, true],
    ...[true, 1, 1],
    "clipchange Swing, clipsadd Stroll, clipchange Stroll, finished Swing, finished Stroll",
    `${three}, 3 stroll, 4 amble, 5 Saunter`,
    ...["HTTP_STATUS", "NOT_A_MODEL", "NOT_A_SOURCE", "WRONG_VALUE", "WRONG_VALUE", "AbortError", "NO_FITTING_CLIPS"],
    ...["AbortError", three, "CLIPS_NOT_ADDED nowhere.glb", "WRONG_VALUE", three],
    "PLAYER_DISPOSED",
  ];
  assert.deepEqual(told.page, expected);
  assert.deepEqual(told.worker, expected);
  assert.deepEqual(told.element, [
    `${three}, 3 stroll`,
    "stroll",
    `${three}, 3 stroll, 4 stroll 2`,
    "stroll 2",
    "HTTP_STATUS",
  ]);
}
