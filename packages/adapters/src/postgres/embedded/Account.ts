/**
 * The account that runs PostgreSQL. PostgreSQL refuses to run as root, so root needs an account without other
 * privileges.
 *
 * We use the user `nobody`, which every system has, with a group id of our own that has no members, and no other
 * groups. Only root and that group can enter the directory with the files. So other programs that run as `nobody` can
 * neither reach the files nor trace the server (tracing needs the same group too). At worst they could send it a
 * signal, which it survives.
 */
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { failed } from "./EmbeddedPostgresError.js"

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

/** The account for a new cluster when we run as root. */
export const unprivileged = (): Account => {
  const nobody = lines("/etc/passwd").find(([name]) => name === "nobody")
  if (nobody?.[2] === undefined) {
    throw failed(
      "unsupported_platform",
      "PostgreSQL refuses to run as root, and /etc/passwd has no user `nobody` to run it as. " +
        "Start outbound as another user than root, or set DATABASE_URL."
    )
  }
  const taken = new Set(lines("/etc/group").map((fields) => Number(fields[2])))
  let gid = GID_FIRST
  while (taken.has(gid) && gid < GID_LAST) gid++
  return { uid: Number(nobody[2]) >>> 0, gid }
}

export const isRoot = process.getuid?.() === 0

/** Options that make `spawn` run a program as the account; empty for our own account. */
export const spawnAs = (account: Account | undefined) =>
  account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 }

const grants = (path: string, account: Account, bit: number): boolean => {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & bit) === bit
}

const TRAVERSE = 0o1
const READ_AND_TRAVERSE = 0o5

/** Whether the account may traverse to `path` and enter it. */
export const canEnter = (path: string, account: Account): boolean => {
  for (let at = path; ; at = dirname(at)) {
    if (!grants(at, account, TRAVERSE)) return false
    if (at === dirname(at)) return true
  }
}

/** Whether the account may read and execute the file, or list the directory; ignores its parents. */
export const canRead = (path: string, account: Account): boolean => grants(path, account, READ_AND_TRAVERSE)

/** Makes the directory and its missing parents, traversable by everyone whatever the umask. */
export const makeOpenDirectory = (path: string): void => {
  const first = mkdirSync(path, { recursive: true, mode: 0o755 })
  if (first === undefined) return
  for (let at = path; at.length >= first.length; at = dirname(at)) chmodSync(at, 0o755)
}
