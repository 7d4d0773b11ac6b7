/** A crash of the browser's GPU process, which loses every device and context: the players continue where they were. */

import assert from "node:assert/strict";

import { patienceFor, teachPatience } from "../patience.mjs";

export const longestSecs = 150;

export default async function ({ backend, launch, url }) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await teachPatience(page, patienceFor(longestSecs));
    await page.goto(url);
    await page.waitForFunction(() => window.stage);
    await page.evaluate(async (backend) => {
      window.players = [];
      for (let nth = 0; nth < 6; nth++)
        players.push(await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 }));
      window.before = await stage.look(players[0]);
      window.heard = players.map((player) => stage.record(player, "contextlost", "contextrestored", "error"));
      window.back = Promise.all(players.map((player) => stage.once(player, "contextrestored")));
    }, backend);
    const session = await browser.target().createCDPSession();
    await session.send("Browser.crashGpuProcess");
    const told = await page.evaluate(async () => {
      await back;
      const differing = [];
      for (const player of players) differing.push(stage.compare(before, await stage.look(player)).count);
      return {
        differing,
        heard: heard.map((events) => events.map(({ name, detail }) => detail?.message ?? name).join()),
        times: players.map(({ currentTime }) => currentTime),
      };
    });
    assert.deepEqual(told, {
      differing: Array(6).fill(0),
      heard: Array(6).fill("contextlost,contextrestored"),
      times: Array(6).fill(0.5),
    });
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
}
