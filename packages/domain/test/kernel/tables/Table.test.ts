import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { csvLine, marked, trimmed, valueOf } from "../../../src/kernel/tables/Cell.js"
import { behindSign, cellAddresses, oneAddress } from "../../../src/kernel/tables/cellAddresses.js"
import { readTable } from "../../../src/kernel/tables/Table.js"

const options = { isHeading: (cell: string) => /^(e-?mail|name|vorname)$/i.test(cell) }
const read = (text: string) => readTable(text, options)
const rowsOf = (text: string) => read(text).rows.map(({ cells, kind, line }) => [line, kind, ...cells])

describe("a table that a person brought", () => {
  it("says its delimiter, or shows it by what divides its rows alike", () => {
    for (const text of [
      "sep=;\r\nname;email\r\nNorth, Ann;a@a.test\r\n",
      "name;email\nNorth, Ann;a@a.test\nSouth, Bob;b@b.test\n",
      "name\temail\nNorth, Ann\ta@a.test\n",
      "name|email\nNorth, Ann|a@a.test\n",
      'name,email\n"North, Ann",a@a.test\n',
      '\uFEFF"name";"email"\n"North, Ann";"a@a.test"\n'
    ]) {
      const { head, rows } = read(text)
      assert.deepStrictEqual(head.columns, ["name", "email"], text)
      assert.deepStrictEqual(rows[0]?.cells, ["North, Ann", "a@a.test"], text)
    }
    assert.deepStrictEqual(rowsOf("email\na@a.test; b@b.test\nNorth, Ann <c@c.test>\n"), [
      [2, "row", "a@a.test; b@b.test"],
      [3, "row", "North, Ann <c@c.test>"]
    ])
  })

  it("may have lines above its heading, the heading again, or none", () => {
    const { head, rows } = read(
      'Notes:\n"Some, may be missing"\n\nname,email,x\nAnn,a@a.test,1\nname,email,x\nBob,b@b.test,2\n'
    )
    assert.deepStrictEqual([head.headingLine, head.above.map(({ line }) => line)], [4, [1, 2]])
    assert.deepStrictEqual(
      rows.map(({ kind, line }) => [line, kind]),
      [
        [5, "row"],
        [6, "heading"],
        [7, "row"]
      ]
    )
    assert.deepStrictEqual(read("Kunde,Kontakt\nAnn,a@a.test\n").head.columns, ["Kunde", "Kontakt"])
    const bare = read("Ann,a@a.test\nBob,b@b.test\n")
    assert.deepStrictEqual([bare.head.headingLine, bare.rows.length], [null, 2])
    assert.lengthOf(read("nobody\na@a.test\n").rows, 2, "a word above addresses is a row, not a heading")
  })

  it("may have rows that are too short or too long, empty columns, and rows without anything", () => {
    const { head, rows } = read("name,email,,\nAnn,a@a.test,,\nBob\n,,,\nCid,c@c.test,x\n")
    assert.deepStrictEqual(head.columns, ["name", "email"])
    assert.deepStrictEqual(
      rows.map(({ cells, kind, width }) => [kind, width, ...cells]),
      [
        ["row", 2, "Ann", "a@a.test"],
        ["row", 1, "Bob", ""],
        ["empty", 0],
        ["row", 3, "Cid", "c@c.test"]
      ]
    )
  })

  it("names lines that a quoted cell encloses and that look like rows", () => {
    const { rows } = read('name,email,size\nAnn,a@a.test,"\nBob,b@b.test,"\nCid,c@c.test,1\n')
    assert.deepStrictEqual(
      rows.map(({ flaw, line }) => [line, flaw?.what.includes("line 2") ?? false]),
      [
        [2, false],
        [3, true],
        [4, false]
      ]
    )
  })

  it("passes over the columns that our own lists of what was left out add", () => {
    const { head, rows } = read("name,email,left_out_line,left_out_mistake\nAnn,a@a.test,7,it has no dot\n")
    assert.deepStrictEqual(
      [head.columns, rows[0]?.cells],
      [
        ["name", "email"],
        ["Ann", "a@a.test"]
      ]
    )
  })
})

describe("a cell", () => {
  it("loses what spreadsheets put around it, and keeps numbers, dates and phone numbers as they are", () => {
    for (const [cell, value] of [
      ["'+4915123456789", "+4915123456789"],
      ["'0049151", "0049151"],
      ['="0049151"', "0049151"],
      ["'=1+1", "=1+1"],
      ["'90s band", "'90s band"],
      ["\u00A0\u200Ba@a.test\u200B ", "a@a.test"]
    ] as const) {
      assert.strictEqual(valueOf(cell), value)
    }
    for (const plain of [
      "+49 30 123456",
      "+4915123456789",
      "-5",
      "-1234.50",
      "2026-03-31",
      "31.03.2026",
      "4.5%",
      "O'Neil"
    ]) {
      assert.strictEqual(marked(plain), plain)
    }
    for (const formula of [
      "=1+1",
      "+1+1",
      "-1+1",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "\uFF1D1",
      "\uFF0B1",
      "\uFF0D1",
      "\uFF20x",
      " =1"
    ]) {
      assert.strictEqual(marked(formula), `'${formula.trim()}`)
    }
  })

  it("that we write is read back to the same value", () => {
    const unit = FastCheck.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "'",
      '"',
      "1",
      "a",
      " ",
      ",",
      ";",
      "\t",
      "\n",
      "\uFF1D",
      "("
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit }), FastCheck.string({ unit }), (first, second) => {
        const { rows } = readTable(`sep=,\nname,email\n${csvLine([`x${first}`, second, "end"])}`, options)
        const values = rows[0]?.cells ?? []
        assert.strictEqual(values[0], trimmed(`x${first}`))
        assert.strictEqual(values[1], trimmed(second))
      }),
      { numRuns: 1_000 }
    )
  })

  it("of addresses may hold names, several addresses or domains, and says what is none", () => {
    const emails = (cell: string) => cellAddresses(cell).emails
    assert.deepStrictEqual(emails("North, Ann <a@a.test>; B <b@b.test>"), ["a@a.test", "b@b.test"])
    assert.deepStrictEqual(emails("a@a.test ::: b@b.test"), ["a@a.test", "b@b.test"])
    assert.deepStrictEqual(emails("mailto:a@a.test?subject=x"), ["a@a.test"])
    assert.deepStrictEqual(emails("'a@a.test'"), ["a@a.test"])
    assert.deepStrictEqual(cellAddresses("c\u200Bleo@a.test"), {
      emails: ["cleo@a.test"],
      domains: [],
      wrong: [],
      words: [],
      wasRepaired: true
    })
    for (const cell of ["@a.test", "*@a.test", "a.test"]) {
      assert.deepStrictEqual([cellAddresses(cell).domains, emails(cell)], [["a.test"], []])
    }
    for (const cell of ["fay @a.test", "hal@a.test/team", "ida@12.5", "x\uFFFD@a.test", "bob@", "a@a.test@b.test"]) {
      const { domains, emails: found, wrong } = cellAddresses(cell)
      assert.deepStrictEqual([found, domains, wrong.length], [[], [], 1], cell)
    }
    assert.deepStrictEqual(cellAddresses("a@a.test, a-site.test").domains, [])
  })

  it("of addresses never makes a whole domain of a torn address, and reads it where it can", () => {
    const read = (cell: string) => [cellAddresses(cell).emails, cellAddresses(cell).domains]
    for (const cell of [
      "a&#64;acme.test",
      "a&commat;acme.test",
      "a&#x40;acme.test",
      "a&amp;#64;acme.test",
      "'a@acme.test"
    ])
      assert.deepStrictEqual(read(cell), [["a@acme.test"], []], cell)
    for (const cell of ["a@;acme.test", "a@,acme.test", "a@\nacme.test", "x@y;acme.test"])
      assert.deepStrictEqual(read(cell), [[], []], cell)
    for (const cell of ["@acme.test; other.test", "acme.test; other.test"])
      assert.deepStrictEqual(read(cell), [[], ["acme.test", "other.test"]], cell)
  })

  it("of addresses is divided wherever a program divides values, so that no word grows into an address", () => {
    for (const sign of ["\v", "\f", "\u001D", "\u001E", "\u0085", "\u2028", "\u2029"]) {
      assert.deepStrictEqual(cellAddresses(`Ann${sign}ann@a.test${sign}bob@b.test`).emails, [
        "ann@a.test",
        "bob@b.test"
      ])
    }
  })

  it("of addresses is read where people divide them by a word or a slash, and where a remark is beside one", () => {
    const read = (cell: string) => {
      const { domains, emails, words, wrong } = cellAddresses(cell)
      return [emails, words, wrong.map(({ text }) => text), domains]
    }
    const both = ["ann@a.test", "bob@b.test"]
    for (const between of [" / ", "/", " and ", " & ", " + ", " und ", " et ", " y ", " и ", "、", "，", "；", "،"]) {
      assert.deepStrictEqual(read(`ann@a.test${between}bob@b.test`), [both, [], [], []], between)
    }
    for (const cell of [
      "ann@a.test (Ann)",
      "Ann [ann@a.test]",
      "Ann - ann@a.test",
      "ann@a.test – Ann",
      "Ann: ann@a.test"
    ]) {
      assert.deepStrictEqual(read(cell), [["ann@a.test"], ["Ann"], [], []], cell)
    }
    for (const name of ["mail=", "Email=", "E=", "emailAddress="]) {
      assert.deepStrictEqual(read(`${name}ann@a.test`), [["ann@a.test"], [], [], []], name)
    }
    // A slash may be part of an address; what stands beside one without a sign may be its beginning.
    assert.deepStrictEqual(read("a/b@a.test"), [["a/b@a.test"], [], [], []])
    for (const cell of ["ann north@a.test", "ann - b@", "ann@a.test / bob@", "and@", "ann(x)@a.test"]) {
      assert.deepStrictEqual(read(cell), [[], [], [cell], []], cell)
    }
  })

  it("of addresses loses a list's sign before one, and keeps a sign that a mailbox may begin with", () => {
    for (const sign of ["\u2022", "\u2713", "\u2192 ", "\u2013 ", "\u25AA", "\u{1F449}"]) {
      assert.deepStrictEqual(oneAddress(`${sign}ann@a.test`), { email: "ann@a.test" }, sign)
    }
    for (const email of ["+ann@a.test", "-ann@a.test", "#ann@a.test", "_ann@a.test"]) {
      assert.deepStrictEqual(oneAddress(email), { email })
    }
    assert.deepStrictEqual(["+ann@a.test", "--ann@a.test", "_ann@a.test", "ann@a.test"].map(behindSign), [
      "ann@a.test",
      "ann@a.test",
      null,
      null
    ])
  })

  it("that must hold one address is read if it does, and says what else it holds", () => {
    assert.deepStrictEqual(oneAddress("Ann <a@a.test>"), { email: "a@a.test" })
    assert.isNull(oneAddress(" "))
    for (const [cell, words] of [
      ["a@a.test; b@b.test", "several addresses"],
      ["a@a.test\nSales", "more than an address"],
      ["#N/A", "formula failed"],
      ["bob@nord", "has no dot"],
      ["nobody", "is not an email address"]
    ] as const) {
      const read_ = oneAddress(cell)
      assert.include(read_ !== null && "what" in read_ ? read_.what : "", words)
    }
  })

  it("costs time linear in its length", () => {
    for (const piece of [
      ".",
      " ",
      "<",
      "(",
      "a@",
      ";",
      "'",
      "\u200B",
      "a@b.",
      '="',
      "<a@b.test>",
      " and ",
      "/",
      " - ",
      ": ",
      "a@b.test/"
    ]) {
      const begun = performance.now()
      const cell = `${piece.repeat(100_000 / piece.length)}x`
      valueOf(cell)
      cellAddresses(cell)
      assert.isBelow(performance.now() - begun, 2_000, JSON.stringify(piece))
    }
  })
})
