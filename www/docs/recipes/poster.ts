import "gambol/element";

for (const element of document.querySelectorAll("gambol-player")) {
  const told = element.nextElementSibling!;
  told.textContent = "Nothing has been fetched.";
  element.addEventListener("loadstart", () => {
    told.textContent = "The model comes.";
  });
  element.addEventListener("load", ({ detail }) => {
    told.textContent = `There it is: ${detail.name}.`;
  });
}
