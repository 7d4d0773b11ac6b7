/** Calls a function once, when an element is about to come into view. Returns a function that cancels it. */
export function whenNearViewport(element: Element, call: () => void): () => void {
  // Half a screen on either side. `scrollMargin` is for elements inside a scroller. Chromium also adds it to the
  // page's own margin, and takes a percentage of the whole scrollable area. Not every TypeScript DOM library has it.
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
