/**
 * Whether what was made is still of what lies there now. A time alone doesn't say it: a file can come back with an older one (from
 * an archive, or another checkout), and one that is gone leaves nothing that is newer. So what was seen is written down.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** What can be told of a file without reading it: when it was written, and how long it is. Undefined: it isn't there. */
export const stateOf = (path) => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.mtimeMs}:${found.size}`
}

/** What was written down at the last time, by name. Nothing, where that can't be read. */
export const readStates = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return {}
  }
}

/** Replaced as a whole: a process that dies in the middle leaves what was there. */
export const writeStates = (path, states) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.next`, JSON.stringify(states))
  renameSync(`${path}.next`, path)
}

/** Whether both name the same files in the same states. */
export const isSame = (before, now) =>
  Object.keys(before).length === Object.keys(now).length &&
  Object.entries(now).every(([name, state]) => before[name] === state)
