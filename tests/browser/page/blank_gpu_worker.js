/** The package's worker with WebGPU that draws nothing. */
import "/blank_gpu.js";

await import("/gambol/worker.js");
