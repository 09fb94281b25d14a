import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPeople } from "../../src/commands/people.js"
import { only, type Ran, running } from "../support/Program.js"

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

const readFrom = (file: string, columns: ReadonlyArray<string> = []) =>
  Effect.flatMap(openPeople(file, columns), ({ rows }) =>
    Effect.map(Stream.runCollect(rows), (all) =>
      [...all].map(({ emails, line, mistakes }) =>
        [`${line}:${emails.join("+")}`, ...mistakes.map(({ value }) => `!${value}`)].join("")
      )
    )
  )

const read = (content: string | Uint8Array) => Effect.flatMap(fileOf(content), (file) => readFrom(file))

const given = Effect.gen(function* () {
  const run = yield* running()
  const { workspace_id } = only(
    yield* run("workspace create --name A --owner-email ann@acme.test --kind sandbox --credits 0 --json")
  )
  return { run, workspace: String(workspace_id) }
})

describe("a list of addresses", () => {
  it.effect("is read by the column that says so, or the first, whatever separates it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("\uFEFFName,E-Mail\r\nAnn,ann@a.test\r\n\r\nBob,bob@b.test\r\n"), [
        "2:ann@a.test",
        "4:bob@b.test"
      ])
      assert.deepStrictEqual(yield* read('id;email;note\n1;ann@a.test;"a;b"\n2\n'), ["2:ann@a.test", "3:!"])
      assert.deepStrictEqual(yield* read("ann@a.test\nbob@b.test"), ["1:ann@a.test", "2:bob@b.test"])
      assert.deepStrictEqual(yield* read('ann@a.test\nO"Neil@b.test\n'), ["1:ann@a.test", '2:!O"Neil@b.test'])
      assert.deepStrictEqual(yield* read(""), [])
    })
  )

  it.effect("is read whatever its encoding and line ends are, and a quote that nothing closes swallows nobody", () =>
    Effect.gen(function* () {
      const both = ["2:ann@a.test", "3:bob@b.test"]
      const text = "email;name\r\nann@a.test;J\u00F6rg\r\nbob@b.test;\u0141ucja\r\n"
      assert.deepStrictEqual(yield* read(text), both)
      assert.deepStrictEqual(yield* read(Buffer.from(text.replace("\u0141", "L"), "latin1")), both)
      assert.deepStrictEqual(yield* read(Buffer.from(`\uFEFF${text}`, "utf16le")), both)
      assert.deepStrictEqual(yield* read(Buffer.from(text, "utf16le")), both)
      assert.deepStrictEqual(yield* read(Buffer.from(`\uFEFF${text}`, "utf16le").swap16()), both)
      for (const ends of [
        ["\n", "\n"],
        ["\r", "\r"],
        ["\r\n", "\n"],
        ["\n", "\r"],
        ["\r", "\r\n"]
      ]) {
        assert.deepStrictEqual(yield* read(`email,name${ends[0]}ann@a.test,A${ends[1]}bob@b.test,B${ends[0]}`), both)
      }
      assert.deepStrictEqual(yield* read('email,name\nann@a.test,"A\nbob@b.test,B\n'), both)
      const long = yield* read(`ann@a.test\n"${"x".repeat(200_000)}\nbob@b.test\n`)
      assert.deepStrictEqual([long.length, long[0], long[2]], [3, "1:ann@a.test", "3:bob@b.test"])
    })
  )

  it.effect("that is no text or not there is told so", () =>
    Effect.gen(function* () {
      const workbook = yield* Effect.flip(read(Buffer.from("PK\u0003\u0004\u0014\u0000\u0006", "latin1")))
      assert.include(workbook.message, "Excel workbook")
      assert.include(workbook.message, "CSV UTF-8")
      const missing = yield* Effect.flip(openPeople("/nowhere/list.csv", []))
      assert.include(missing.message, "ENOENT")
    })
  )

  it.effect("of many rows is read to its end", () =>
    Effect.gen(function* () {
      const rows = 100_000
      const file = yield* fileOf(Array.from({ length: rows }, (_, index) => `p${index}@a.test\n`).join(""))
      const { rows: read_ } = yield* openPeople(file, [])
      assert.strictEqual(yield* Stream.runCount(read_), rows)
    })
  )
})

describe("the commands of people", () => {
  it.effect("take over a list of those who are never to be written to, and say what they could not use", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* given
      const file = yield* fileOf("email\nann@a.test\nANN@a.test\nnobody\n\nbob@b.test\n")
      const json = (ran: Ran) => JSON.parse(ran.out[0] ?? "") as Record<string, unknown>
      const report = { rows: 4, added: 2, known: 1, empty: 0, unusable: 1, people_added: 2, leads_removed: 0 }
      const dry = yield* run(`suppression import --workspace ${workspace} --dry-run ${file} --json`)
      assert.deepInclude(json(dry), { dry_run: true, ...report })
      assert.isFalse(dry.isGood, "somebody would be left out")
      const left = join(file, "../left.csv")
      const real = yield* run(`suppression import --workspace ${workspace} --left-out ${left} --json ${file}`)
      assert.deepInclude(json(real), { dry_run: false, ...report })
      assert.deepStrictEqual(json(real)["unusable_rows"], [
        {
          line: 4,
          column: "email",
          value: "nobody",
          reason: '"nobody" is not an email address: it has no "@"',
          remedy: "Enter one email address, such as ann@acme.com, or a domain, such as @acme.com."
        }
      ])
      // What was left out is mended and imported as it is.
      const mended = readFileSync(left, "utf8").replace("nobody", "eve@e.test")
      writeFileSync(left, mended)
      const again = only(yield* run(`suppression import --workspace ${workspace} ${left} --json`))
      assert.deepInclude(again, { rows: 1, added: 1, unusable: 0 })
      const whole = yield* run(`suppression import --workspace ${workspace} ${file} --json`)
      assert.deepInclude(json(whole), { added: 0, known: 3 })
    })
  )

  it.effect("import nothing of a list whose meaning is not certain until somebody says which columns count", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* given
      const to = `suppression import --workspace ${workspace}`
      const file = yield* fileOf("email,deputy\nann@a.test,bob@b.test\ncid@c.test,dan@d.test\n")
      const asked = yield* run(`${to} ${file}`)
      assert.isFalse(asked.isGood)
      for (const words of ["Nothing was imported", '"deputy" holds addresses too', "bob@b.test", "--column", "--yes"]) {
        assert.include(asked.out.join("\n"), words)
      }
      assert.deepInclude(only(yield* run(`${to} --column email --dry-run --json ${file}`)), { people_added: 2 })
      assert.deepInclude(only(yield* run(`${to} --column email --column 2 --dry-run --json ${file}`)), {
        people_added: 4
      })
      assert.deepInclude(only(yield* run(`${to} --yes --json ${file}`)), { people_added: 2 })
      assert.include((yield* run(`${to} --column phone ${file}`)).complaint ?? "", 'has no column "phone"')
      const owned = yield* fileOf("owner,work email\njo@us.test,ann@a.test\nkim@us.test,eve@e.test\n")
      assert.deepInclude(only(yield* run(`${to} --json ${owned}`)), { rows: 2, added: 1, known: 1 })
      const alone = yield* run(`${to} --yes ${yield* fileOf("owner,note\njo@us.test,x\nkim@us.test,y\n")}`)
      assert.isFalse(alone.isGood, "an owner is nobody who opted out")
    })
  )

  it.effect("erase a person, and say where nothing is known of one", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* given
      const report = only(yield* run(`erase --workspace ${workspace} --email nobody@a.test --json`))
      assert.deepInclude(report, { known: false, leads: 0, suppressed: false })
      const { isGood } = yield* run(`erase --workspace ${workspace} --email nobody --json`)
      assert.isFalse(isGood)
    })
  )
})
