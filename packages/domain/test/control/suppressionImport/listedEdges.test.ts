import { assert, describe, it } from "@effect/vitest"
import { chooseColumns, chooseListed, isKnownHeading } from "../../../src/control/suppressionImport/chooseColumns.js"
import { listedAddresses } from "../../../src/control/suppressionImport/listedRows.js"
import { readTable } from "../../../src/kernel/tables/Table.js"

const read = (lines: ReadonlyArray<string>) => readTable(lines.join("\n"), { isHeading: isKnownHeading })

const doubtsOf = (...lines: ReadonlyArray<string>) => {
  const { head, rows } = read(lines)
  return chooseListed(head, rows).doubts
}

const namesOf = (...lines: ReadonlyArray<string>) => {
  const { head, rows } = read(lines)
  const { chosen, doubts } = chooseColumns(head, rows)
  return [chosen.map((index) => head.columns[index]), doubts.length]
}

const mistakesOf = (...lines: ReadonlyArray<string>) =>
  listedAddresses(lines.join("\n")).map(({ mistakes }) => mistakes.map(({ column, reason }) => [column, reason]))

describe("which columns of a list are meant", () => {
  it("is read of headings of companies alone, and of addresses with the dots of other keyboards", () => {
    for (const heading of ["Founded", "Courriel", "First name"]) assert.isTrue(isKnownHeading(heading), heading)
    assert.deepStrictEqual(namesOf("Name,Company,Contact", "Ann,Acme,ann@acme。com"), [["Contact"], 0])
  })

  it("is in doubt where words repeat the row's address beside another one", () => {
    assert.deepStrictEqual(namesOf("Words,Email", "ann@a.test; bob@b.test,ann@a.test"), [["Email"], 1])
    assert.deepStrictEqual(namesOf("Words,Email", "ann@a.test; ann@a.test,ann@a.test"), [["Email"], 0])
  })
})

describe("of how many a list does not say that they said no", () => {
  it("is counted by row: those who may be mailed, and where others said no, those of whom it says nothing", () => {
    const [doubt] = doubtsOf("Email,Opt out", "a@a.test,no", "b@b.test,yes", "c@c.test,", "d@d.test,", "e@e.test,no")
    assert.include(doubt, '"Opt out" says "no" on line 2, and does not say of 4 of 5 rows')
    const [first] = doubtsOf("Email,Opt out", "a@a.test,", "b@b.test,yes", "c@c.test,")
    assert.include(first, '"Opt out" is empty on line 2, and does not say of 2 of 3 rows')
    // Nobody said no, so that an empty cell means nothing.
    const [none] = doubtsOf("Email,Opt out", "a@a.test,", "b@b.test,no", "c@c.test,")
    assert.include(none, "does not say of 1 of 3 rows")
    assert.isEmpty(doubtsOf("Email,Opt out", "a@a.test,", "b@b.test,"))
  })

  it("counts no empty cell of a status, and quotes no more than a line of what stands there", () => {
    const long = "x".repeat(80)
    const [doubt] = doubtsOf("Email,Stage", "a@a.test,Do Not Contact", "b@b.test,", `c@c.test,${long}`)
    assert.include(doubt, `says "${long.slice(0, 60)}" on line 4, and does not say of 1 of 3 rows`)
    assert.isEmpty(doubtsOf("Email,Stage", "a@a.test,Do Not Contact", "b@b.test,"))
  })

  it("is not asked of a list without a heading", () => {
    assert.isEmpty(doubtsOf("a@a.test,unsubscribed", "b@b.test,subscribed"))
  })
})

describe("a row that looks like something else", () => {
  it("is not one for words beside an address, nor for what nobody can read to its end", () => {
    assert.deepStrictEqual(mistakesOf("Email", "P\u0430vlov <ann@a.test>"), [[]])
    const far = `ann@a.test ${"word ".repeat(900)} p\u0430vlov@b.test`
    assert.notMatch(JSON.stringify(mistakesOf("Email", far)), /two scripts/)
    assert.lengthOf(mistakesOf("Email", "ann@a.test p\u0430vlov@b.test")[0] ?? [], 1)
  })

  it("with a sign before its address names who else may be meant", () => {
    const [signed, plain] = listedAddresses("Email\n+ann@a.test\nann@a.test")
    assert.deepStrictEqual(
      signed?.notes.map(({ reason }) => reason),
      ['"+ann@a.test" begins with a sign, and ann@a.test is somebody else']
    )
    assert.isEmpty(plain?.notes)
  })

  it("is torn only where a domain with its sign follows a word alone, and keeps its other mistakes", () => {
    assert.deepStrictEqual(
      listedAddresses("Email\nann\nacme.test").map(({ domains }) => domains),
      [[], ["acme.test"]]
    )
    // What can't be barred has said so already.
    assert.lengthOf(mistakesOf("Email", "ann", "@gmail.com")[1] ?? [], 1)
    const both = mistakesOf("Email,Private email", "ann,x@x.test", "@acme.test,no")
    assert.deepStrictEqual(
      both[1]?.map(([column]) => column),
      ["Private email", "Email"]
    )
  })
})
