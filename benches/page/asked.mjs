/** Returns what the page's address asks for. */
export function asked() {
  const query = new URLSearchParams(location.search);
  const box = query.get("box").split(",").map(Number);
  return {
    url: query.get("model"),
    backend: query.get("backend"),
    shadows: query.has("shadows"),
    box: [box.slice(0, 3), box.slice(3)],
  };
}
