import { decodeTable } from "../../src/csv/decodeTable.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { readTable } from "@outbound/domain/kernel/tables/Table.js"
import { repaired } from "@outbound/domain/kernel/text.js"
import { AddSuppressions } from "@outbound/domain/verbs/AddSuppressions.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Desk } from "../support/Desk.js"
import { only, running } from "../support/Program.js"
import { run as withDesk, visitor } from "../support/Visitor.js"

/** What must become of a row. */
type Fate = "added" | "known" | "empty" | "unusable"

interface Dirt {
  readonly text: string
  readonly fate: Fate
  /** Whom the row bars all the same. */
  readonly bars: ReadonlyArray<string>
  readonly isLatin?: true
}

const added = (text: string, ...bars: ReadonlyArray<string>): Dirt => ({ text, fate: "added", bars })
const left = (text: string, ...bars: ReadonlyArray<string>): Dirt => ({ text, fate: "unusable", bars })

/** Each kind of dirt, for the row with this number. */
const KINDS: ReadonlyArray<(n: number, a: string) => Dirt> = [
  (_, a) => added(`Ann,${a},plain`, a),
  (_, a) => added(`"Ann","${a}","quoted"`, a),
  (_, a) => added(`"North, Ann",${a},comma`, a),
  (_, a) => added(`"Ann ""A"" North",${a},doubled`, a),
  (_, a) => added(`Ann "A" North,${a},bare`, a),
  (_, a) => added(`Ann,${a},"5' 6" tall"`, a),
  (_, a) => added(`Ann,${a},"never closed`, a),
  (_, a) => ({ ...added(`J\u00F6rg,${a},latin`, a), isLatin: true }),
  (_, a) => added(`Ann,${a.slice(0, 3)}\u200B${a.slice(3)},zero width`, a),
  (_, a) => added(`Ann,\u00A0${a}\u00A0,spaces`, a),
  (_, a) => added(`Ann,Ann North <${a}>,angled`, a),
  (_, a) => added(`Ann,mailto:${a},link`, a),
  (_, a) => added(`Ann,"${a}; two.${a}",two`, a, `two.${a}`),
  (_, a) => added(`Ann,"${a},",separator`, a),
  (_, a) => added(`Ann,'${a}',single quotes`, a),
  (_, a) => added(`Ann,"=""${a}""",kept text`, a),
  (_, a) => added(`Ann,'+${a},marked`, `+${a}`),
  (_, a) => added(`Ann,${a}`, a),
  (_, a) => added(`Ann,${a},empty columns,,,`, a),
  (_, a) => added(`Ann,"${a}\nSales",line break`, a),
  (_, a) => added(`Ann,${a},No\u0000rth`, a),
  (n) => added(`Everybody,@dirt-${n}.com,domain`, `@dirt-${n}.com`),
  (n) => added(`Everybody,*@star-${n}.com,domain`, `@star-${n}.com`),
  () => ({ text: "Ann,PERSON.0@dirt.test,again", fate: "known", bars: [] }),
  () => ({ text: 'Ann,"""person.0""@dirt.test",another spelling', fate: "known", bars: [] }),
  () => ({ text: ",,", fate: "empty", bars: [] }),
  () => ({ text: "name,email,note", fate: "empty", bars: [] }),
  () => left("Ann,,nothing"),
  () => left("Total: 12,,"),
  () => left("Ann,#N/A,failed formula"),
  () => left("Ann,bob@nord,no dot"),
  () => left("Ann,fay @north.test,space"),
  () => left("Ann,hal@north.test/team,path"),
  () => left("Ann,ida@12.5,number"),
  () => left("Ann,@gmail.com,provider"),
  (_, a) => left(`North, Ann,${a},shifted`),
  (_, a) => left(`Ann,"${a}; bob@",half`, a)
]

const ROWS = 3_010
const ENDS = ["\r\n", "\n", "\r"]

const made = () => {
  const fates = new Map<number, Fate>()
  const bars = new Set<string>()
  const pieces: Array<Buffer> = [Buffer.from("name,email,note\r\n")]
  let line = 2
  for (let n = 0; n < ROWS; n += 1) {
    const {
      bars: some,
      fate,
      isLatin,
      text
    } = (KINDS[n % KINDS.length] as (typeof KINDS)[0])(n, `person.${n}@dirt.test`)
    fates.set(line, fate)
    for (const one of some) bars.add(one)
    pieces.push(Buffer.from(text + ENDS[n % ENDS.length], isLatin === true ? "latin1" : "utf8"))
    line += 1 + (text.match(/\n/g)?.length ?? 0)
  }
  return { bytes: Buffer.concat(pieces), fates, bars }
}

const countOf = (fates: ReadonlyMap<number, Fate>, fate: Fate): number =>
  [...fates.values()].filter((one) => one === fate).length

const LIST = made()
const COUNTS = {
  rows: ROWS,
  added: countOf(LIST.fates, "added"),
  known: countOf(LIST.fates, "known"),
  empty: countOf(LIST.fates, "empty"),
  unusable: countOf(LIST.fates, "unusable")
}
const BAD_LINES = [...LIST.fates].flatMap(([line, fate]) => (fate === "unusable" ? [line] : []))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-dirt-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The lines and words of a list of what was left out. */
const leftIn = (text: string) => {
  const { head, rows } = readTable(text.replaceAll("left_out_", "said_"), { isHeading: (cell) => cell === "email" })
  const at = (name: string) => head.columns.indexOf(`said_${name}`)
  return rows.map(({ cells }) => ({
    line: Number(cells[at("line")]),
    mistake: cells[at("mistake")] ?? "",
    remedy: cells[at("remedy")] ?? ""
  }))
}

interface Mistake {
  readonly line: number
  readonly column: string | null
  readonly value: string
  readonly reason: string
  readonly remedy: string
}

describe(`a list of ${ROWS} rows with ${KINDS.length} kinds of dirt`, () => {
  it.effect("has every row accounted for by the commands, by line, column, value and remedy", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const path = yield* folder
      const [file, to] = [join(path, "list.csv"), join(path, "left.csv")]
      writeFileSync(file, LIST.bytes)
      const { workspace_id: id } = only(
        yield* run("workspace create --name A --owner-email ann@acme.test --kind sandbox --credits 0 --json")
      )
      const ran = yield* run(`suppression import --workspace ${id} --left-out ${to} --json ${file}`)
      assert.isFalse(ran.isGood, "somebody was left out")
      const report = JSON.parse(ran.out[0] ?? "") as Readonly<Record<string, unknown>>
      assert.deepInclude(report, COUNTS)
      const domains = [...LIST.bars].filter((one) => one.startsWith("@")).length
      assert.deepInclude(report, { people_added: LIST.bars.size - domains, domains_added: domains })
      const mistakes = report["unusable_rows"] as ReadonlyArray<Mistake>
      assert.deepStrictEqual([...new Set(mistakes.map(({ line }) => line))], BAD_LINES)
      for (const { column, reason, remedy } of mistakes) {
        assert.isTrue(reason.length > 0 && remedy.length > 0)
        assert.isTrue(column === "email" || /cells/.test(reason), reason)
      }
      const rows = leftIn(readFileSync(to, "utf8"))
      assert.deepStrictEqual(
        rows.map(({ line }) => line),
        BAD_LINES
      )
      assert.isTrue(rows.every(({ mistake, remedy }) => mistake !== "" && remedy !== ""))
      const people = yield* run(`directory import --workspace ${id} --ignore-unknown --json ${file}`)
      const taken = JSON.parse(people.out[0] ?? "") as Readonly<Record<Fate | "rows" | "updated", number>>
      assert.deepStrictEqual([taken.rows, taken.empty], [COUNTS.rows, COUNTS.empty])
      assert.strictEqual(taken.added + taken.updated + taken.known + taken.empty + taken.unusable, taken.rows)
      // Domains bar people, but are nobody.
      assert.strictEqual(taken.unusable, COUNTS.unusable + domains + countedTwice)
    })
  )

  it.live("has them accounted for alike in the console", () =>
    withDesk(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const addresses = repaired(decodeTable(LIST.bytes).text)
        const { added: fresh, known, unusable, empty } = COUNTS
        const n = (count: number) => count.toLocaleString("en-US")
        const path = "/console/settings/suppression"
        const page = yield* us.post(path, { addresses, do: "foresee" })
        for (const words of [
          `${n(ROWS)} lines: ${n(fresh)} would be added, ${n(known)} already on the list or repeated, ${n(unusable)} invalid, ${n(empty)} empty`,
          "Nothing has been changed yet"
        ]) {
          assert.include(page.text.replace(/\s+/g, " "), words)
        }
        const exported = yield* us.post(path, { addresses, shown: "yes", column: "1", do: "left_out" })
        const rows = leftIn(exported.text)
        assert.deepStrictEqual(
          rows.map(({ line }) => line),
          BAD_LINES
        )
        assert.isTrue(rows.every(({ mistake, remedy }) => mistake !== "" && remedy !== ""))
        const done = yield* us.post(path, { addresses, shown: "yes", column: "1", do: "import" })
        assert.include(done.text.replace(/\s+/g, " "), `${n(ROWS)} lines: ${n(fresh)} added`)
      })
    )
  )

  it("means the same people to the verb", () => {
    const decode = Schema.decodeUnknownResult(AddSuppressions.request)
    const emails = [...LIST.bars].filter((one) => !one.startsWith("@"))
    assert.deepStrictEqual(emails.map(usableEmail), emails)
    assert.isTrue(Result.isSuccess(decode({ emails: emails.slice(0, 1_000) })))
    for (const value of [
      "bob@nord",
      "fay @north.test",
      "hal@north.test/team",
      "ida@12.5",
      "#N/A",
      "bob@",
      "@gmail.com"
    ]) {
      assert.isTrue(Result.isFailure(decode({ emails: [value] })), value)
    }
    assert.isTrue(Result.isFailure(decode({ domains: ["gmail.com"] })))
    assert.isTrue(Result.isFailure(decode({ domains: ["person.0@dirt.test"] })))
  })
})

/** Rows of which a list of people can't take one person: two addresses in a cell, or words beside one. */
const countedTwice = Array.from({ length: ROWS }, (_, n) => n % KINDS.length).filter((kind) =>
  [12, 19].includes(kind)
).length
