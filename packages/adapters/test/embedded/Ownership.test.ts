import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claim, type Owner, ownerOf } from "../../src/postgres/embedded/Ownership.js"
import { startOf } from "../../src/postgres/embedded/Processes.js"
import { place } from "./support.js"

const home = place().pipe(
  Effect.map(({ dataDir }) => {
    mkdirSync(dataDir, { recursive: true })
    return dataDir
  })
)

/** An owner file as this process would write it, with the changes. */
const plant = (directory: string, changes: Partial<Owner>) =>
  Effect.scoped(
    claim(directory, directory).pipe(
      Effect.map(() => {
        const owner = ownerOf(directory)
        if (owner === undefined) throw new Error("the claim left no owner")
        return owner
      })
    )
  ).pipe(
    Effect.map((owner) => {
      const [file = ""] = readdirSync(directory).filter((name) => name.startsWith("owner."))
      writeFileSync(join(directory, file), JSON.stringify({ ...owner, ...changes }))
      return join(directory, file)
    })
  )

describe("the owner of a data directory", () => {
  it.live("is this process while the scope is open, and nobody afterwards", () =>
    Effect.gen(function* () {
      const directory = yield* home
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* claim(directory, directory)
          assert.strictEqual(ownerOf(directory)?.pid, process.pid)
          const refused = yield* Effect.flip(Effect.scoped(claim(directory, directory)))
          assert.strictEqual(refused.reason, "in_use")
          assert.include(refused.message, `process ${process.pid} (this one)`)
        })
      )
      assert.isUndefined(ownerOf(directory))
    })
  )

  it.live("is not a process that got the pid of a dead owner", () =>
    Effect.gen(function* () {
      const directory = yield* home
      // The pid is alive: it is our parent's. What started then is not.
      yield* plant(directory, { pid: process.ppid, start: "1" })
      assert.isUndefined(ownerOf(directory))
      yield* claim(directory, directory)
    })
  )

  it.live("is the process of the pid when it also started at the same moment", () =>
    Effect.gen(function* () {
      const directory = yield* home
      yield* plant(directory, { pid: process.ppid, start: startOf(process.ppid) ?? "" })
      const refused = yield* Effect.flip(claim(directory, directory))
      assert.include(refused.message, `process ${process.ppid},`)
    })
  )

  it.live("in another container counts as there until it has been silent for 10 seconds", () =>
    Effect.gen(function* () {
      const directory = yield* home
      const file = yield* plant(directory, { namespace: "another boot" })
      const refused = yield* Effect.flip(claim(directory, directory))
      assert.include(refused.message, "in another container or on another machine")
      const silent = new Date(Date.now() - 11_000)
      utimesSync(file, silent, silent)
      yield* claim(directory, directory)
      assert.strictEqual(ownerOf(directory)?.pid, process.pid)
    })
  )

  it.live("of a directory is not the owner of its copy", () =>
    Effect.gen(function* () {
      const directory = yield* home
      const copy = yield* home
      yield* claim(directory, directory)
      cpSync(directory, copy, { recursive: true })
      yield* claim(copy, copy)
    })
  )

  it.live("has the highest number, and leaves one file however often it changes", () =>
    Effect.gen(function* () {
      const directory = yield* home
      for (let n = 0; n < 12; n++) yield* Effect.scoped(claim(directory, directory))
      const files = readdirSync(directory)
      assert.deepStrictEqual(files, ["owner.12.json"])
      assert.isTrue((JSON.parse(readFileSync(join(directory, "owner.12.json"), "utf8")) as Owner).released)
    })
  )

  it.live("is not displaced by a process so slow that it claims a number of long ago", () =>
    Effect.gen(function* () {
      const directory = yield* home
      for (let n = 0; n < 3; n++) yield* Effect.scoped(claim(directory, directory))
      yield* claim(directory, directory)
      writeFileSync(join(directory, "owner.2.json"), JSON.stringify({ pid: 1, start: startOf(1), released: false }))
      assert.strictEqual(ownerOf(directory)?.pid, process.pid)
    })
  )
})
