/** The package's worker, with records of GPU errors and of its memory. */
import "/gpu_watch.js";

const channel = new BroadcastChannel("storm");
channel.onmessage = ({ data }) => {
  if (data.ask) channel.postMessage({ answer: data.ask, errors: gpuErrors.splice(0), held: gpuHeld() });
};
await import("/gambol/worker.js");
