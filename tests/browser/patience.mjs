/** Every wait of a scenario ends, and an end that came too late says what was waited for, and where. */

/** A wait in a page gives up before the scenario does, so that it can say what it waited for. */
export function patienceFor(longestSecs) {
  return Math.min(120, 0.6 * longestSecs);
}

/** What the promise gives; after so many seconds an error that says what was waited for. */
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

/** Limits the page's own waits, in each document that it opens: see `waits`. */
export async function teachPatience(page, secs) {
  page.setDefaultTimeout(secs * 1000);
  await page.evaluateOnNewDocument(waits, secs);
}

/** Runs in the page. What scenarios replace later is taken as it was. */
function waits(secs) {
  const [frame, later, never] = [requestAnimationFrame, setTimeout, clearTimeout].map((original) => original.bind(window));

  /** What the promise gives, or an error that says what was waited for. */
  window.inTime = (what, promise) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = later(() => reject(new Error(`still waiting after ${secs} s: ${what}`)), secs * 1000);
    });
    return Promise.race([promise, late]).finally(() => never(timer));
  };

  /** Asks once a frame, and gives the first answer that counts. */
  window.until = (holds, what = String(holds)) => {
    let tired = false;
    const found = (async () => {
      while (!tired) {
        const answer = await holds();
        if (answer) return answer;
        // Frames stop where nothing is drawn.
        await new Promise((next) => {
          frame(next);
          later(next, 250);
        });
      }
      return undefined;
    })();
    return inTime(what, found).finally(() => (tired = true));
  };

  /** Asks in microtasks, which no task, and so no end of time, comes between. */
  window.untilSoon = async (holds) => {
    for (let asked = 0; asked < 10_000; asked++) {
      if (holds()) return;
      await null;
    }
    throw new Error(`it takes longer than this task: ${holds}`);
  };

  /** What `tell` says of the next event of that name that `accepts` takes, in the very task of the event. */
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
    // Who doesn't wait for it isn't told that it never came.
    waiting.catch(() => undefined);
    return waiting;
  };
}

/**
 * A page that knows which of its calls are under way: `underWay()` names them with their places, and one that timed out is
 * named by its error.
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

/** File and line of the scenario that called. */
function placeOf({ stack }) {
  const lines = stack.split("\n").filter((line) => line.includes("/tests/browser/") && !line.includes("/patience.mjs"));
  return /tests\/browser\/(.*?:\d+)/.exec(lines[0] ?? "")?.[1] ?? "";
}

function short(argument) {
  const text = String(argument ?? "").replace(/\s+/g, " ");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
