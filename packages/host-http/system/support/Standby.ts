import { binaries } from "@outbound/adapters/postgres/embedded/Binaries.js"
import { ensureCluster } from "@outbound/adapters/postgres/embedded/Cluster.js"
import { ensureDatabase } from "@outbound/adapters/postgres/embedded/Database.js"
import type { EmbeddedPostgresError } from "@outbound/adapters/postgres/embedded/EmbeddedPostgresError.js"
import { type Location, locate } from "@outbound/adapters/postgres/embedded/Location.js"
import { launch } from "@outbound/adapters/postgres/embedded/Postmaster.js"
import { processesOn } from "@outbound/adapters/postgres/embedded/Processes.js"
import { DATABASE, HOST, ROLE, SUPERUSER } from "@outbound/adapters/postgres/embedded/Settings.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFileSync, chownSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { killAll } from "../../../adapters/test/support/processes.js"
import { until } from "./Client.js"
import { type Line, lineTo, through } from "./Line.js"
import { type Place, temporaryDirectory } from "./Place.js"

/** A standby that stands by, or a fail-over, on a machine that has other things to do. */
const READY_SECONDS_MAX = 60

/** A database with a standby that follows it by streaming replication, as an operator would have one. */
export interface Replicated {
  /** Hosts reach whichever server is the primary, as through a proxy that follows it. */
  readonly place: Place
  /** The standby gets nothing from now on. */
  readonly cutOff: () => void
  /** The primary dies at once, with all it knew; the standby takes its place. */
  readonly failOver: Effect.Effect<void>
}

interface Server {
  readonly location: Location
  readonly port: number
}

const prepared = Effect.gen(function* () {
  const location = locate(yield* temporaryDirectory)
  const programs = yield* binaries(location)
  const password = yield* ensureCluster(programs, location)
  yield* Effect.addFinalizer(() => Effect.sync(() => killAll(processesOn(location.cluster))))
  return { location, password, programs }
})

/** One statement after the other, as the superuser. */
const asSuperuser = <A>(port: number, password: string, work: (client: pg.Client) => Promise<A>): Effect.Effect<A> =>
  Effect.promise(async () => {
    const client = new pg.Client({ host: HOST, port, user: SUPERUSER, password, database: "postgres", ssl: false })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  })

/** The files of the primary, taken while it runs, in place of the standby's own. */
const copyFiles = async (client: pg.Client, from: Location, to: Location): Promise<void> => {
  await client.query("SELECT pg_backup_start('standby', true)")
  for (const name of readdirSync(to.cluster)) rmSync(join(to.cluster, name), { recursive: true })
  // It keeps owners, which Node's own copy does not.
  const copied = spawnSync("cp", ["-a", `${from.cluster}/.`, to.cluster], { encoding: "utf8" })
  // A file that the primary removed meanwhile is not missed: the log says so, too.
  if (copied.status !== 0 && !copied.stderr.includes("No such file")) throw new Error(copied.stderr)
  const { rows } = await client.query<{ readonly labelfile: string }>("SELECT labelfile FROM pg_backup_stop()")
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(to.cluster, name), { force: true })
  const { gid, uid } = statSync(to.cluster)
  for (const [name, content] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["standby.signal", ""]
  ] as const) {
    writeFileSync(join(to.cluster, name), content, { mode: 0o600 })
    chownSync(join(to.cluster, name), uid, gid)
  }
}

const follows = (primary: Server, password: string, how: "async" | "sync") =>
  asSuperuser(primary.port, password, async (client) => {
    const following = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1"
    const { rows } = await client.query(following, [how])
    return rows.length === 1
  })

/**
 * Two servers of PostgreSQL. `synchronous`: a commit is acknowledged once the standby has it on its disk, too
 * (`synchronous_standby_names`).
 */
export const replicated = ({
  synchronous
}: {
  readonly synchronous: boolean
}): Effect.Effect<Replicated, EmbeddedPostgresError | Error, Scope.Scope> =>
  Effect.gen(function* () {
    const one = yield* prepared
    const other = yield* prepared
    const primary: Server = { location: one.location, port: yield* Effect.promise(freePort) }
    const standby: Server = { location: other.location, port: yield* Effect.promise(freePort) }
    yield* launch(one.programs, primary.location, primary.port, () => undefined)
    yield* ensureDatabase(primary.port, one.password)

    const log = yield* lineTo(primary.port)
    yield* asSuperuser(primary.port, one.password, async (client) => {
      await client.query("ALTER SYSTEM SET wal_keep_size = '512MB'")
      await client.query("SELECT pg_reload_conf()")
      await copyFiles(client, primary.location, standby.location)
    })
    appendFileSync(
      join(standby.location.cluster, "postgresql.auto.conf"),
      `primary_conninfo = 'host=${HOST} port=${log.port} user=${SUPERUSER} password=${one.password} application_name=standby'\n`
    )
    yield* launch(other.programs, standby.location, standby.port, () => undefined)
    yield* until(follows(primary, one.password, "async"), (isSo) => isSo, READY_SECONDS_MAX)
    if (synchronous) {
      yield* asSuperuser(primary.port, one.password, async (client) => {
        await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        await client.query("SELECT pg_reload_conf()")
      })
      yield* until(follows(primary, one.password, "sync"), (isSo) => isSo, READY_SECONDS_MAX)
    }

    const line: Line = yield* lineTo(primary.port)
    const url = through(line, `postgres://${ROLE}:${one.password}@${HOST}:${primary.port}/${DATABASE}`)
    return {
      place: {
        environment: { DATABASE_URL: url, OUTBOUND_SECRET: randomBytes(32).toString("base64url") },
        databaseUrl: Effect.succeed(url)
      },
      cutOff: () => log.lead(null),
      failOver: Effect.gen(function* () {
        killAll(processesOn(primary.location.cluster))
        line.lead(null)
        yield* asSuperuser(standby.port, one.password, (client) => client.query("SELECT pg_promote()"))
        line.lead(standby.port)
      })
    }
  })
