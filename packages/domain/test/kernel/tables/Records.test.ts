import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { RECORD_CHARS_MAX, Records } from "../../../src/kernel/tables/Records.js"

const recordsOf = (text: string, delimiter = ",") => {
  const records = new Records(delimiter)
  return [...records.push(text), ...records.end()].map(({ cells, flaw, line }) => [line, ...(flaw ? [flaw] : cells)])
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

describe("records of a table", () => {
  it("end in CRLF, LF or CR in any mixture, and each is named by the line on which it begins", () => {
    assert.deepStrictEqual(recordsOf("a,b\r\nc,d\ne,f\rg,h\r\r\ni,j"), [
      [1, "a", "b"],
      [2, "c", "d"],
      [3, "e", "f"],
      [4, "g", "h"],
      [5, "i", "j"]
    ])
    assert.deepStrictEqual(recordsOf('a,"b\r\nc\n",d\n\n\ne,f'), [
      [1, "a", "b\r\nc\n", "d"],
      [6, "e", "f"]
    ])
  })

  it("of joined files may begin with a mark of byte order before their quote", () => {
    assert.deepStrictEqual(recordsOf('"a","b, c"\n\uFEFF"d","e, f"\n\uFEFFg,h'), [
      [1, "a", "b, c"],
      [2, "d", "e, f"],
      [3, "\uFEFFg", "h"]
    ])
  })

  it("a quote that nothing closes, or that closes rows later, swallows no row", () => {
    const rows = (text: string) => recordsOf(text).map(([, first]) => first)
    for (const name of ['"Ann', '"Ann "A', '"Ann"x', 'Ann "A" B', '"Ann ""']) {
      const last = `c@c.test,"Cid"\n`
      assert.deepStrictEqual(
        rows(`a@a.test,${name}\nb@b.test,"Bob"\n${last}`),
        ["a@a.test", "b@b.test", "c@c.test"],
        name
      )
      assert.deepStrictEqual(rows(`a@a.test,${name}\nb@b.test,Bob\n`), ["a@a.test", "b@b.test"], name)
    }
    assert.deepStrictEqual(recordsOf('a,"5\' 6" tall"\nb,"The ""North"" Co"\n'), [
      [1, "a", "5' 6\" tall"],
      [2, "b", 'The "North" Co']
    ])
  })

  it("whatever is written as RFC 4180 says is read back, in pieces of any size", () => {
    const cell = FastCheck.string({ unit: FastCheck.constantFrom("a", '"', ",", "\n", "\r", ";", " ", "ü") })
    const table = FastCheck.array(FastCheck.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
    FastCheck.assert(
      FastCheck.property(table, FastCheck.integer({ min: 1, max: 7 }), (rows, size) => {
        const text = rows.map((row) => row.map(quoted).join(",")).join("\r\n")
        const records = new Records(",")
        const found = []
        for (let at = 0; at < text.length; at += size) found.push(...records.push(text.slice(at, at + size)))
        found.push(...records.end())
        assert.deepStrictEqual(
          found.map(({ cells }) => cells),
          rows
        )
      }),
      { numRuns: 300 }
    )
  })

  it("a record that is too long is left out alone, with its line", () => {
    const long = "x".repeat(RECORD_CHARS_MAX + 1)
    assert.deepStrictEqual(recordsOf(`a,b\n${long}\nc,d\n`), [
      [1, "a", "b"],
      [2, "too_long"],
      [3, "c", "d"]
    ])
    const lines = recordsOf(`${'"\n","'.repeat(60_000)}\nlast,row`)
    assert.deepStrictEqual(lines.at(-1)?.slice(1), ["last", "row"])
  })

  it("cost time linear in the text, whatever it consists of", () => {
    const hostile = [
      '"\n',
      '"""" x\n',
      '"a"b,',
      '"a\n',
      ",",
      "\n",
      "\r",
      '"',
      '""',
      '"\n","',
      ' "',
      '"a,"a,',
      '""y,',
      '"a,\n'
    ]
    const spent = (text: string) => {
      const records = new Records(",")
      const begun = performance.now()
      for (let at = 0; at < text.length; at += 65_536) records.push(text.slice(at, at + 65_536))
      records.end()
      return performance.now() - begun
    }
    for (const piece of hostile) {
      const chars = 40_000
      const [once, twice] = [1, 8].map((times) => {
        const text = piece.repeat((chars * times) / piece.length)
        return Math.min(spent(text), spent(text), spent(text))
      })
      // Quadratic cost would be 64 times as much; the floor allows for a busy machine.
      assert.isBelow(twice ?? 0, 32 * Math.max(once ?? 0, 25), JSON.stringify(piece))
    }
  })
})
