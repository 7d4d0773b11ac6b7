import "gambol/element";

for (const element of document.querySelectorAll("gambol-player")) {
  const status = element.nextElementSibling!;
  status.textContent = "Not loaded yet.";
  element.addEventListener("loadstart", () => {
    status.textContent = "Loading…";
  });
  element.addEventListener("load", ({ detail }) => {
    status.textContent = `Loaded: ${detail.name}.`;
  });
}
