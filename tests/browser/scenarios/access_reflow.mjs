/**
 * Reflow of the viewer at 400 % zoom, on a phone and right-to-left: one scroll direction, and every control can be
 * hit.
 */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];

/** Viewport sizes in CSS pixels. 320 × 256 is 1280 × 1024 at 400 % (WCAG 1.4.10). */
const SIZES = [
  [320, 256],
  [390, 844],
  [760, 500],
  [1280, 800],
];

export default async function ({ page }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#save-glb:enabled"));
  await page.evaluate(() => document.querySelector("gambol-player").pause());
  await page.select("#controller", "controllers/upper_body.json");
  await page.waitForSelector("#parameters button");
  for (const [width, height] of SIZES) {
    await page.setViewport({ width, height, deviceScaleFactor: 1 });
    for (const dir of ["ltr", "rtl"]) {
      const wrong = await page.evaluate((dir) => {
        document.documentElement.dir = dir;
        const root = document.documentElement;
        const wrong = root.scrollWidth > root.clientWidth ? [`scrolls sideways, to ${root.scrollWidth} px`] : [];
        const inPlayer = [
          ...document
            .querySelector("gambol-player")
            .shadowRoot.querySelectorAll("[part~=controls] :is(button, input, select)"),
        ];
        const controls = [...document.querySelectorAll("button, select, input"), ...inPlayer].filter((node) =>
          node.checkVisibility(),
        );
        const boxes = controls.map((node) => {
          // A label counts as its control.
          const { left, right, top, bottom } = (node.closest("label") ?? node).getBoundingClientRect();
          return {
            name: node.id || node.textContent.trim() || node.getAttribute("aria-label") || node.value,
            left,
            right,
            top,
            bottom,
          };
        });
        for (const { name, left, right, top, bottom } of boxes) {
          if (left < -0.5 || right > root.clientWidth + 0.5) wrong.push(`${name} is cut off`);
          if (right - left < 24 || bottom - top < 24) wrong.push(`${name} is ${right - left} by ${bottom - top}`);
          for (const other of boxes) {
            if (
              other.name > name &&
              left < other.right - 1 &&
              other.left < right - 1 &&
              top < other.bottom - 1 &&
              other.top < bottom - 1
            )
              wrong.push(`${name} lies over ${other.name}`);
          }
        }
        return wrong;
      }, dir);
      // A sticky header may cover content that is scrolled behind it, as the end of the panel does.
      assert.deepEqual(wrong, [], `${width} × ${height}, ${dir}`);
    }
  }
}
