/** What stands beside the model: its clips, notes on the file, and figures. */
import type { Clip, Player, Warning } from "gambol";
import { byId, element } from "./page.ts";

export function showClips(clips: readonly Clip[], choose: (clip: Clip) => void): void {
  byId("no-clips").hidden = clips.length > 0;
  byId("clips").replaceChildren(
    ...clips.map((clip) => {
      const name = element("span", "name", clip.name);
      name.title = clip.name;
      const button = element("button", "", name, element("span", "length", `${clip.duration.toFixed(1)} s`));
      button.type = "button";
      button.dataset["clip"] = String(clip.index);
      button.addEventListener("click", () => choose(clip));
      return element("li", "", button);
    }),
  );
}

export function markClip(current: Clip | null): void {
  for (const button of byId("clips").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(button.dataset["clip"] === String(current?.index)));
  }
}

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
  // A list that scrolls can be scrolled by keyboard.
  if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
  else list.removeAttribute("tabindex");
}

export function showStats(player: Player): void {
  const stats = player.stats;
  const figures: [string, string][] = [
    ["Drawn with", stats.backend === "webgpu" ? "WebGPU" : "WebGL2"],
    ["Triangles", count(stats.triangles)],
    ["Draw calls", count(stats.draws)],
    ["Joints", count(stats.joints)],
    ["Characters", count(stats.characters)],
    ["Posing", millis(stats.updateMillis)],
    ["Drawing", millis(stats.renderMillis)],
    ["GPU memory", `${(stats.gpuBytes / 1e6).toFixed(1)} MB`],
  ];
  byId("stats").replaceChildren(
    ...figures.flatMap(([label, figure]) => [element("dt", "", label), element("dd", "", figure)]),
  );
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** Browsers tell pages no finer time than a tenth. */
function millis(time: number): string {
  return time < 0.1 ? "under 0.1 ms" : `${time.toFixed(1)} ms`;
}
