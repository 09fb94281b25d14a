import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { isRoot } from "../../src/postgres/embedded/Account.js"
import { binaries, installed } from "../../src/postgres/embedded/Binaries.js"
import { locate } from "../../src/postgres/embedded/Location.js"
import { place, query, run } from "./support.js"

describe("where the files are", () => {
  it.live("in a directory that only its user can read, the server runs and keeps its data, for root too", () =>
    Effect.gen(function* () {
      const where = yield* place(0o700)
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* run(where)
          yield* query(server.url, "CREATE TABLE kept AS SELECT 42 AS answer")
          return where.home()
        })
      )
      const server = yield* run(where)
      assert.deepStrictEqual(yield* query(server.url, "SELECT answer FROM kept"), [{ answer: 42 }])
      assert.strictEqual(where.home(), first)
      const home = statSync(where.home())
      const cluster = statSync(join(where.home(), "cluster"))
      assert.strictEqual(cluster.mode & 0o777, 0o700)
      if (isRoot) {
        assert.strictEqual(dirname(first), join(where.stateDir, "postgres"))
        assert.deepStrictEqual([home.uid, home.mode & 0o777], [0, 0o710])
        assert.notStrictEqual(cluster.uid, 0)
        assert.strictEqual(home.gid, cluster.gid)
        assert.strictEqual(statSync(join(where.home(), "password")).uid, 0)
        assert.strictEqual(statSync(dirname(where.dataDir)).mode & 0o777, 0o700)
      } else {
        assert.strictEqual(first, join(where.dataDir, "postgres"))
        assert.deepStrictEqual([home.uid, home.mode & 0o777], [cluster.uid, 0o700])
        assert.isFalse(existsSync(where.stateDir))
      }
    })
  )

  it.live("a data directory keeps its place when its permissions change or it is moved, and a copy gets none", () =>
    Effect.gen(function* () {
      const where = yield* place(0o700)
      const { home } = locate(where.dataDir, where.stateDir)
      mkdirSync(join(home, "cluster"))
      chmodSync(dirname(where.dataDir), 0o755)
      if (isRoot) {
        rmSync(join(home, "cluster"), { recursive: true })
        assert.strictEqual(locate(where.dataDir, where.stateDir).home, home)
        const copy = `${where.dataDir}-copy`
        cpSync(where.dataDir, copy, { recursive: true })
        assert.throws(() => locate(copy, where.stateDir), /is a copy of .*dump and restore/)
        rmSync(copy, { recursive: true })
        renameSync(where.dataDir, copy)
        assert.strictEqual(locate(copy, where.stateDir).home, home)
      } else {
        const moved = `${where.dataDir}-moved`
        renameSync(where.dataDir, moved)
        assert.strictEqual(locate(moved, where.stateDir).home, join(moved, "postgres"))
      }
    })
  )

  it.live("a data directory that others could tamper with, or that is another user's, is refused", () =>
    Effect.gen(function* () {
      const where = yield* place(0o700)
      if (isRoot) {
        const { home } = locate(where.dataDir, where.stateDir)
        chmodSync(dirname(home), 0o777)
        assert.throws(() => locate(where.dataDir, where.stateDir), /can be changed by others than root/)
        chmodSync(dirname(home), 0o755)
        chownSync(home, 4_242, 4_242)
        assert.throws(() => locate(where.dataDir, where.stateDir), /belongs to user id 4242, and this process is root/)
        chownSync(join(where.dataDir, "postgres", "location.json"), 4_242, 4_242)
        assert.throws(() => locate(where.dataDir, where.stateDir), /location.json belongs to user id 4242/)
      } else {
        assert.throws(() => locate("/root/outbound", where.stateDir), /EACCES/)
      }
    })
  )
})

describe("the programs", () => {
  it.live("run although npm made no links, from where they are and from a copy, for any number at once", () =>
    Effect.gen(function* () {
      const where = yield* place()
      const found = installed()
      const bare = { ...found, directory: join(where.dataDir, "package") }
      mkdirSync(where.dataDir)
      cpSync(found.directory, bare.directory, {
        recursive: true,
        filter: (path) => !lstatSync(path).isSymbolicLink() && !path.endsWith(".a")
      })
      const own = { ...locate(join(where.dataDir, "d"), where.stateDir), account: undefined }
      const nobody = { uid: 4_242, gid: 4_242 }

      const [direct] = yield* Effect.all([binaries(own, () => bare), binaries(own, () => bare)])
      assert.strictEqual(direct.postgres, join(bare.directory, "native", "bin", "postgres"))
      assert.include(spawnSync(direct.postgres, ["--version"], { encoding: "utf8" }).stdout, "PostgreSQL")

      chmodSync(bare.directory, 0o700)
      const forAnother = { ...own, account: nobody }
      const [copied] = yield* Effect.all([binaries(forAnother, () => bare), binaries(forAnother, () => bare)], {
        concurrency: 2
      })
      assert.strictEqual(copied.postgres, join(where.stateDir, "binaries", found.version, "native", "bin", "postgres"))
      const asThem = { encoding: "utf8", cwd: "/", ...(isRoot ? nobody : {}) } as const
      assert.include(spawnSync(copied.initdb, ["--version"], asThem).stdout, "PostgreSQL")
      assert.deepStrictEqual(readdirSync(join(where.stateDir, "binaries")), [found.version])
    })
  )
})
