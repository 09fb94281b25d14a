/**
 * Goes on as another program, in this very process: no parent stands between npm and the service, so a signal has
 * one way to take and npm's wait is a wait for the service's own drain.
 */
import { existsSync } from "node:fs"
import { constants } from "node:os"
import { pathToFileURL } from "node:url"
import { Failure, leaveSignals, say } from "./host.mjs"

const STOPS = ["SIGINT", "SIGTERM"]

/**
 * Ctrl-C reaches this process twice: from the terminal, and again from npm, which forwards its own copy. What comes
 * so soon after the first is that copy; later, it is someone who wants an end.
 */
const DOUBLE_MILLIS = 1_000

const hearEachStopOnce = () => {
  const emit = process.emit
  let first = undefined
  process.emit = function (event, ...rest) {
    if (!STOPS.includes(event)) return emit.call(this, event, ...rest)
    const now = performance.now()
    if (first !== undefined && now - first < DOUBLE_MILLIS) return true
    const again = first !== undefined
    first ??= now
    // The listener below is ours; without another the program either never listened or already stops.
    if (process.listenerCount(event) > 1) return emit.call(this, event, ...rest)
    if (again) say("Stopped before all work was finished.")
    process.exit(128 + constants.signals[event])
  }
  // With a listener of our own, the copy cannot end a process that took its listeners away to drain.
  for (const signal of STOPS) process.on(signal, () => {})
}

export const launch = async (program, args) => {
  if (!existsSync(program)) {
    throw new Failure(
      `${program} does not exist.`,
      "Check that the checkout is complete and built: compiled files are in dist/."
    )
  }
  leaveSignals()
  hearEachStopOnce()
  process.argv = [process.execPath, program, ...args]
  await import(pathToFileURL(program).href)
}
