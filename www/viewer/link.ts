/** What the address asks for: `?model=URL&clip=NAME`. Both are data: shown as text, fetched as a model, and nothing else. */

export interface Link {
  /** Null where the address names none that can be fetched. */
  readonly model: string | null;
  readonly clip: string;
  /** Why it can't be fetched; empty when it can. */
  readonly trouble: string;
}

export function readLink(): Link {
  const parameters = new URLSearchParams(location.search);
  const asked = parameters.get("model");
  const clip = parameters.get("clip") ?? "";
  if (!asked) return { model: null, clip, trouble: "" };
  const url = URL.canParse(asked, location.href) ? new URL(asked, location.href) : null;
  if (url && /^https?:$/.test(url.protocol)) return { model: url.href, clip, trouble: "" };
  return { model: null, clip: "", trouble: "What follows “?model=” in the address must be a path on this site, or an address that begins with https://." };
}

/** So that the address can be handed on. */
export function rememberClip(name: string): void {
  change((parameters) => parameters.set("clip", name));
}

/** What is shown now has no address. */
export function forgetLink(): void {
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
