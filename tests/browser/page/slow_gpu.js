/**
 * Before any player: a GPU that can be told to finish nothing for a while, and counts the pictures that it is given.
 * For a page and for a worker, by messages on the channel `slow_gpu`: "hold", "finish", "count".
 */

const channel = new BroadcastChannel("slow_gpu");
let pictures = 0;
/** Callbacks of unfinished pictures, while they are held. */
let held = null;

const { getCurrentTexture } = GPUCanvasContext.prototype;
GPUCanvasContext.prototype.getCurrentTexture = function () {
  pictures++;
  return getCurrentTexture.call(this);
};

const { onSubmittedWorkDone } = GPUQueue.prototype;
GPUQueue.prototype.onSubmittedWorkDone = function () {
  const done = onSubmittedWorkDone.call(this);
  return held ? done.then(() => new Promise((finish) => (held ? held.push(finish) : finish()))) : done;
};

channel.onmessage = ({ data }) => {
  if (data === "hold") {
    held = [];
    pictures = 0;
  }
  if (data === "finish") {
    for (const finish of held) finish();
    held = null;
  }
  channel.postMessage({ pictures });
};
