/** Small files that are either wholly there or not at all, whoever reads them and whenever we die. */
import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code

/** Makes renames and links in the directory outlive a power cut. */
export const syncDirectory = (path: string): void => {
  const fd = openSync(path, "r")
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Temporary files carry this in their names, so that what a killed process left can be told and removed. */
export const TEMPORARY = ".tmp-"

const writeTemporary = (path: string, content: string): string => {
  const temporary = `${path}${TEMPORARY}${randomBytes(6).toString("hex")}`
  const fd = openSync(temporary, "wx", 0o600)
  try {
    writeSync(fd, content)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  return temporary
}

/** Creates the file, of mode 0600, unless it exists. Of any number of processes exactly one is told `true`. */
export const create = (path: string, content: string): boolean => {
  const temporary = writeTemporary(path, content)
  try {
    linkSync(temporary, path)
    syncDirectory(dirname(path))
    return true
  } catch (error) {
    // ENOENT: another process that cleaned up took our temporary file for a leftover; the caller looks again.
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Puts the content in the place of whatever stood at the path. */
export const replace = (path: string, content: string): void => {
  const temporary = writeTemporary(path, content)
  try {
    renameSync(temporary, path)
    syncDirectory(dirname(path))
  } finally {
    rmSync(temporary, { force: true })
  }
}
