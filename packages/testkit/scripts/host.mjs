/** The checkout's location, the version of Node, and running other programs. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/[\\/]$/, "")

/** Progress goes to standard error; standard output is for the started program. */
export const say = (text) => process.stderr.write(`${text}\n`)

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Processor time of the programs that we ran to their end, with theirs, in seconds. Undefined where the system doesn't say. */
export const cpuOfPrograms = () => {
  if (process.platform !== "linux") return undefined
  // Its clock's ticks are hundredths of a second for every program, whatever the kernel counts in.
  const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ").slice(13, 15)
  return (Number(user) + Number(system)) / 100
}

/** A failure with advice on how to fix it. */
export class Failure extends Error {
  constructor(message, mend) {
    super(message)
    this.mend = mend
  }
}

/** The file behind a package's command, so that no shell and no shim stands between it and us. */
export const bin = (name, command = name) => {
  const folder = join(root, "node_modules", name)
  const declared = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).bin
  return join(folder, typeof declared === "string" ? declared : declared[command])
}

const running = new Set()
let stopSignal = undefined
const onStop = new Set()

/** Runs when a signal ends us early, after the program under way has ended. Returns how to take it back. */
export const beforeStop = (release) => {
  onStop.add(release)
  return () => onStop.delete(release)
}

const stop = () => {
  for (const release of onStop) release()
  process.exit(128 + constants.signals[stopSignal])
}

const forward = (signal) => {
  stopSignal ??= signal
  if (running.size === 0) stop()
  for (const child of running) child.kill(signal)
}

/** Passes signals to the programs we run, and waits for them. `launch` takes this back: then there are none. */
export const forwardSignals = () => {
  process.on("SIGINT", forward)
  process.on("SIGTERM", forward)
}

export const leaveSignals = () => {
  process.removeListener("SIGINT", forward)
  process.removeListener("SIGTERM", forward)
}

/**
 * Runs a program to its end, but not longer than `timeoutMillis` (0: however long). `capture` keeps its output for the
 * caller; otherwise it goes where ours goes.
 * Answers its exit code, and never fails because of it.
 */
export const run = (command, args, { capture = false, cwd = root, env = {}, timeoutMillis = 0 } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      timeout: timeoutMillis,
      // Tools take CI for a terminal with colours, which nobody reads well in a log.
      env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }), ...env },
      stdio: capture ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"]
    })
    running.add(child)
    const output = []
    child.stdout?.on("data", (chunk) => output.push(chunk))
    child.stderr?.on("data", (chunk) => output.push(chunk))
    child.on("error", (error) => {
      running.delete(child)
      reject(error)
    })
    child.on("close", (code) => {
      running.delete(child)
      // Of programs that ran side by side, the last one to end.
      if (stopSignal !== undefined) return running.size === 0 ? stop() : undefined
      resolve({ code: code ?? 1, output: Buffer.concat(output).toString("utf8").trimEnd() })
    })
  })

/** The same, for a program written for Node. */
export const runNode = (script, args, options) => run(process.execPath, [script, ...args], options)
