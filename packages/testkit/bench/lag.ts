/**
 * Measures the longest turn of a server's event loop. Load it into the server with `--import`. It writes the result, in
 * milliseconds, to a file when the server is told to stop. `SIGUSR2` starts the measurement again, once the server is warm.
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
