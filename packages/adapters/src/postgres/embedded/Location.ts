/**
 * Where the cluster of a data directory is kept.
 *
 * Normally in `<dataDir>/postgres`, called its home:
 *
 *     cluster/          PostgreSQL's own files
 *     password          of the roles `postgres` and `outbound`, mode 0600
 *     owner.<n>.json    which process owns the directory
 *     server.log        what the server prints
 *
 * As root, the server runs as an unprivileged account (`Account.ts`), which must be able to walk to its files. When
 * `dataDir` lies where only root may go (`/root/x`), the home is a directory of random name under the state directory
 * instead (`/var/lib/outbound/postgres/<id>`), and `<dataDir>/postgres/location.json` says which. That file is written
 * once, so a data directory keeps its cluster even if its permissions change later; the home names its data directory
 * in `data-dir`. No directory of the operator's is ever given other permissions. To remove a database, remove both.
 * In a container whose file system is thrown away, mount a volume that everyone may walk through (mode 0755 or 0711)
 * and name it as the data directory, or mount one at the state directory.
 *
 * As root every home belongs to root and can be entered by the server's own group only; the cluster in it has mode
 * 0700. A home in the state directory is used only when nobody but root could have put it there.
 */
import { randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname, join } from "node:path"
import { type Account, canEnter, isRoot, makeOpenDirectory, unprivileged } from "./Account.js"
import { create, replace } from "./AtomicFile.js"
import { startFailed } from "./EmbeddedPostgresError.js"

export interface Location {
  /** As requested, with symbolic links resolved. */
  readonly dataDir: string
  readonly home: string
  readonly cluster: string
  /** The account that runs the server; `undefined`: our own. */
  readonly account: Account | undefined
  /** Where root keeps what the account must reach. */
  readonly stateDir: string
}

/** Root's default for what an unprivileged account must reach. */
export const STATE_DIR = process.platform === "darwin" ? "/var/db/outbound" : "/var/lib/outbound"

/** Fails unless only root can change or replace what is at the path. */
const assertOnlyRoots = (path: string): void => {
  for (let at = path; ; at = dirname(at)) {
    const { uid, mode } = lstatSync(at)
    const sticky = (mode & 0o1000) !== 0 && at !== path
    if (uid !== 0 || ((mode & 0o022) !== 0 && !sticky)) {
      throw startFailed(
        `${at} can be changed by others than root, so a database there is not safe. Fix its owner and mode.`
      )
    }
    if (at === dirname(at)) return
  }
}

const ownCluster = (dataDir: string, stateDir: string): Location => {
  const home = join(dataDir, "postgres")
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const { uid } = statSync(home)
  if (uid !== process.getuid?.()) {
    throw startFailed(`${home} belongs to user id ${uid}. Start outbound as that user, or set OUTBOUND_DATA_DIR.`)
  }
  return { dataDir, home, cluster: join(home, "cluster"), account: undefined, stateDir }
}

/** The account of the home's cluster, or the one for a new cluster. */
const accountOf = (home: string): Account => {
  const account = unprivileged()
  const cluster = join(home, "cluster")
  if (!existsSync(cluster)) return account
  const { uid, gid } = statSync(cluster)
  if (uid === account.uid) return { uid, gid }
  throw startFailed(`${cluster} belongs to user id ${uid}, and this process is root. Start outbound as that user.`)
}

/**
 * A directory of root's that only the account's group can enter. It uses a descriptor, because the parent may belong to
 * another user.
 */
const makeHome = (home: string, account: Account): void => {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const fd = openSync(home, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const { uid } = fstatSync(fd)
    if (uid !== 0) {
      throw startFailed(`${home} belongs to user id ${uid}, and this process is root. Start outbound as that user.`)
    }
    fchownSync(fd, 0, account.gid)
    fchmodSync(fd, 0o710)
  } finally {
    closeSync(fd)
  }
}

const mapped = (asked: string, dataDir: string, stateDir: string): string => {
  const record = join(asked, "location.json")
  if (!existsSync(record)) {
    const home = join(stateDir, "postgres", randomBytes(16).toString("hex"))
    makeOpenDirectory(dirname(home))
    assertOnlyRoots(dirname(home))
    makeHome(home, unprivileged())
    replace(join(home, "data-dir"), dataDir)
    if (!create(record, JSON.stringify({ home }))) rmSync(home, { recursive: true })
  }
  const { uid } = lstatSync(record)
  if (uid !== 0) throw startFailed(`${record} belongs to user id ${uid}, so it can't say where root's database is.`)
  const { home } = JSON.parse(readFileSync(record, "utf8")) as { readonly home: string }
  assertOnlyRoots(dirname(home))
  const origin = existsSync(home) ? readFileSync(join(home, "data-dir"), "utf8") : undefined
  if (origin === undefined) {
    throw startFailed(`${record} says that the database is in ${home}, which is gone. Put it back from a backup.`)
  }
  if (origin !== dataDir) {
    if (existsSync(join(origin, "postgres", "location.json"))) {
      throw startFailed(
        `${dataDir} is a copy of ${origin}, whose database is in ${home}. Copy that as well, or dump and restore it.`
      )
    }
    replace(join(home, "data-dir"), dataDir)
  }
  return home
}

const rootsCluster = (dataDir: string, stateDir: string): Location => {
  const asked = join(dataDir, "postgres")
  mkdirSync(asked, { recursive: true, mode: 0o700 })
  const account = accountOf(asked)
  const here = existsSync(join(asked, "cluster"))
  const enterable = canEnter(dataDir, account)
  if (here && !enterable) {
    throw startFailed(
      `The database in ${asked} runs as user id ${account.uid}, who can no longer walk there. ` +
        `Make ${dataDir} and the directories above it traversable again (chmod o+x).`
    )
  }
  const home =
    here || (enterable && !existsSync(join(asked, "location.json"))) ? asked : mapped(asked, dataDir, stateDir)
  const final = accountOf(home)
  makeHome(home, final)
  if (!canEnter(home, final)) {
    throw startFailed(
      `${home} can't be reached by user id ${final.uid}. Make the directories above it traversable (chmod o+x).`
    )
  }
  return { dataDir, home, cluster: join(home, "cluster"), account: final, stateDir }
}

/** Finds or makes the home of the data directory. Synchronous, so that it is atomic within this process. */
export const locate = (asked: string, stateDir: string = STATE_DIR): Location => {
  // Root's new data directories are traversable, like those of other system services; their contents protect
  // themselves.
  mkdirSync(asked, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
  const dataDir = realpathSync(asked)
  return isRoot ? rootsCluster(dataDir, stateDir) : ownCluster(dataDir, stateDir)
}
