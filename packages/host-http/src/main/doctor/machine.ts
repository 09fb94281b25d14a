import { Effect } from "effect"
import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { bad, type Finding, good, warning } from "../../commands/Finding.js"

const NODE_MAJOR_MIN = 20

/** With less room the database stops within days of ordinary work. */
const ROOM_BYTES_MIN = 1_073_741_824
const GIGABYTE = 1_000_000_000

const node = (version: string): Finding => {
  const major = Number(version.split(".", 1)[0])
  return major >= NODE_MAJOR_MIN
    ? good("Node", version)
    : bad("Node", `${version} is too old`, `Install Node ${NODE_MAJOR_MIN} or newer.`)
}

/** The directory, or the nearest one above it that is there already. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

const dataDirectory = (dataDir: string): Finding => {
  const path = resolve(dataDir)
  const there = nearest(path)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch {
    const mend = `Give this user the right to write there, or set OUTBOUND_DATA_DIR to another directory.`
    return bad("data directory", `${there} can't be written`, mend)
  }
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const words = `${path}, ${(free / GIGABYTE).toFixed(1)} GB free`
  return free < ROOM_BYTES_MIN
    ? warning("data directory", words, "Make room on the disk, or set OUTBOUND_DATA_DIR to a larger one.")
    : good("data directory", words)
}

/** The program and its directory. */
export const examineMachine = (
  dataDir: string,
  version: string = process.versions.node
): Effect.Effect<ReadonlyArray<Finding>> => Effect.sync(() => [node(version), dataDirectory(dataDir)])
