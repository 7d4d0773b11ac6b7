/** The package's worker on a GPU that can be slow. */
import "/slow_gpu.js";

await import("/gambol/worker.js");
