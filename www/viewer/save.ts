/** “Save as .glb”: saves the shown model with its pictures in one file, and lists what the file can't represent. */
import { toGlb, type LoadOptions, type Source } from "gambol";
import { download, byId } from "./page.ts";
import { listNotes } from "./panel.ts";

const button = byId<HTMLButtonElement>("save-glb");
const compress = byId<HTMLInputElement>("compress");
let shown: Opening | null = null;

/** A source and the options with which it is loaded. */
export interface Opening {
  readonly source: Source;
  readonly options?: LoadOptions;
}

/** Enables saving for a newly loaded model, and hides the notes on the previous one. */
export function offerToSave(opening: Opening): void {
  shown = opening;
  byId("saved-section").hidden = true;
  holdSaving(false);
}

/** Disables the button while a model is loading or being saved. */
export function holdSaving(hold: boolean): void {
  button.disabled = hold || shown === null;
}

export function listenForSaving(onError: (error: unknown) => void): void {
  button.addEventListener("click", () => void save().catch(onError));
  window.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    button.click();
  });
}

async function save(): Promise<void> {
  if (!shown) return;
  holdSaving(true);
  try {
    const options = { ...shown.options, compress: compress.checked ? "meshopt" : "none" } as const;
    const { name, glb, notes, sizes } = await toGlb(shown.source, options);
    download(new Blob([glb], { type: "model/gltf-binary" }), name);
    const size = compress.checked ? `${textOf(sizes.glb)} instead of ${textOf(sizes.source)}` : textOf(sizes.glb);
    byId("saved").textContent =
      notes.length > 0 ? `${name}, ${size}. It differs in this:` : `${name}, ${size}, with everything in it.`;
    const section = byId("saved-section");
    section.hidden = false;
    listNotes(byId("saved-notes"), notes);
    section.scrollIntoView({ block: "nearest" });
  } finally {
    holdSaving(false);
  }
}

function textOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
