/** The package's worker, with an eye on what its GPU says and on its memory. */
import "/storm_watch.js";

const channel = new BroadcastChannel("storm");
channel.onmessage = ({ data }) => {
  if (data.ask) channel.postMessage({ answer: data.ask, errors: gpuErrors.splice(0), held: gpuHeld() });
};
await import("/gambol/worker.js");
