/** Pages of the comparison in Chromium. A page that fails is replaced by a fresh one for the next call. */

import { launch } from "../../tests/browser/browser.mjs";
import { serve } from "../../www/serve.mjs";

/** Longest time of one call. Software rendering can need a minute for an environment. */
const LONGEST_MILLIS = 180_000;

/** @param mounts folders by the paths at which they are served, one of them `/compare/` */
export async function openDriver(mounts) {
  const server = await serve({ mounts });
  const browser = await launch();
  return {
    browser: await browser.version(),
    open: (address) => pageOf(browser, `${server.url}compare/page.html?${address}`),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

function pageOf(browser, address) {
  let page;
  const close = async () => {
    await page?.close().catch(() => {});
    page = undefined;
  };
  return {
    /** Calls a function of the page's module, with one argument. */
    async call(name, argument) {
      try {
        page ??= await opened(browser, address);
        return await within(page.evaluate(callLab, name, argument));
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

async function opened(browser, address) {
  const page = await browser.newPage();
  await page.goto(address);
  return page;
}

/** Runs in the page. */
async function callLab(name, argument) {
  return (await globalThis.lab)[name](argument);
}

async function within(promise) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`no answer within ${LONGEST_MILLIS / 1000} s`)), LONGEST_MILLIS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
