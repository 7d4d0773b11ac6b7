/** The page's query, `?model=URL&clip=NAME`. Both are untrusted: shown only as text and fetched only as a model. */

export interface PageParameters {
  /** URL of the model, or null if the query has none that can be fetched. */
  readonly model: string | null;
  readonly clip: string;
  /** Why the model can't be fetched, or an empty string. */
  readonly trouble: string;
}

export function readParameters(): PageParameters {
  const parameters = new URLSearchParams(location.search);
  const modelUrl = parameters.get("model");
  const clip = parameters.get("clip") ?? "";
  if (!modelUrl) return { model: null, clip, trouble: "" };
  const url = URL.canParse(modelUrl, location.href) ? new URL(modelUrl, location.href) : null;
  if (url && /^https?:$/.test(url.protocol)) return { model: url.href, clip, trouble: "" };
  return {
    model: null,
    clip: "",
    trouble:
      "What follows “?model=” in the address must be a path on this site, or an address that begins with https://.",
  };
}

/** Sets the clip in the query, so that the address can be shared. */
export function rememberClip(name: string): void {
  change((parameters) => parameters.set("clip", name));
}

/** Removes model and clip from the query, when the shown model has no URL. */
export function forgetModel(): void {
  change((parameters) => {
    parameters.delete("model");
    parameters.delete("clip");
  });
}

function change(edit: (parameters: URLSearchParams) => void): void {
  const url = new URL(location.href);
  edit(url.searchParams);
  if (url.href !== location.href) history.replaceState(null, "", url);
}
