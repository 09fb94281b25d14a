import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openList } from "../../src/commands/openList.js"
import { type ListOptions, ROW_CHARS_MAX } from "../../src/commands/listForm.js"
import { only, running } from "../support/Program.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-directory-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const fileOf = (content: string | Uint8Array, name = "list.csv") =>
  Effect.map(folder, (path) => {
    const file = join(path, name)
    writeFileSync(file, content)
    return file
  })

const opened = (content: string | Uint8Array, options: Partial<ListOptions> & { readonly name?: string } = {}) =>
  Effect.flatMap(fileOf(content, options.name), (file) =>
    openList(file, { kind: null, ignoreUnknown: false, ...options })
  )

/** What its rows say, each with its line. */
const read = (content: string | Uint8Array, options: Partial<ListOptions> & { readonly name?: string } = {}) =>
  Effect.flatMap(opened(content, options), ({ rows }) =>
    Effect.map(Stream.runCollect(rows), (all) =>
      [...all].map((row): Readonly<Record<string, unknown>> =>
        "cells" in row
          ? { line: row.line, ...row.cells, ...(row.lacks === undefined ? {} : { lacks: row.lacks }) }
          : { line: row.line, ...("what" in row ? { what: row.what } : { isEmpty: true }) }
      )
    )
  )

describe("a list of people or companies", () => {
  it.effect("is read whatever its headings are called, and whatever separates, quotes and ends it", () =>
    Effect.gen(function* () {
      const csv = '\uFEFFE-Mail Address;"First Name";Last name;Company Website\r\n\r\nann@a.com;"An;n";"O""Hara";\r\n'
      assert.deepStrictEqual(yield* read(csv), [
        { line: 3, email: "ann@a.com", first_name: "An;n", last_name: 'O"Hara', company_domain: "" }
      ])
      const lines = yield* read('email,title\na@a.com,"Head\nof\nSales"\nb@a.com,VP')
      assert.deepStrictEqual(
        lines.map((row) => row["line"]),
        [2, 5],
        "a row is named by the line that it begins on"
      )
      const { kind } = yield* opened("Company Name,Website,# Employees\nAcme,acme.com,10\n")
      assert.strictEqual(kind, "companies")
      assert.strictEqual((yield* opened("name,domain,email\n", { kind: "people" })).kind, "people")
    })
  )

  it.effect("may end its lines in several ways, say its separator first, and hold it in a heading", () =>
    Effect.gen(function* () {
      const emails = (content: string) => Effect.map(read(content), (rows) => rows.map(({ email }) => email))
      const both = ["a@a.com", "b@a.com"]
      for (const csv of [
        "email\r\na@a.com\nb@a.com\n",
        "email\na@a.com\r\nb@a.com\r\n",
        "email\ra@a.com\rb@a.com",
        "sep=;\r\nemail;title\r\na@a.com;x,y\r\nb@a.com;z\r\n"
      ]) {
        assert.deepStrictEqual(yield* emails(csv), both, JSON.stringify(csv))
      }
      const long = `email,title\r\n${"a@a.com,VP\n".repeat(20_000)}`
      assert.lengthOf(yield* emails(long), 20_000)
      const { ignored } = yield* opened('"work, or other; ""address""";email\nx;a@a.com\n', { ignoreUnknown: true })
      assert.deepStrictEqual(ignored, ['work, or other; "address"'])
    })
  )

  it.effect("is refused with every mistake of its headings at once", () =>
    Effect.gen(function* () {
      const mistakes = yield* Effect.flip(opened("First Name,given name,Shoe size,Hat\nA,B,1,2\n"))
      assert.include(mistakes.message, '"First Name", "given name" all mean first_name')
      assert.include(mistakes.message, 'Unknown columns in a list of people: "Shoe size", "Hat".')
      assert.include(mistakes.message, "an email, a social_url, or a full_name")
      const some = yield* opened("email,Shoe size\na@a.com,1\n", { ignoreUnknown: true })
      assert.deepStrictEqual(some.ignored, ["Shoe size"])
      const none = yield* Effect.flip(opened("name,description\nAcme,x\n", { kind: "companies" }))
      assert.include(none.message, "needs a domain")
    })
  )

  it.effect("leaves out people of whom a column that is not taken says that they opted out", () =>
    Effect.gen(function* () {
      const list = "email,Email Opt Out,Shoe size\nann@a.com,TRUE,1\nbob@b.com,FALSE,2\n"
      assert.deepStrictEqual(yield* read(list, { ignoreUnknown: true }), [
        { line: 2, what: '"Email Opt Out" is "TRUE", which says that they must not be mailed' },
        { line: 3, email: "bob@b.com" }
      ])
    })
  )

  it.effect("tells the lines that are no rows, and goes on", () =>
    Effect.gen(function* () {
      const rows = yield* read("email,title\na@a.com\nb@a.com,x,y\nc@a.com,z\n,\nemail,title\nd@a.com,,,\n")
      assert.deepStrictEqual(rows, [
        { line: 2, email: "a@a.com", title: "", lacks: "the row has 1 cells, but the heading has 2" },
        { line: 3, what: "the row has 3 cells, but the heading has 2" },
        { line: 4, email: "c@a.com", title: "z" },
        { line: 5, isEmpty: true },
        { line: 6, isEmpty: true },
        { line: 7, email: "d@a.com", title: "" }
      ])
    })
  )

  it.effect("is read whatever its encoding; what is no text, and no file, are told", () =>
    Effect.gen(function* () {
      const text = "email,name\na@a.com,J\u00F6rg\nb@a.com,Bob\n"
      const rows = [
        { line: 2, email: "a@a.com", full_name: "J\u00F6rg" },
        { line: 3, email: "b@a.com", full_name: "Bob" }
      ]
      for (const bytes of [
        Buffer.from(text, "latin1"),
        Buffer.from(`\uFEFF${text}`, "utf16le"),
        Buffer.from(text, "utf16le")
      ]) {
        assert.deepStrictEqual(yield* read(bytes), rows)
      }
      const workbook = yield* Effect.flip(opened(Buffer.from("PK\u0003\u0004\u0014\u0000\u0006\u0000email", "latin1")))
      assert.include(workbook.message, "Excel workbook")
      const quoted = yield* read(`email\na@a.com\n"${"x".repeat(ROW_CHARS_MAX * 2)}\nb@a.com\n`)
      assert.deepStrictEqual([quoted.length, quoted[2]], [3, { line: 4, email: "b@a.com" }])
      assert.include((yield* Effect.flip(opened(""))).message, "empty")
      const missing = yield* Effect.flip(openList("/nowhere/list.csv", { kind: null, ignoreUnknown: false }))
      assert.include(missing.message, "ENOENT")
    })
  )

  it.effect("has its columns chosen by somebody where headings mean the same, or lie", () =>
    Effect.gen(function* () {
      const csv = "name,email,email\nAnn,ann@a.com,ann@home.test\n"
      assert.include((yield* Effect.flip(opened(csv))).message, "--column email=HEADING")
      assert.deepStrictEqual(yield* read(csv, { columns: ["email=3"] }), [
        { line: 2, full_name: "Ann", email: "ann@home.test" }
      ])
      const lying = "name,email,deputy\nAnn,yes,ann@a.com\n"
      assert.include((yield* Effect.flip(opened(lying, { ignoreUnknown: true }))).message, '"deputy" does')
      assert.deepStrictEqual(yield* read(lying, { ignoreUnknown: true, columns: ["email=deputy"] }), [
        { line: 2, full_name: "Ann", email: "ann@a.com" }
      ])
      assert.include((yield* Effect.flip(opened(csv, { columns: ["shoe=1"] }))).message, "FIELD=HEADING")
      assert.deepStrictEqual(
        yield* read("Vorname;Nachname;Firma;E-Mail-Adresse;Telefon\nJ;N;A AG;a@a.com;'+49301234567\n"),
        [
          {
            line: 2,
            first_name: "J",
            last_name: "N",
            company_name: "A AG",
            email: "a@a.com",
            mobile_phone: "+49301234567"
          }
        ]
      )
    })
  )

  it.effect("may be JSON Lines, told by its name or its beginning", () =>
    Effect.gen(function* () {
      const lines = [
        '{"email": "a@a.com", "headcount": 12, "title": null}',
        "",
        "nonsense",
        '{"email": {"work": "b@a.com"}}',
        '{"email": "c@a.com", "shoe": 1}',
        `{"email": "${"x".repeat(ROW_CHARS_MAX)}"}`,
        '["d@a.com"]',
        '{"email": "e@a.com"}'
      ].join("\r\n")
      for (const name of ["list.jsonl", "list.txt"]) {
        const rows = yield* read(lines, { name })
        assert.deepStrictEqual(rows[0], { line: 1, email: "a@a.com", headcount: "12", title: "" })
        assert.deepStrictEqual(
          rows.map((row) => row["line"]),
          [1, 3, 4, 5, 6, 7, 8]
        )
        assert.deepStrictEqual(
          rows.map((row) => "what" in row),
          [false, true, true, true, true, true, false]
        )
      }
      const wrong = '{"email": {"a": 1}, "title": [1], "shoe": 1, "hat": 2}'
      const [, all] = yield* read(`{"email": "a@a.com"}\n${wrong}\n`, { name: "list.jsonl" })
      const what = '"shoe", "hat" is not a column of a list of people; "email", "title" is not text or a number'
      assert.deepStrictEqual(all, { line: 2, what })
      const companies = yield* read('{"domain": "a.com", "specialties": ["x", "y"]}', { kind: "companies" })
      assert.deepStrictEqual(companies, [{ line: 1, domain: "a.com", specialties: "x;y" }])
      assert.include((yield* Effect.flip(opened("a\nb\n", { name: "x.jsonl" }))).message, "no JSON object")
    })
  )
})

describe("the command of the directory", () => {
  it.effect("takes over people and companies, tells what it could not use, and writes it down", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const { workspace_id } = only(
        yield* run("workspace create --name A --owner-email ann@acme.test --kind sandbox --credits 0 --json")
      )
      const to = `directory import --workspace ${workspace_id}`
      const file = yield* fileOf(
        'email,full_name,headcount\nann@acme.com,Ann,ten\nnobody,"=1+1",\nbob@acme.com,Bob,5\n'
      )
      const report = join(file, "../mistakes.csv")
      const expected = {
        kind: "people",
        rows: 3,
        added: 2,
        updated: 0,
        known: 0,
        empty: 0,
        unusable: 1,
        mistakes: 2,
        ignored_columns: []
      }
      const dry = only(yield* run(`${to} --dry-run --json ${file}`))
      assert.deepInclude(dry, { dry_run: true, ...expected })
      const real = only(yield* run(`${to} --report ${report} --json ${file}`))
      assert.deepInclude(real, { dry_run: false, ...expected })
      assert.deepStrictEqual(real["mistakes_listed"], [
        {
          line: 2,
          column: "headcount",
          what: '"ten" is not a number of employees, such as 250',
          mend: "Enter a number of employees, such as 250, or leave it empty.",
          left_out: "cell"
        },
        {
          line: 3,
          column: "email",
          what: '"nobody" is not an email address',
          mend: "Enter an address such as ann@acme.com, or leave it empty.",
          left_out: "row"
        }
      ])
      const written = readFileSync(report, "utf8").split("\r\n")
      assert.lengthOf(written, 4)
      assert.include(written[1] ?? "", "2,headcount")
      assert.deepInclude(only(yield* run(`${to} ${file} --json`)), { added: 0, known: 2 })
      const companies = yield* fileOf("domain,name\nacme.com,Acme\n")
      assert.deepInclude(only(yield* run(`${to} ${companies} --json`)), { kind: "companies", added: 1 })
      const { complaint, isGood } = yield* run(`${to} --kind planets ${file}`)
      assert.deepStrictEqual([isGood, complaint], [false, "--kind must be people or companies"])
      const broken = yield* fileOf('email\ncem@acme.com\ndee@acme.com\nnobody\n"eve@acme.com\n')
      const left = join(file, "../left.csv")
      const cut = only(yield* run(`${to} --left-out ${left} --json ${broken}`))
      assert.deepInclude(cut, { rows: 4, added: 2, empty: 0, unusable: 2 })
      writeFileSync(
        left,
        readFileSync(left, "utf8").replace("nobody", "fay@acme.com").replace('"""eve', "eve").replace('.com"', ".com")
      )
      assert.deepInclude(only(yield* run(`${to} --json ${left}`)), { rows: 2, added: 2, unusable: 0 })
      const wrong = yield* run(`${to} --kind companies ${file}`)
      assert.isFalse(wrong.isGood)
      assert.include(wrong.complaint ?? "", "A list of companies needs a domain")
    })
  )
})
