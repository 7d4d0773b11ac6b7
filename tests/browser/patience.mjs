/** Limits on waiting: each wait of a scenario ends, and its error names what was waited for, and where. */

/**
 * Returns the limit for waits in a page, in seconds. It is shorter than the scenario's, so that the wait's own
 * error is reported.
 */
export function patienceFor(longestSecs) {
  return Math.min(120, 0.6 * longestSecs);
}

/** Returns the promise's value, or throws an error that names `what` after so many seconds. */
export async function inTime(what, promise, secs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still waiting after ${secs} s: ${what}`)), secs * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits the page's own waits, in each document that it opens. See `waits`. */
export async function teachPatience(page, secs) {
  page.setDefaultTimeout(secs * 1000);
  await page.evaluateOnNewDocument(waits, secs);
}

/** Runs in the page. It keeps the original timer functions, which scenarios may replace later. */
function waits(secs) {
  const [frame, later, never] = [requestAnimationFrame, setTimeout, clearTimeout].map((original) =>
    original.bind(window),
  );

  /** Returns the promise's value, or rejects with an error that names `what`. */
  window.inTime = (what, promise) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = later(() => reject(new Error(`still waiting after ${secs} s: ${what}`)), secs * 1000);
    });
    return Promise.race([promise, late]).finally(() => never(timer));
  };

  /** Calls `holds` once a frame, and returns the first truthy value. */
  window.until = (holds, what = String(holds)) => {
    let tired = false;
    const found = (async () => {
      while (!tired) {
        const answer = await holds();
        if (answer) return answer;
        // Animation frames stop in a page that isn't drawn.
        await new Promise((next) => {
          frame(next);
          later(next, 250);
        });
      }
      return undefined;
    })();
    return inTime(what, found).finally(() => (tired = true));
  };

  /** Calls `holds` in microtasks, so that no other task runs in between. */
  window.untilSoon = async (holds) => {
    for (let asked = 0; asked < 10_000; asked++) {
      if (holds()) return;
      await null;
    }
    throw new Error(`it takes longer than this task: ${holds}`);
  };

  /**
   * Returns `tell(event)` for the next event of this name that `accepts` allows, called while the event is
   * dispatched.
   */
  window.untilEvent = (target, name, accepts = () => true, tell = (event) => event) => {
    const waiting = new Promise((resolve, reject) => {
      const end = () => {
        never(timer);
        target.removeEventListener(name, listen);
      };
      const listen = (event) => {
        if (!accepts(event)) return;
        end();
        resolve(tell(event));
      };
      const timer = later(() => {
        end();
        reject(new Error(`still waiting after ${secs} s: the event ${name}`));
      }, secs * 1000);
      target.addEventListener(name, listen);
    });
    // Avoids an unhandled rejection if the promise isn't awaited.
    waiting.catch(() => undefined);
    return waiting;
  };
}

/**
 * Wraps a page so that its calls in progress are known: `underWay()` lists them with their places, and the error of
 * one that timed out names it.
 */
export function watched(page) {
  const calls = new Set();
  const watching = new Proxy(page, {
    get(target, name) {
      if (name === "underWay") return () => [...calls].map(({ text }) => text).join("; ");
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args) => {
        const result = value.apply(target, args);
        if (typeof result?.then !== "function") return result;
        const call = { text: `${placeOf(new Error())} page.${name}(${short(args[0])})` };
        calls.add(call);
        return result
          .catch((error) => {
            if (error?.name === "TimeoutError") error.message = `${error.message}: ${call.text}`;
            throw error;
          })
          .finally(() => calls.delete(call));
      };
    },
  });
  return watching;
}

/** Returns file and line of the calling scenario. */
function placeOf({ stack }) {
  const lines = stack.split("\n").filter((line) => line.includes("/tests/browser/") && !line.includes("/patience.mjs"));
  return /tests\/browser\/(.*?:\d+)/.exec(lines[0] ?? "")?.[1] ?? "";
}

function short(argument) {
  const text = String(argument ?? "").replace(/\s+/g, " ");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
