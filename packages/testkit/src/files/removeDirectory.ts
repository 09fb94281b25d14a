import { rmSync } from "node:fs"

const TRIES_MAX = 50
const PAUSE_MILLIS = 100

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Removes a directory with its contents, even while an ending process still writes there. */
export const removeDirectory = (path: string): void => {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (codeOf(error) !== "ENOTEMPTY" || tries === TRIES_MAX) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLIS)
    }
  }
}
