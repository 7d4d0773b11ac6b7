/**
 * Simulates a GPU that is behind, and counts the submitted frames. Install it before the first player, in
 * a page or a worker. Messages on the channel `slow_gpu` control it: "hold", "finish", "count".
 */

const channel = new BroadcastChannel("slow_gpu");
let pictures = 0;
/** Callbacks of frames that are held back. */
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
