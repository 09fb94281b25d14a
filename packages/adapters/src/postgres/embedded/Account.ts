/**
 * As whom PostgreSQL runs. It refuses to run as root, so for root it needs an account that can do nothing else.
 *
 * We use the user `nobody`, which every system has, with a group id of our own that nobody is a member of, and no
 * other groups. The files are kept in a directory that only root and that group can enter. So other programs that run
 * as `nobody` can neither reach the files nor trace the server (that takes the same group too); at worst they could
 * send it a signal, which is survived.
 */
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Group ids that distributions and systemd leave unused: between homed's users and dynamic service users. */
const GID_FIRST = 60_750
const GID_LAST = 61_183

const lines = (file: string): ReadonlyArray<ReadonlyArray<string>> => {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"))
  } catch {
    return []
  }
}

/** The account for a new cluster of root's. */
export const unprivileged = (): Account => {
  const nobody = lines("/etc/passwd").find(([name]) => name === "nobody")
  if (nobody?.[2] === undefined) {
    throw new EmbeddedPostgresError({
      reason: "unsupported_platform",
      message:
        "PostgreSQL refuses to run as root, and /etc/passwd has no user `nobody` to run it as. " +
        "Start outbound as another user than root, or set DATABASE_URL."
    })
  }
  const taken = new Set(lines("/etc/group").map((fields) => Number(fields[2])))
  let gid = GID_FIRST
  while (taken.has(gid) && gid < GID_LAST) gid++
  return { uid: Number(nobody[2]) >>> 0, gid }
}

export const isRoot = process.getuid?.() === 0

/** What `spawn` needs to start a program as the account; nothing when it is our own. */
export const spawnAs = (account: Account | undefined) =>
  account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 }

const grants = (path: string, account: Account, bit: number): boolean => {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & bit) === bit
}

const TRAVERSE = 0o1
const READ_AND_TRAVERSE = 0o5

/** Whether the account may walk down to `path` and into it. */
export const canEnter = (path: string, account: Account): boolean => {
  for (let at = path; ; at = dirname(at)) {
    if (!grants(at, account, TRAVERSE)) return false
    if (at === dirname(at)) return true
  }
}

/** Whether the account may read and execute the file or list the directory itself, its parents aside. */
export const canRead = (path: string, account: Account): boolean => grants(path, account, READ_AND_TRAVERSE)

/** Makes the directory and those above it that are missing, for everyone to walk through whatever the umask is. */
export const makeOpenDirectory = (path: string): void => {
  const first = mkdirSync(path, { recursive: true, mode: 0o755 })
  if (first === undefined) return
  for (let at = path; at.length >= first.length; at = dirname(at)) chmodSync(at, 0o755)
}
