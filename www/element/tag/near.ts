/** Calls once, when an element is about to come into view. Returns how to call it off. */
export function whenNear(element: Element, call: () => void): () => void {
  // A screen, half by half. The second margin is for those inside something that scrolls; Chromium adds it to the page's own
  // as well, and takes a percentage of all there is to scroll. DOM libraries of TypeScript don't all know it.
  const half = `${Math.round(innerHeight / 2)}px`;
  const margins = { rootMargin: half, scrollMargin: half };
  const observer = new IntersectionObserver((entries) => {
    if (!entries[entries.length - 1]!.isIntersecting) return;
    observer.disconnect();
    call();
  }, margins);
  observer.observe(element);
  return () => observer.disconnect();
}
