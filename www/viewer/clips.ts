/** The list of clips with their durations. Omits the common prefix of the names, and has a filter for long lists. */
import type { Clip } from "gambol";
import { byId, element, normal } from "./page.ts";

/** Number of clips above which the filter is shown. */
const FILTER_BEYOND = 12;

const list = byId("clips");
const filter = byId<HTMLInputElement>("clip-filter");
const status = byId("clip-status");

filter.addEventListener("input", applyFilter);
filter.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  list.querySelector<HTMLButtonElement>("li:not([hidden]) button")?.click();
});

export function showClips(clips: readonly Clip[], choose: (clip: Clip) => void): void {
  const names = shortNames(clips.map(({ name }) => name));
  byId("no-clips").hidden = clips.length > 0;
  byId("clip-count").textContent = clips.length > 1 ? String(clips.length) : "";
  byId("clip-search").hidden = clips.length <= FILTER_BEYOND;
  filter.value = "";
  list.replaceChildren(
    ...clips.map((clip, at) => {
      const length = element("span", "length", `${clip.duration.toFixed(1)}\u00a0s`);
      const button = element("button", "", element("span", "name", names[at]!), " ", length);
      button.type = "button";
      button.title = clip.name;
      button.dataset["clip"] = String(clip.index);
      button.addEventListener("click", () => choose(clip));
      const item = element("li", "", button);
      item.dataset["name"] = normal(clip.name);
      return item;
    }),
  );
  applyFilter();
}

export function markClip(current: Clip | null): void {
  for (const button of list.querySelectorAll("button")) {
    button.setAttribute("aria-current", String(button.dataset["clip"] === String(current?.index)));
  }
}

function applyFilter(): void {
  const text = normal(filter.value);
  const items = [...list.children] as HTMLElement[];
  for (const item of items) item.hidden = !item.dataset["name"]!.includes(text);
  const left = items.filter(({ hidden }) => !hidden).length;
  status.textContent = text && `${left} of ${items.length}`;
}

/**
 * Returns the names without their common prefix, up to its last separator: `Armature|Walk` and `Armature|Run` become
 * `Walk` and `Run`. Returns them unchanged if a name would become empty.
 */
export function shortNames(names: readonly string[]): readonly string[] {
  const [first = "", ...others] = names;
  if (others.length === 0) return names;
  let same = 0;
  while (same < first.length && others.every((name) => name[same] === first[same])) same++;
  const prefix = /^.*[|:/\\._\s-]/su.exec(first.slice(0, same))?.[0] ?? "";
  const short = names.map((name) => name.slice(prefix.length));
  return short.some((name) => name.trim() === "") ? names : short;
}
