/**
 * Loaded into a server that is measured (`--import`): writes its longest turn of the event loop, in milliseconds, to a file
 * as it ends. A signal starts the measurement anew, once the server is warm.
 */
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const RESOLUTION_MILLIS = 5

const file = process.env["BENCH_LAG_FILE"]
if (file !== undefined) {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS })
  turns.enable()
  process.on("SIGUSR2", () => turns.reset())
  process.on("exit", () => writeFileSync(file, String(turns.max / 1e6)))
}
