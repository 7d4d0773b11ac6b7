/** Scripts run with and without a worker: the events, values and pictures that the page gets are equal. */

import assert from "node:assert/strict";

/** Twenty players, some with software contexts. */
export const longestSecs = 240;

/** The image of a material doesn't exist. */
export const expectedErrors = [/404 \(Not Found\).*nowhere\.png/];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const EVENTS = ["play", "pause", "loop", "finished", "marker", "statechange", "clipchange", "error"];

    /** Returns the state of a story's player, with its events as text. */
    const open = async (worker, source, options) => {
      const player = await stage.open(backend, { worker, ...options });
      await player.load(source);
      const heard = stage.record(player, ...EVENTS);
      const events = async () => {
        await player.settled();
        await null;
        // With a worker, `clipchange` is dispatched after the other events of a task.
        const late = ({ name }) => name === "clipchange";
        const told = heard.splice(0);
        return [...told.filter((event) => !late(event)), ...told.filter(late)].map(({ name, detail }) =>
          [
            name,
            detail?.layer,
            detail?.clip?.name,
            detail?.name ?? detail?.passes ?? detail?.reason ?? detail?.state ?? detail?.code,
          ].join(" "),
        );
      };
      /** Reads everything twice, since a worker reports values only after they were first read. */
      const read = async (what) => {
        const value = () => {
          const found = what();
          return ArrayBuffer.isView(found) ? [...found] : found;
        };
        value();
        await player.settled();
        return value();
      };
      return { player, events, read };
    };

    const stories = {
      async layers(worker) {
        const { player, events, read } = await open(worker, "/gambol/viewer/character.glb");
        const results = [];
        player.play("Walk");
        player.advance(0.3);
        const upper = player.layer("upper", { mask: { Spine: 1 }, weight: 0.5 });
        results.push(["made", player.layers, upper.weight, upper.state, upper.clip, upper.stateName]);
        upper.play("Dance", { start: 1, fade: 0.2 });
        await player.settled();
        results.push(["plays", upper.state, upper.clip.name, upper.currentTime]);
        results.push(await read(() => player.worldMatrices()), await events());
        upper.weight = 0.25;
        results.push(["weight", upper.weight]);
        upper.fadeTo(1, 0.5);
        player.pause();
        await player.settled();
        results.push(["paused", player.paused, upper.state]);
        player.play();
        player.advance(0.25);
        results.push(await read(() => upper.weight));
        upper.currentTime = 1.5;
        results.push(["sought", upper.currentTime]);
        results.push(await read(() => upper.currentTime));
        upper.stop();
        await player.settled();
        results.push(["stopped", upper.state, upper.clip]);
        player
          .layer("sum", { mode: "add", reference: { clip: "Dance", time: 0 } })
          .play("Dance", { start: 1, sync: "steps", crossing: "inertia" });
        results.push(await read(() => player.skinMatrices()), await events());
        upper.remove();
        results.push(player.layers, await events(), player.layers);
        results.push((await stage.failure(() => upper.play("Wave"))).code);
        return { player, results };
      },

      async events(worker) {
        const { player, events } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        player.setMarkers("Raise", [
          { name: "late", time: 0.75 },
          { name: "early", time: 0.25 },
        ]);
        results.push(player.markers("Raise"));
        player.play("Raise", { loop: 3 });
        player.advance(10);
        results.push(await events(), player.markers("Raise"));
        player.play("Raise", { speed: -1, loop: 2 });
        await player.settled();
        results.push(player.currentTime);
        player.advance(2.5);
        results.push(await events());
        player.play("Swing");
        player.layer("upper").play("Raise", { loop: "once" });
        player.advance(1.5);
        results.push(await events());
        player.addEventListener("loop", () => player.play("Swing"), { once: true });
        player.play("Raise");
        player.advance(1.25);
        await events();
        results.push(player.clip.name);
        return { player, results };
      },

      async runs(worker) {
        const { player } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        let run = player.play("Raise", { loop: "once" });
        results.push([run.clip.name, run.layer]);
        player.advance(2);
        results.push(await run.finished);
        run = player.play("Raise");
        player.play("Swing");
        results.push(await run.finished);
        run = player.layer("upper").play("Raise");
        player.layer("upper").remove();
        results.push(await run.finished);
        const patience = new AbortController();
        run = player.play("Raise", { signal: patience.signal });
        patience.abort();
        results.push(await run.finished);
        run = player.play("Swing");
        player.pause();
        const again = player.play();
        results.push(again === run, again.clip.name);
        await player.load("/fixtures/swing.glb");
        results.push(await run.finished, player.state);
        run = player.play("Raise", { loop: "once" });
        await player.settled();
        player.advance(0.5);
        await player.settled();
        results.push(player.play() === run);
        player.advance(0.6);
        results.push(await run.finished, player.ended);
        return { player, results };
      },

      async replay(worker) {
        const { player, events } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        const upper = player.layer("upper", { mask: { Lower: 1 } });
        const reads = async () => {
          await player.settled();
          return [player.state, player.clip?.name, Math.round(player.currentTime * 1e3), upper.state, upper.clip?.name];
        };
        const first = player.play("Raise", { loop: "once" });
        const above = upper.play("Swing");
        player.advance(2);
        results.push(await first.finished, await reads());
        // The ended run is played again as a new run. The run in the layer above continues.
        const second = player.play();
        results.push(second === first, second.clip.name, await reads());
        player.advance(0.25);
        player.pause();
        results.push(await reads(), player.play() === second, await reads());
        player.playbackRate = -1;
        player.advance(1);
        results.push(await second.finished, await reads());
        const back = player.play();
        results.push(back === second, await reads());
        player.advance(2);
        results.push(await back.finished, await reads());
        player.playbackRate = 1;
        const third = player.play();
        player.currentTime = 99;
        player.advance(0.1);
        results.push(await third.finished, await reads(), await events());
        player.currentTime = 0.25;
        results.push(await reads());
        const fourth = player.play();
        results.push(fourth === third, await reads());
        player.advance(2);
        results.push(await fourth.finished, await reads());
        // The end of the run wasn't awaited. Whichever run is returned, it finishes.
        player.play("Raise", { loop: "once" });
        player.advance(2);
        const unsettled = player.play();
        await player.settled();
        player.advance(2);
        results.push(await unsettled.finished, await reads());
        // After a stop there is nothing to resume, even before the worker has reported it, so the first clip begins.
        const ended = player.play("Raise");
        player.stop();
        const fresh = player.play();
        results.push(await above.finished, await ended.finished, fresh === ended, fresh.clip.name, await reads());
        upper.play("Raise");
        upper.stop({ fade: 0.5 });
        results.push(upper.clip, player.play() === fresh, await reads());
        player.setController({ layers: [{ start: "A", states: { A: { clip: "Raise", loop: "once" } } }] });
        const machine = player.play();
        player.advance(2);
        results.push(await fresh.finished, await machine.finished, machine.clip.name, player.state);
        player.setController(null);
        results.push(player.layers, player.clip, player.play().clip.name);
        return { player, results };
      },

      async controller(worker) {
        const { player, events, read } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        player.setController(await (await fetch("/fixtures/up_and_down.json")).text());
        results.push([...player.layers, ...player.parameters.names].sort());
        await player.settled();
        results.push([player.layer("base").stateName, player.state, player.clip?.name]);
        const { parameters } = player;
        const values = () =>
          [...parameters.names].sort().map((name) => [name, parameters.kind(name), parameters.get(name)]);
        results.push(values());
        player.play();
        results.push(await events(), values(), player.layer("base").stateName, player.clip.name);
        parameters.set("height", 1);
        results.push(values());
        player.advance(0.1);
        player.advance(0.5);
        results.push(await events(), player.layer("base").stateName);
        parameters.fire("drop");
        results.push(parameters.get("drop"));
        parameters.set("height", 0);
        player.advance(0.1);
        results.push(await read(values), player.layer("base").stateName);
        results.push((await stage.failure(() => parameters.set("width", 1))).code);
        player.setController(null);
        await player.settled();
        results.push(player.layer("base").stateName, player.state);
        return { player, results };
      },

      async byHand(worker) {
        const { player, read } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        player.play("Swing");
        player.currentTime = 1;
        player.pause();
        const upper = player.node("Upper");
        results.push(await read(() => upper.worldMatrix));
        upper.rotate([0, 0, Math.SQRT1_2, Math.SQRT1_2], { relativeTo: "pose", weight: 0.5 });
        results.push(await read(() => upper.worldMatrix));
        upper.release();
        upper.translate([0, 0.5, 0]);
        upper.scale([2, 2, 2]);
        results.push(await read(() => player.worldMatrices()));
        player.lookAt("Upper", [3, 1, 2], { limit: 1, weight: 0.5 });
        results.push(await read(() => player.node(1).worldMatrix));
        const wide = player.morph("Wide");
        results.push(player.morphs, await read(() => wide.weight));
        wide.weight = 0.9;
        results.push(wide.weight, await read(() => player.morphWeights(0)));
        wide.weight = null;
        results.push(await read(() => wide.weight));
        results.push(
          (await stage.failure(() => player.morph("Thin"))).code,
          (await stage.failure(() => player.node("Tail"))).code,
        );
        return { player, results };
      },

      async crowd(worker) {
        const { player } = await open(worker, "/gambol/viewer/character.glb");
        const results = [];
        player.crowd(3, {
          clip: "Walk",
          place: (n) => ({ position: [n, 0, 0], heading: n, scale: 1 }),
          phases: [0, 0.25, 0.5],
        });
        results.push(player.characterCount);
        await player.settled();
        player.advance(0.4);
        await stage.failure(() => player.worldMatrices(2));
        await player.settled();
        results.push([...player.worldMatrices(2)], player.stats.characters);
        player.frame();
        return { player, results };
      },

      async characters(worker) {
        const { player, read } = await open(worker, "/fixtures/swing.glb");
        const results = [];
        const rounded = ({ position, heading, scale }) =>
          [...position, heading, scale].map((number) => Math.round(number * 1e5) / 1e5);
        player.play("Swing");
        player.place = { position: [0.5, 0, 0], heading: 1, scale: 1.5 };
        results.push(rounded(player.place), await read(() => rounded(player.place)));
        const crowd = player.crowd(3, { place: (n) => [n, 0, 0], phases: [0, 0.25, 0.5] });
        results.push(crowd.length, rounded(player.place));
        crowd[1].play("Raise", { loop: "once" });
        crowd[2].playbackRate = 2;
        crowd[2].tint = [1, 0.5, 0, 1];
        player.node("Lower").visible = false;
        results.push(player.node("Lower").visible, player.node("Banner").visible);
        player.lookAt("Upper", [3, 1, 2], { smoothing: 0.2 });
        for (let step = 0; step < 6; step++) player.advance(0.05), player.render();
        const told = () =>
          player.characters.map(({ state, currentTime, playbackRate, tint, visible }) => [
            state,
            currentTime,
            playbackRate,
            ...tint,
            visible,
          ]);
        const posed = () => [...player.worldMatrices(1), ...player.worldMatrices(2)];
        for (const what of [told, posed]) await stage.failure(what);
        for (const { index } of crowd) {
          for (const what of [() => crowd[index].place, () => player.worldMatrices(index)]) await stage.failure(what);
        }
        await player.settled();
        results.push(await read(told), await read(posed), player.node("Lower").visible);
        crowd[0].pause();
        crowd[1].visible = false;
        crowd[2].currentTime = 0.5;
        await player.settled();
        results.push(told(), await read(told));
        crowd[2].stop();
        await player.settled();
        results.push(told());
        player.frame();
        return { player, results };
      },

      async materials(worker) {
        const { player, read } = await open(worker, "/fixtures/swing.glb");
        const results = [player.materials];
        player.play("Swing");
        const cloth = player.material("Cloth");
        const numbers = () => [...cloth.color, ...cloth.emissive, cloth.metallic, cloth.roughness, cloth.visible];
        results.push(numbers());
        cloth.color = [1, 0.5, 0.25, 1];
        cloth.emissive = [0, 0.1, 0, 1];
        cloth.roughness = 0.25;
        results.push(numbers(), await read(numbers));
        cloth.color = null;
        results.push(await read(numbers));
        const canvas = new OffscreenCanvas(16, 16);
        const context = canvas.getContext("2d");
        context.fillStyle = "lime";
        context.fillRect(0, 0, 16, 8);
        await cloth.setTexture(canvas);
        results.push(
          (await stage.failure(() => cloth.setTexture("/fixtures/nowhere.png"))).code,
          (await stage.failure(() => player.material(5))).code,
        );
        return { player, results };
      },

      async travel(worker) {
        const { player } = await open(worker, "/fixtures/stroll.glb");
        const results = [player.rootNode?.name];
        player.setRootMotion(0, "extract");
        player.play(0);
        player.takeTravel();
        await player.settled();
        for (let step = 0; step < 8; step++) player.advance(0.3);
        await player.settled();
        const { translation, yaw } = player.takeTravel();
        results.push(
          [...translation, yaw].map((number) => Math.round(number * 1e4) / 1e4 + 0),
          player.takeTravel(),
        );
        player.rootNode = 0;
        results.push(player.rootNode?.name);
        player.rootNode = null;
        await player.settled();
        results.push(player.rootNode?.name);
        return { player, results };
      },

      async camera(worker) {
        const { player, read } = await open(worker, "/fixtures/swing.glb", { cameraControls: false });
        const { camera } = player;
        const state = () => [
          ...camera.target,
          camera.yaw,
          camera.pitch,
          camera.distance,
          camera.fov,
          ...camera.project([0, 1, 0]),
        ];
        const results = [state(), camera.project([0, 0, 1000])];
        camera.yaw = 0.5;
        camera.target = [0, 0.5, 0];
        camera.distance = 7;
        camera.fov = 0.6;
        results.push(state());
        results.push(await read(state));
        camera.orbit(0.3, 0.2);
        camera.zoom(1.5);
        camera.pan(0.1, 0.1);
        for (let step = 0; step < 100; step++) player.advance(0.1);
        results.push(await read(state));
        camera.home = { yaw: 1, pitch: 0.25, distanceShare: 0.5 };
        player.frame();
        results.push(await read(state));
        camera.limits = { pitch: [-1, 0.2], distance: [3, 5] };
        camera.insets = { bottom: 30 };
        player.frame();
        camera.orbit(0.2, -9);
        for (let step = 0; step < 100; step++) player.advance(0.1);
        results.push(camera.limits, camera.insets, await read(state));
        Object.assign(camera, { limits: {}, roll: 0.3, projection: "orthographic", eye: [2, 3, 4] });
        results.push([camera.roll, camera.projection, ...camera.eye, camera.unproject(10, 20)], await read(state));
        Object.assign(camera, { roll: 0, projection: "perspective", insets: {} });
        player.frame();
        player.autoRotate = 0.5;
        player.advance(1);
        results.push(player.autoRotate, await read(state));
        return { player, results };
      },

      async looks(worker) {
        const { player, read } = await open(worker, "/fixtures/swing.glb");
        const looks = () => [
          player.skeleton,
          player.ground,
          player.exposure,
          player.variant,
          player.skinning,
          player.background,
          player.view,
          player.guides,
          player.clock,
          player.autoUpdate,
          player.loop,
          player.playbackRate,
        ];
        const results = [looks()];
        player.skeleton = true;
        player.ground = false;
        player.exposure = 1.7;
        player.skinning = "dual-quaternion";
        await player.setView("weights", { joint: "Upper" });
        await player.setGuides({ grid: true, names: ["Upper"] });
        player.background = [0.25, 0.5, 0.75, 1];
        player.clock = { step: 0.125 };
        player.loop = 2;
        player.playbackRate = 0.5;
        results.push(looks());
        results.push(await read(looks));
        player.play("Swing");
        player.advance(0.3);
        results.push(await read(() => player.currentTime));
        results.push(Object.keys(player.stats).sort(), (await player.skinningError()) < 1e-3);
        return { player, results };
      },
    };

    const results = {};
    for (const [name, story] of Object.entries(stories)) {
      const [here, there] = [await story(false), await story(true)];
      const pictures = [];
      for (const { player } of [here, there])
        pictures.push(await stage.pixelsOfPng(await player.screenshot({ width: 120, height: 90 })));
      results[name] = {
        here: here.results,
        there: there.results,
        differing: stage.compare(...pictures, 0).differing,
        part: stage.coverage(pictures[1]).part,
      };
      stage.close();
    }
    return results;
  }, backend);

  for (const [name, { here, there, differing, part }] of Object.entries(told)) {
    assert.deepEqual(there, here, name);
    assert.equal(differing, 0, `${name}: it looks the same`);
    assert.ok(part > 0.005, `${name}: it is seen`);
  }
}
