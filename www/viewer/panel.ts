/** The side panel's warnings and statistics. */
import type { Player, Warning } from "gambol";
import { byId, countOf, element } from "./page.ts";

export function showWarnings(warnings: readonly Warning[]): void {
  byId("warnings-section").hidden = warnings.length === 0;
  listNotes(byId("warnings"), warnings);
}

export function listNotes(list: HTMLElement, notes: readonly Warning[]): void {
  list.replaceChildren(
    ...notes.map(({ code, place, message }) =>
      element("li", "", message, element("code", "", place ? `${code} · ${place}` : code)),
    ),
  );
  // Makes a scrolling list focusable, so that it can be scrolled by keyboard.
  if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
  else list.removeAttribute("tabindex");
}

export function showStats(player: Player): void {
  const stats = player.stats;
  const figures: [string, string][] = [
    ["Drawn with", stats.backend === "webgpu" ? "WebGPU" : "WebGL2"],
    ["Triangles", countOf(stats.triangles)],
    ["Draw calls", countOf(stats.draws)],
    ["Joints", countOf(stats.joints)],
    ["Characters", countOf(stats.characters)],
    ["Posing", millis(stats.updateMillis)],
    ["Drawing", millis(stats.renderMillis)],
    ["GPU memory", `${(stats.gpuBytes / 1e6).toFixed(1)} MB`],
  ];
  byId("stats").replaceChildren(
    ...figures.flatMap(([label, figure]) => [element("dt", "", label), element("dd", "", figure)]),
  );
}

/** Formats milliseconds. Browsers may limit the clock's resolution to 0.1 ms. */
function millis(time: number): string {
  return time < 0.1 ? "under 0.1 ms" : `${time.toFixed(1)} ms`;
}
