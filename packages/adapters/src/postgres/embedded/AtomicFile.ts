/** Small files that exist completely or not at all, for any reader and even if we are killed. */
import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code

/** Makes renames and links in the directory survive a power cut. */
export const syncDirectory = (path: string): void => {
  const fd = openSync(path, "r")
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Part of temporary file names, so that files of killed processes can be recognised and removed. */
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

/** Creates the file with mode 0600 unless it exists. Exactly one of concurrent processes gets `true`. */
export const create = (path: string, content: string): boolean => {
  const temporary = writeTemporary(path, content)
  try {
    linkSync(temporary, path)
    syncDirectory(dirname(path))
    return true
  } catch (error) {
    // ENOENT: another process mistook our temporary file for a leftover. The caller looks again.
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Atomically replaces the content at the path. */
export const replace = (path: string, content: string): void => {
  const temporary = writeTemporary(path, content)
  try {
    renameSync(temporary, path)
    syncDirectory(dirname(path))
  } finally {
    rmSync(temporary, { force: true })
  }
}
