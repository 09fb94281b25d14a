import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readAddressList } from "../../src/commands/people.js"
import { only, running } from "../support/Program.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-list-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const fileOf = (content: string | Uint8Array) =>
  Effect.map(folder, (path) => {
    const file = join(path, "list.csv")
    writeFileSync(file, content)
    return file
  })

const read = (content: string | Uint8Array) =>
  Effect.flatMap(fileOf(content), (file) =>
    Effect.map(Stream.runCollect(readAddressList(file)), (rows) =>
      [...rows].map(({ address, line }) => `${line}:${address}`)
    )
  )

const given = Effect.gen(function* () {
  const run = yield* running()
  const { workspace_id } = only(
    yield* run("workspace create --name A --owner-email ann@acme.test --kind sandbox --credits 0 --json")
  )
  return { run, workspace: String(workspace_id) }
})

describe("a list of addresses", () => {
  it.scoped("is read by the column that says so, or the first, whatever separates it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("\uFEFFName,E-Mail\r\nAnn,ann@a.test\r\n\r\nBob,bob@b.test\r\n"), [
        "2:ann@a.test",
        "4:bob@b.test"
      ])
      assert.deepStrictEqual(yield* read('id;email;note\n1;ann@a.test;"a;b"\n2\n'), ["2:ann@a.test", "3:"])
      assert.deepStrictEqual(yield* read("ann@a.test\nbob@b.test"), ["1:ann@a.test", "2:bob@b.test"])
      assert.deepStrictEqual(yield* read('ann@a.test\nO"Neil@b.test\n'), ["1:ann@a.test", '2:O"Neil@b.test'])
      assert.deepStrictEqual(yield* read(""), [])
    })
  )

  it.scoped("that is not UTF-8, never ends a quote or is not there, is told so", () =>
    Effect.gen(function* () {
      const latin = yield* Effect.flip(read(Buffer.from("j\xf6rg@a.test\n", "latin1")))
      assert.include(latin.message, "UTF-8")
      const quoted = yield* Effect.flip(read(`ann@a.test\n"${"x".repeat(200_000)}\n`))
      assert.include(quoted.message, "can't be read")
      const missing = yield* Effect.flip(Stream.runCollect(readAddressList("/nowhere/list.csv")))
      assert.include(missing.message, "ENOENT")
    })
  )

  it.scoped("of many rows is read to its end", () =>
    Effect.gen(function* () {
      const rows = 100_000
      const file = yield* fileOf(Array.from({ length: rows }, (_, index) => `p${index}@a.test\n`).join(""))
      assert.strictEqual(yield* Stream.runCount(readAddressList(file)), rows)
    })
  )
})

describe("the commands of people", () => {
  it.scoped("take over a list of those who are never to be written to, and say what they could not use", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* given
      const file = yield* fileOf("email\nann@a.test\nANN@a.test\nnobody\n\nbob@b.test\n")
      const dry = only(yield* run(`suppression import --workspace ${workspace} --dry-run ${file} --json`))
      const report = {
        rows: 4,
        added: 2,
        known: 1,
        unusable: 1,
        unusable_rows: [{ line: 4, reason: '"nobody" is not an email address: it has no "@"' }],
        leads_removed: 0
      }
      assert.deepStrictEqual(dry, { dry_run: true, ...report })
      const real = only(yield* run(`suppression import --workspace ${workspace} --json ${file}`))
      assert.deepStrictEqual(real, { dry_run: false, ...report })
      const again = only(yield* run(`suppression import --workspace ${workspace} ${file} --json`))
      assert.deepInclude(again, { added: 0, known: 3 })
    })
  )

  it.scoped("erase a person, and say where nothing is known of one", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* given
      const report = only(yield* run(`erase --workspace ${workspace} --email nobody@a.test --json`))
      assert.deepInclude(report, { known: false, leads: 0, suppressed: false })
      const { isGood } = yield* run(`erase --workspace ${workspace} --email nobody --json`)
      assert.isFalse(isGood)
    })
  )
})
