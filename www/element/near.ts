/** How far off it begins: a screen above, below and beside. */
const MARGIN = "100%";

/** Calls once, when an element is about to come into view. Returns how to call it off. */
export function whenNear(element: Element, call: () => void): () => void {
  // The second is for those inside something that scrolls; DOM libraries of TypeScript don't all know it.
  const margins = { rootMargin: MARGIN, scrollMargin: MARGIN };
  const observer = new IntersectionObserver((entries) => {
    if (!entries[entries.length - 1]!.isIntersecting) return;
    observer.disconnect();
    call();
  }, margins);
  observer.observe(element);
  return () => observer.disconnect();
}
