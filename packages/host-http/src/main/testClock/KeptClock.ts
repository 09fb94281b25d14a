/** How far ahead the clock of a test installation is. It is kept beside its data, for a restart and for commands. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const fileIn = (dataDir: string): string => join(dataDir, "test-clock.json")

/** Null: this installation has no clock of its own. */
export const keptAhead = (dataDir: string): number | null => {
  try {
    const kept: unknown = JSON.parse(readFileSync(fileIn(dataDir), "utf8"))
    const ahead = typeof kept === "object" && kept !== null && "ahead_millis" in kept ? kept.ahead_millis : null
    return typeof ahead === "number" && ahead >= 0 ? ahead : null
  } catch {
    return null
  }
}

/** Replaced as a whole, and before the clock is moved: after a crash it is never behind what was done. */
export const keepAhead = (dataDir: string, aheadMillis: number): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(`${fileIn(dataDir)}.next`, `${JSON.stringify({ ahead_millis: aheadMillis })}\n`)
  renameSync(`${fileIn(dataDir)}.next`, fileIn(dataDir))
}
