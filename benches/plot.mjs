/** Draws medians as bars, in an SVG that is readable on light and on dark pages. */

const WIDTH = 720;
const [LABEL, BAR_AREA, ROW, HEAD] = [190, 430, 18, 34];

/** Follows the colours of the page's theme. Bars of Gambol stand out. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .head { font-weight: 600 }
  .note { fill: #59636e }
  .bar { fill: #8c959f }
  .ours { fill: #bc4c00 }
  .spread { stroke: #1f2328 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .note { fill: #9198a1 }
    .bar { fill: #656c76 }
    .ours { fill: #f0883e }
    .spread { stroke: #f0f6fc }
  }`;

/**
 * Returns the text of an SVG.
 *
 * @param panels a title with its unit, and bars: a label, a value or `failed`, the quartiles of the value if there are
 *   several, and whether the bar is one of Gambol's
 */
export function plot(panels) {
  const parts = [];
  let top = 0;
  for (const { title, format, bars } of panels) {
    parts.push(`<text class="head" x="8" y="${top + 22}">${escaped(title)}</text>`);
    const most = Math.max(...bars.map(({ value = 0, quartiles }) => quartiles?.[2] ?? value)) || 1;
    const x = (value) => round(LABEL + (value / most) * BAR_AREA);
    for (const [index, { label, value, quartiles, ours }] of bars.entries()) {
      const y = top + HEAD + index * ROW;
      parts.push(`<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>`);
      if (value === undefined) {
        parts.push(`<text class="note" x="${LABEL + 4}" y="${y + 12}">failed</text>`);
        continue;
      }
      const end = x(value);
      parts.push(
        `<rect class="${ours ? "ours" : "bar"}" x="${LABEL}" y="${y + 2}" width="${round(end - LABEL)}" height="13"/>`,
      );
      let right = end;
      if (quartiles && quartiles[2] > quartiles[0]) {
        right = x(quartiles[2]);
        parts.push(`<path class="spread" d="M${x(quartiles[0])} ${y + 8.5}H${right}"/>`);
      }
      parts.push(`<text class="note" x="${round(right + 6)}" y="${y + 12}">${escaped(format(value))}</text>`);
    }
    top += HEAD + bars.length * ROW + 8;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}">
<style>${STYLE}
</style>
${parts.join("\n")}
</svg>
`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
