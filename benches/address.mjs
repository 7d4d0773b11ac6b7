/** Returns the address of a player's page, relative to the folder of all pages. */
export function addressOf(kind, { module, backend = "" }, model, shadows = false) {
  const query = { model: model.url, box: model.box.join(), backend, ...(shadows && { shadows }) };
  return `${kind}_${module}.html?${new URLSearchParams(query)}`;
}
