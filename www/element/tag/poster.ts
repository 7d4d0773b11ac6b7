/** Shown until the model is: the page's element in the slot `poster`, or a picture. */
import { make } from "./dom.js";

export class Poster {
  // The `alt` is empty, since the canvas has the description.
  readonly #picture = make("img", { part: "poster", alt: "", hidden: "" });
  readonly root = make("slot", { name: "poster", class: "poster" }, this.#picture);

  constructor() {
    // A missing poster is no error: the model follows.
    this.#picture.addEventListener("error", () => (this.#picture.hidden = true));
  }

  /** Sets the picture, unless the poster is hidden already. */
  show(url: string, loading: "eager" | "lazy"): void {
    const picture = this.#picture;
    if (this.root.classList.contains("gone") || (picture.getAttribute("src") ?? "") === url) return;
    picture.hidden = url === "";
    picture.loading = loading;
    if (url) picture.src = url;
    else picture.removeAttribute("src");
  }

  toggle(shown: boolean): void {
    this.root.classList.toggle("gone", !shown);
  }
}
