import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Result, Schedule, Scope } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { isRoot } from "../../src/postgres/embedded/Account.js"
import * as EmbeddedPostgres from "../../src/postgres/embedded/EmbeddedPostgres.js"
import { startOf } from "../../src/postgres/embedded/Processes.js"
import { end, eventually, owner, type Place, place, query, run } from "./support.js"

const ANSWER_TRIES_MAX = 2_000

/** The process group, to which a terminal sends its signals. */
const groupOf = (pid: number): number =>
  process.platform === "linux"
    ? Number(/.*\) \S+ \d+ (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
    : Number(spawnSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).stdout)

/** The pid in `postmaster.pid`, which is not there, or not whole, while a server starts. */
const postmasterIn = (where: Place): number | undefined => {
  try {
    return where.postmaster() || undefined
  } catch {
    return undefined
  }
}

describe.concurrent("a server of its own", () => {
  it.live("is a UTF-8 database with durable commits that only this machine and the password reach", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const server = yield* run(where)
      assert.isFalse(server.adopted)
      const [facts] = yield* query(
        server.url,
        `SELECT current_database() AS database, current_user AS role, datlocprovider AS provider, datlocale AS locale,
                pg_encoding_to_char(encoding) AS encoding, rolsuper AS super,
                current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses
           FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user`
      )
      assert.deepStrictEqual(facts, {
        database: "outbound",
        role: "outbound",
        provider: "b",
        locale: "C.UTF-8",
        encoding: "UTF8",
        super: false,
        fsync: "on",
        addresses: "127.0.0.1"
      })
      assert.strictEqual(statSync(join(where.home(), "password")).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(where.home(), "cluster")).mode & 0o777, 0o700)
      const refused = yield* Effect.sandbox(query(server.url.replace(server.password, "guess"), "SELECT 1")).pipe(
        Effect.flip
      )
      assert.include(Cause.pretty(refused), "password authentication failed")
    })
  )

  it.live("leads a process group of its own, so that Ctrl-C in the terminal is its owner's to handle", () =>
    Effect.gen(function* () {
      const where = yield* place()
      yield* run(where)
      assert.strictEqual(groupOf(where.postmaster()), where.postmaster())
    })
  )

  it.live("is stopped with its scope, clients or not, and leaves no process; what was written is there later", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const scope = yield* Scope.make()
      const first = yield* run(where).pipe(Scope.provide(scope))
      yield* query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer")
      const client = new pg.Client({ connectionString: first.url })
      client.on("error", () => undefined)
      yield* Effect.promise(() => client.connect())
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(where.processes(), [])

      const second = yield* run(where)
      assert.isFalse(second.adopted)
      assert.strictEqual(second.password, first.password)
      assert.deepStrictEqual(yield* query(second.url, "SELECT answer FROM kept"), [{ answer: 42 }])
    })
  )

  it.live("is stopped when its owner's process is told to end", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const process = yield* owner(where)
      assert.isString((yield* process.line).url)
      assert.isNotEmpty(where.processes())
      yield* end(process.child, "SIGTERM")
      assert.deepStrictEqual(where.processes(), [])
    })
  )

  it.live("starts over when the first set-up was cut short", () =>
    Effect.gen(function* () {
      const where = yield* place()
      mkdirSync(join(where.dataDir, "postgres", "setup-abc", "cluster"), { recursive: true })
      const server = yield* run(where)
      assert.lengthOf(yield* query(server.url, "SELECT 1"), 1)
      assert.isUndefined(statSync(join(where.home(), "setup-abc"), { throwIfNoEntry: false }))
    })
  )

  it.live("refuses a cluster of another major version, and says how to carry the data over", () =>
    Effect.gen(function* () {
      const where = yield* place()
      yield* Effect.scoped(run(where))
      writeFileSync(join(where.home(), "cluster", "PG_VERSION"), "17\n")
      const refused = yield* Effect.flip(run(where))
      assert.strictEqual(refused.reason, "version_mismatch")
      assert.match(refused.message, /PostgreSQL 17.*PostgreSQL 18.*pg_dump.*pg_restore/)
    })
  )
})

describe.concurrent("after a kill", () => {
  it.live("a server whose owner was killed is adopted, with its port and password, and stopped by its new owner", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const process = yield* owner(where)
      const { url = "" } = yield* process.line
      const before = where.postmaster()
      yield* end(process.child, "SIGKILL")
      const adopted = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* run(where)
          assert.strictEqual(where.postmaster(), before)
          assert.lengthOf(yield* query(server.url, "SELECT 1"), 1)
          return server
        })
      )
      assert.deepInclude(adopted, { adopted: true, url })
      assert.deepStrictEqual(where.processes(), [])
    })
  )

  it.live("a server killed together with its owner recovers what it had committed", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const process_ = yield* owner(where)
      const { url = "" } = yield* process_.line
      yield* query(url, "CREATE TABLE charged AS SELECT 1 AS call")
      yield* end(process_.child, "SIGKILL")
      const postmaster = where.postmaster()
      process.kill(postmaster, "SIGKILL")
      yield* eventually(() => startOf(postmaster) === undefined)
      const server = yield* run(where)
      assert.isFalse(server.adopted)
      assert.deepStrictEqual(yield* query(server.url, "SELECT call FROM charged"), [{ call: 1 }])
    })
  )

  it.live("a server that dies under a living owner is back on the same port, launched and adopted alike", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const killed = yield* owner(where)
      yield* killed.line
      yield* end(killed.child, "SIGKILL")
      const server = yield* run(where)
      const pool = new pg.Pool({ connectionString: server.url, max: 2 })
      pool.on("error", () => undefined)
      yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))
      assert.isTrue(server.adopted)
      for (let crash = 0; crash < 2; crash++) {
        const before = where.postmaster()
        yield* Effect.promise(() => pool.query("SELECT 1"))
        process.kill(before, "SIGKILL")
        yield* eventually(() => startOf(before) === undefined)
        // What the dead server left behind may go on answering for a moment.
        yield* eventually(() => postmasterIn(where) !== undefined && postmasterIn(where) !== before)
        const answers = Effect.tryPromise(() => pool.query("SELECT 1"))
        yield* Effect.retry(answers, { times: ANSWER_TRIES_MAX, schedule: Schedule.spaced("25 millis") })
      }
    })
  )

  it.live("a postmaster.pid whose pid means another process by now does not keep the server down", () =>
    Effect.gen(function* () {
      const where = yield* place()
      yield* Effect.scoped(run(where))
      // PostgreSQL passes over a pid that it may not signal, so the bystander is of the server's own user.
      const { uid, gid } = statSync(join(where.home(), "cluster"))
      const bystander = spawn("tail", ["-f", "/dev/null"], { cwd: "/", ...(isRoot ? { uid, gid } : {}) })
      yield* Effect.addFinalizer(() => end(bystander, "SIGKILL"))
      const file = join(where.home(), "cluster", "postmaster.pid")
      writeFileSync(
        file,
        [bystander.pid, join(where.home(), "cluster"), 1, 5432, "", "127.0.0.1", "", "ready", ""].join("\n")
      )
      const server = yield* run(where)
      assert.isFalse(server.adopted)
      assert.isNull(bystander.exitCode)
      assert.lengthOf(yield* query(server.url, "SELECT 1"), 1)
    })
  )
})

describe.concurrent("beside a running owner", () => {
  it.live("a second owner is refused, and told which process owns which directory", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const first = yield* owner(where)
      const { url = "" } = yield* first.line
      const refused = yield* Effect.flip(run(where))
      assert.strictEqual(refused.reason, "in_use")
      assert.include(refused.message, `${where.dataDir} is owned by process ${first.pid}`)
      assert.lengthOf(yield* query(url, "SELECT 1"), 1)
    })
  )

  it.live("of several that start at the same instant, exactly one owns the directory", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const racers = yield* Effect.all([owner(where), owner(where), owner(where), owner(where)])
      const lines = yield* Effect.all(racers.map(({ line }) => line))
      assert.lengthOf(
        lines.filter(({ url }) => url !== undefined),
        1
      )
      assert.lengthOf(
        lines.filter(({ reason }) => reason === "in_use"),
        3
      )
    })
  )

  it.live("another program finds the server, joins it, and leaves it running", () =>
    Effect.gen(function* () {
      const where = yield* place()
      assert.isTrue(Option.isNone(yield* EmbeddedPostgres.find(where)))
      const server = yield* run(where)
      const joined = yield* Effect.scoped(EmbeddedPostgres.join(where))
      assert.strictEqual(joined.url, server.url)
      assert.lengthOf(yield* query(server.url, "SELECT 1"), 1)
    })
  )

  it.live("alone, a program that joins owns the server for as long as it needs it", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const joined = yield* Effect.result(Effect.scoped(EmbeddedPostgres.join(where)))
      assert.isTrue(Result.isSuccess(joined))
      assert.deepStrictEqual(where.processes(), [])
      assert.include(readFileSync(join(where.home(), "server.log"), "utf8"), "database system is shut down")
    })
  )
})
