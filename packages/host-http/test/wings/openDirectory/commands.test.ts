import { assert, describe, it } from "@effect/vitest"
import { british, BRITISH_HEADING, place } from "@outbound/testkit/wings/openDirectory/openRecords.js"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { running } from "../../support/Program.js"

const fileOf = (content: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-published-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const path = join(folder, "file")
      writeFileSync(path, content)
      return path
    }
  )

const lines = (records: ReadonlyArray<object>) => records.map((record) => `${JSON.stringify(record)}\n`).join("")

describe("outbound directory import --from", () => {
  it.effect(
    "loads a published file, counts each record that it refuses with its reason, and lists what was loaded",
    () =>
      Effect.gen(function* () {
        const run = yield* running()
        const file = yield* fileOf(
          lines([place("a"), place("b", { site: null }), place("c", { site: null }), { id: "d" }])
        )
        const importing = ["directory", "import", "--from", "overture", "--part", "berlin", file]
        const { isGood, out } = yield* run([...importing, "--json"])
        assert.isTrue(isGood)
        const report = JSON.parse(out[0] ?? "")
        assert.deepInclude(report, {
          from: "overture",
          part: "berlin",
          state: "ended",
          records: 4,
          added: 1,
          retired: 0
        })
        assert.deepStrictEqual(report.refused, [
          { reason: "no_name", count: 1, first_record: 4 },
          { reason: "no_website", count: 2, first_record: 2 }
        ])
        const again = yield* run(importing)
        assert.match(again.out[0] ?? "", /4 records, 0 added, 0 updated, 1 have nothing new, 0 retired/)
        assert.match(again.out[0] ?? "", /2 have no website; the first is record 2/)
        const listed = yield* run("directory published --json")
        assert.deepInclude(JSON.parse(listed.out[0] ?? "").files[0], { from: "overture", part: "berlin", known: 1 })
      })
  )

  it.effect("a register's CSV file needs no part", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const company = british("01234567") as Readonly<Record<string, string>>
      const row = BRITISH_HEADING.map((name) => `"${company[name.trim()] ?? ""}"`).join(",")
      const file = yield* fileOf(`${BRITISH_HEADING.join(",")}\n${row}\n`)
      const { isGood, out } = yield* run(["directory", "import", "--from", "companies_house", file])
      assert.isTrue(isGood)
      assert.match(out[0] ?? "", /Companies House \(United Kingdom\), all: 1 records, 1 added/)
    })
  )

  it.effect("what can't be done is refused in words", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const file = yield* fileOf(lines([place("a")]))
      const complaint = (...words: ReadonlyArray<string>) =>
        Effect.map(run(["directory", "import", ...words, file]), (ran) => {
          assert.isFalse(ran.isGood)
          return ran.complaint ?? ""
        })
      assert.match(
        yield* complaint("--from", "somebody"),
        /--from must be one of overture, brreg, prh, companies_house/
      )
      assert.match(yield* complaint("--from", "overture"), /needs --part NAME/)
      assert.match(yield* complaint("--from", "overture", "--part", "../x"), /--part must be a short name/)
      assert.match(
        yield* complaint("--from", "overture", "--part", "x", "--kind", "people"),
        /--kind can't be used with --from/
      )
      assert.match(yield* complaint("--part", "x"), /need --from/)
      assert.match(yield* complaint(), /--workspace is required, or --from/)
      assert.match(yield* complaint("--from", "prh"), /None of the first records is one of PRH and YTJ/)
    })
  )
})
