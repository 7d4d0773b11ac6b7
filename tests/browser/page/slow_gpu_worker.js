/** The package's worker with a simulated slow GPU. */
import "/slow_gpu.js";

await import("/gambol/worker.js");
