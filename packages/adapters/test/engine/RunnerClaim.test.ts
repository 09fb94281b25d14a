import { assert, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as EngineTables from "../../src/engine/EngineTables.js"
import { claimRunner, isLoopback, LOOPBACK } from "../../src/engine/RunnerClaim.js"
import { sharedConfig } from "../../src/engine/RunnerConfig.js"
import { testPool } from "./support.js"

const tables = EngineTables.layer.pipe(
  Layer.provide(Layer.succeed(ShardingConfig, sharedConfig)),
  Layer.provideMerge(testPool)
)

const none = Option.none()
const at = (host: string) => Option.some({ host, port: 7001 })

layer(tables, { excludeTestServices: true })("the address of a host's runner", (it) => {
  it.scoped(
    "without one of its own a host takes loopback and a port that is free, and so does the next beside it",
    () =>
      Effect.gen(function* () {
        const [one, two] = yield* Effect.all([claimRunner(none, "a"), claimRunner(none, "a")], { concurrency: 2 })
        assert.strictEqual(one.host, LOOPBACK)
        assert.notStrictEqual(one.port, two.port)
      })
  )

  it.scoped("a host on loopback does not start while one on another machine runs", () =>
    Effect.gen(function* () {
      yield* claimRunner(at("10.0.0.1"), "a")
      const error = yield* Effect.flip(claimRunner(none, "b"))
      assert.strictEqual(error.reason, "runners_out_of_reach")
      assert.include(error.message, "10.0.0.1:7001")
      assert.include(error.message, "OUTBOUND_RUNNER_ADDRESS")
    })
  )

  it.scoped("a host with an address does not start while one on another machine listens on loopback only", () =>
    Effect.gen(function* () {
      yield* claimRunner(none, "a")
      const error = yield* Effect.flip(claimRunner(at("10.0.0.2"), "b"))
      assert.strictEqual(error.reason, "runners_out_of_reach")
    })
  )

  it.scoped("two hosts on loopback of two machines are not let together, even when they start at the same moment", () =>
    Effect.gen(function* () {
      const claims = yield* Effect.all([Effect.either(claimRunner(none, "a")), Effect.either(claimRunner(none, "b"))], {
        concurrency: 2
      })
      assert.deepStrictEqual(claims.map((claim) => claim._tag).sort(), ["Left", "Right"])
    })
  )

  it.scoped("hosts with addresses start on any machine, and beside one on loopback of their own", () =>
    Effect.gen(function* () {
      yield* claimRunner(at("10.0.0.1"), "a")
      yield* claimRunner(at("10.0.0.2"), "b")
      yield* claimRunner(Option.some({ host: "10.0.0.2", port: 7002 }), "b")
    })
  )

  it.scoped("a host that stopped stands in nobody's way, nor does one that died some time ago", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(claimRunner(none, "a"))
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO engine_hosts (address, loopback, machine, claimed_at)
        VALUES ('127.0.0.1:1', true, 'dead', now() - interval '11 seconds')
      `
      yield* claimRunner(none, "b")
    })
  )

  it.effect("every address of the loopback network is loopback, and no name that merely looks like one", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(["127.0.0.1", "127.8.9.1", "::1", "localhost"].filter(isLoopback).length, 4)
      assert.deepStrictEqual(["127.example.com", "10.0.0.1", "fd00::1", "host"].filter(isLoopback), [])
    })
  )
})
