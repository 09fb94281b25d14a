/**
 * At most one process owns a data directory at a time.
 *
 * The file `owner.<n>.json` with the highest `n` names the owner. To take over from a dead owner, a process creates the
 * next number, which the file system grants to exactly one process. A process that then finds a higher number than its
 * own withdraws. A released file is marked, never deleted: so numbers only grow, and a slow process can't win with an
 * old number.
 *
 * If we can see the owner's process, its pid and start time tell whether it is alive. An owner in another container or
 * on another machine is not visible. So owners also touch their file every 2 seconds, and an invisible owner counts as
 * alive until its file is 10 seconds old.
 */
import { Effect, Schedule, type Scope } from "effect"
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { create, replace, TEMPORARY } from "./AtomicFile.js"
import { attempt, type EmbeddedPostgresError, failed } from "./EmbeddedPostgresError.js"
import { namespace, startOf } from "./Processes.js"

const CLAIM_ATTEMPTS_MAX = 50
const HEARTBEAT_MS = 2_000
const SILENCE_MS_MAX = 10_000

export interface Owner {
  readonly pid: number
  /** See `startOf`. */
  readonly start: string
  readonly namespace: string
  /** Device and inode of the directory, so that a copied directory's file names no owner. */
  readonly directory: string
  readonly since: string
  readonly released: boolean
}

const NAME = /^owner\.(\d{1,15})\.json$/

const fileOf = (home: string, generation: number) => join(home, `owner.${generation}.json`)

const generations = (home: string): ReadonlyArray<number> =>
  readdirSync(home)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a)

const directoryOf = (home: string): string => {
  const { dev, ino } = statSync(home)
  return `${dev}:${ino}`
}

const present = (home: string, file: string, owner: Owner): boolean => {
  if (owner.released || owner.directory !== directoryOf(home)) return false
  if (owner.namespace === namespace) return startOf(owner.pid) === owner.start
  return Math.abs(Date.now() - statSync(file).mtimeMs) < SILENCE_MS_MAX
}

/** The live owner of the directory, if any. */
export const ownerOf = (home: string): Owner | undefined => {
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS_MAX; attempt++) {
    const [highest] = generations(home)
    if (highest === undefined) return undefined
    try {
      const owner = JSON.parse(readFileSync(fileOf(home, highest), "utf8")) as Owner
      return present(home, fileOf(home, highest), owner) ? owner : undefined
    } catch (error) {
      // A newer owner may have removed this file between listing and reading. Any other error is real.
      if (generations(home)[0] === highest) throw error
    }
  }
  return undefined
}

const inUse = (dataDir: string, owner: Owner) =>
  failed(
    "in_use",
    `The database in ${dataDir} is owned by process ${owner.pid}${owner.pid === process.pid ? " (this one)" : ""}, ` +
      `since ${owner.since}` +
      (owner.namespace === namespace ? "" : ", in another container or on another machine") +
      ". Stop that process first, or set OUTBOUND_DATA_DIR to another directory."
  )

const take = (home: string, dataDir: string): number => {
  const self: Owner = {
    pid: process.pid,
    start: startOf(process.pid) ?? "",
    namespace,
    directory: directoryOf(home),
    since: new Date().toISOString(),
    released: false
  }
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS_MAX; attempt++) {
    const [highest = 0] = generations(home)
    const owner = ownerOf(home)
    if (owner !== undefined) throw inUse(dataDir, owner)
    const mine = highest + 1
    if (!create(fileOf(home, mine), JSON.stringify(self))) continue
    if (generations(home)[0] !== mine) {
      rmSync(fileOf(home, mine), { force: true })
      continue
    }
    for (const older of generations(home).slice(1)) rmSync(fileOf(home, older), { force: true })
    for (const name of readdirSync(home).filter((name) => name.includes(TEMPORARY))) {
      rmSync(join(home, name), { force: true, recursive: true })
    }
    return mine
  }
  throw failed(
    "in_use",
    `The database in ${dataDir} is being claimed by several processes at once. Start one of them again.`
  )
}

/** Owns the directory until the scope closes. Fails with `in_use` if a live process owns it. */
export const claim = (home: string, dataDir: string): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("start_failed", `Could not claim ${home}`, () => take(home, dataDir)),
    (generation) =>
      Effect.try(() => {
        const file = fileOf(home, generation)
        replace(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as Owner), released: true }))
      }).pipe(Effect.catch((error) => Effect.logWarning(`Could not release ${home}`, error)))
  ).pipe(
    Effect.tap((generation) =>
      Effect.try(() => {
        const now = new Date()
        utimesSync(fileOf(home, generation), now, now)
      }).pipe(
        Effect.catch((error) => Effect.logWarning(`Could not touch the owner file in ${home}`, error)),
        Effect.repeat(Schedule.spaced(HEARTBEAT_MS)),
        Effect.forkScoped
      )
    ),
    Effect.asVoid
  )
