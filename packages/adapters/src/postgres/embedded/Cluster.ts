/** A PostgreSQL cluster on disk: created once with its password, and checked at every start. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { spawnAs } from "./Account.js"
import { replace, syncDirectory } from "./AtomicFile.js"
import type { Binaries } from "./Binaries.js"
import { attempt, type EmbeddedPostgresError, failed, startFailed } from "./EmbeddedPostgresError.js"
import type { Location } from "./Location.js"
import { SUPERUSER } from "./Settings.js"

/** Syncing a new cluster to a slow disk takes seconds. */
const INITDB_MS_MAX = 120_000

const SETUP = "setup-"

/** Containers often run under a bare number; `initdb` insists on a name. */
const NAMELESS = "Give this user id a line in /etc/passwd, run as a user that has one, or set DATABASE_URL."

/** Only the search path of our environment: `PG*` variables and locales would change what the programs do. */
export const ENVIRONMENT = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/** Tells the operator why a program could not be started. */
export const explainSpawn = (program: string, error: NodeJS.ErrnoException): EmbeddedPostgresError => {
  const { reason, hint } =
    error.code === "ENOENT" && existsSync(program)
      ? { reason: "unsupported_platform" as const, hint: "It needs the GNU C library; on others, set DATABASE_URL." }
      : error.code === "EACCES"
        ? { reason: "start_failed" as const, hint: "Is its file system mounted noexec?" }
        : { reason: "start_failed" as const, hint: "Install the dependencies again." }
  return failed(reason, `Could not run ${program}: ${error.message}. ${hint}`, error)
}

const initdb = (programs: Binaries, location: Location, cluster: string, passwordFile: string) =>
  Effect.callback<void, EmbeddedPostgresError>((resume) => {
    const options = [
      `--pgdata=${cluster}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      "--no-instructions"
    ]
    const child = spawn(programs.initdb, options, {
      ...spawnAs(location.account),
      cwd: cluster,
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe"]
    })
    let printed = ""
    child.stderr?.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-4_000)))
    child.once("error", (error) => resume(Effect.fail(explainSpawn(programs.initdb, error))))
    child.once("close", (code) =>
      resume(
        code === 0
          ? Effect.void
          : Effect.fail(
              failed(
                "init_failed",
                `Could not make a database in ${location.home}: initdb ended with ${code}. ${printed.trim()}` +
                  (printed.includes("could not look up effective user ID") ? ` ${NAMELESS}` : "")
              )
            )
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: INITDB_MS_MAX,
      orElse: () =>
        Effect.fail(
          failed(
            "init_failed",
            `Could not make a database in ${location.home}: initdb took over ${INITDB_MS_MAX / 1000} s.`
          )
        )
    })
  )

/**
 * Prepares the files of a set-up. Root keeps the directory; the account gets an empty cluster and read access to the
 * password.
 */
const prepare = (location: Location, password: string) => {
  const directory = mkdtempSync(join(location.home, SETUP))
  const cluster = join(directory, "cluster")
  const passwordFile = join(directory, "password")
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (location.account !== undefined) {
    const { uid, gid } = location.account
    chownSync(cluster, uid, gid)
    chownSync(passwordFile, uid, gid)
    chownSync(directory, 0, gid)
    chmodSync(directory, 0o710)
  }
  return { directory, cluster, passwordFile }
}

const passwordFileOf = (home: string) => join(home, "password")

/** Replaced while there is no cluster, then kept forever. */
const newPassword = (home: string): string => {
  const password = randomBytes(32).toString("hex")
  replace(passwordFileOf(home), password)
  return password
}

/** A cluster gets its name when it is complete, so an existing one can always be started. */
const layOut = (programs: Binaries, location: Location) =>
  Effect.acquireUseRelease(
    attempt("init_failed", `Could not make a database in ${location.home}`, () => {
      for (const name of readdirSync(location.home).filter((name) => name.startsWith(SETUP))) {
        rmSync(join(location.home, name), { recursive: true, force: true })
      }
      return prepare(location, newPassword(location.home))
    }),
    (setup) =>
      initdb(programs, location, setup.cluster, setup.passwordFile).pipe(
        Effect.andThen(
          attempt("init_failed", `Could not make a database in ${location.home}`, () => {
            renameSync(setup.cluster, location.cluster)
            syncDirectory(location.home)
          })
        )
      ),
    (setup) => Effect.sync(() => rmSync(setup.directory, { recursive: true, force: true }))
  )

/** The password of the cluster in the home. */
export const passwordOf = (location: Location): Effect.Effect<string, EmbeddedPostgresError> =>
  Effect.try({
    try: () => readFileSync(passwordFileOf(location.home), "utf8").trim(),
    catch: (cause) =>
      startFailed(
        `The password of the database can't be read from ${passwordFileOf(location.home)}. Put the file back.`,
        cause
      )
  })

const checkVersion = (programs: Binaries, location: Location) =>
  attempt("start_failed", `The database in ${location.cluster} is damaged`, () => {
    const written = readFileSync(join(location.cluster, "PG_VERSION"), "utf8").trim()
    if (written === programs.major) return
    throw failed(
      "version_mismatch",
      `The database in ${location.cluster} was written by PostgreSQL ${written}, and this release of outbound brings ` +
        `PostgreSQL ${programs.major}. Serve it with the release that wrote it and dump it with pg_dump (its password ` +
        "is in the file beside it), then restore that with pg_restore into an empty OUTBOUND_DATA_DIR of this one."
    )
  })

/** Creates the cluster if there is none and returns its password. The caller owns the home. */
export const ensureCluster = (programs: Binaries, location: Location): Effect.Effect<string, EmbeddedPostgresError> =>
  Effect.suspend(() =>
    existsSync(location.cluster) ? checkVersion(programs, location) : layOut(programs, location)
  ).pipe(Effect.andThen(passwordOf(location)))
