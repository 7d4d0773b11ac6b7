/** What is seen until the model is: the page's own element in the slot `poster`, or a picture. */
import { make } from "./dom.js";

export class Poster {
  // What it shows, the canvas says in words.
  readonly #picture = make("img", { part: "poster", alt: "", hidden: "" });
  readonly root = make("slot", { name: "poster", class: "poster" }, this.#picture);

  constructor() {
    // Without it there is still the model to come.
    this.#picture.addEventListener("error", () => (this.#picture.hidden = true));
  }

  /** Fetches the picture, unless it would come too late. */
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
