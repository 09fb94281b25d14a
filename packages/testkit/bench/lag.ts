/**
 * Loaded with `--import` into a server that is measured. When the server is told to stop, it writes the longest turn of its
 * event loop, in milliseconds, to a file. `SIGUSR2` restarts the measurement, once the server is warm.
 */
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const RESOLUTION_MILLIS = 5

const file = process.env["BENCH_LAG_FILE"]
if (file !== undefined) {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS })
  turns.enable()
  process.on("SIGUSR2", () => turns.reset())
  // Its own listener comes later, so that what it does to stop is not measured.
  process.once("SIGTERM", () => writeFileSync(file, String(turns.max / 1e6)))
}
