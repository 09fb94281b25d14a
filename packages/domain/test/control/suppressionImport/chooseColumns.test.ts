import { assert, describe, it } from "@effect/vitest"
import {
  chooseColumns,
  chooseListed,
  columnsGiven,
  isKnownHeading
} from "../../../src/control/suppressionImport/chooseColumns.js"
import { listedAddresses, listedRow } from "../../../src/control/suppressionImport/listedRows.js"
import { readTable } from "../../../src/kernel/tables/Table.js"

const read = (...lines: ReadonlyArray<string>) => readTable(lines.join("\n"), { isHeading: isKnownHeading })

/** The columns that are taken, by name, and what somebody must look at first. */
const taken = (...lines: ReadonlyArray<string>) => {
  const { head, rows } = read(...lines)
  const { chosen, columns, doubts } = chooseColumns(head, rows)
  assert.deepStrictEqual(
    columns.filter(({ isChosen }) => isChosen).map(({ index }) => index),
    [...chosen]
  )
  return { names: chosen.map((index) => head.columns[index] ?? null), doubts: [...doubts] }
}

const certain = (names: ReadonlyArray<string>, ...lines: ReadonlyArray<string>) =>
  assert.deepStrictEqual(taken(...lines), { names: [...names], doubts: [] }, lines.join(" / "))

const doubtful = (names: ReadonlyArray<string>, doubt: RegExp, ...lines: ReadonlyArray<string>) => {
  const found = taken(...lines)
  assert.deepStrictEqual(found.names, [...names], lines.join(" / "))
  assert.lengthOf(found.doubts, 1, lines.join(" / "))
  assert.match(found.doubts[0] ?? "", doubt)
}

describe("the columns of a list whose addresses must never be mailed", () => {
  it("are those that a heading names, all of them, where they hold something", () => {
    certain(["Email"], "Name,Email", "Ann,ann@a.test")
    certain(["Email", "Private email"], "Name,Email,Private email", "Ann,ann@a.test,ann@home.test")
    // A column of domains is named as well: whole companies are on such lists.
    certain(["Email"], "Name,Email", "Acme,acme.test")
    // An empty column that is named hides no other one.
    certain(["Email"], "Name,Email,Private email", "Ann,ann@a.test,")
    certain(["Email"], "Name,Email", "Ann,")
    // One that is named, and holds something else, is what the mistakes are about.
    certain(["Email"], "Name,Email", "Ann,unknown")
  })

  it("are told from words that repeat the row's own address, also where a row is short", () => {
    certain(["Email"], "Words,Email", "550 ann@a.test unknown,ann@a.test", "no answer")
  })

  it("are found by what they hold where no heading names any", () => {
    certain(["Contact"], "Name,Company,Contact", "Ann,Acme,ann@a.test")
    // Half of what a column holds is enough, less is not.
    certain(["Contact"], "Name,Company,Contact", "Ann,Acme,ann@a.test", "Bob,Acme,by phone")
    doubtful([], /^No column holds email addresses\.$/, "Name,Company,Contact", "Ann,A,a@a.test", "B,A,no", "C,A,no")
    certain(["Email"], "Name,Email,Notes", "Ann,,ask ann", "Bob,bob@b.test,ask bob@b.test", "Cy,,no", "Di,,no")
  })

  it("are told from what is empty, broken, or only speaks of addresses", () => {
    certain(["Contact"], "Name,Contact,Notes", "Ann,ann@a.test,")
    // The heading again, in the middle of a merged list, is no cell that holds something else.
    const again = "Name,Company,Contact"
    certain(["Contact"], again, "Ann,Acme,ann@a.test", again, again)
    // A column that is named and holds something else steps back behind one that holds addresses.
    certain(["Contact"], "Name,Email,Contact", "Ann,yes,ann@a.test")
    certain(["Email", "Private email"], "Name,Email,Private email", "Ann,unknown,")
    doubtful([], /^No column holds email addresses\.$/, "Name,Company,Notes", "Ann,Acme,see acme.test")
    doubtful([], /^No column holds email addresses\.$/, "Name,Company,Contact", "Ann,Acme,ann@a..test")
    doubtful([], /^No column holds email addresses\.$/, "Name,Company,Notes", "Ann,Acme,acme.test; by phone")
    // People and whole companies in one column count together.
    doubtful(
      ["Email"],
      /^"Contact" holds addresses too/,
      "Name,Email,Contact",
      "Ann,ann@a.test,bob@b.test",
      "Acme,acme.test,bob@b.test"
    )
    doubtful(["Email"], /^"Contact", "Second" holds/, "Email,Contact,Second", "ann@a.test,b@b.test,c@c.test")
  })

  it("is the only one, whatever it holds: its rows say what is wrong with them", () => {
    const alone = taken("nothing", "at all")
    assert.deepStrictEqual([alone.names.length, alone.doubts], [1, []])
  })

  it("have a heading where its first line names something of a person or a company", () => {
    for (const cell of ["Email", "E-mail address", "First name", "Job title", "Company domain"]) {
      assert.isTrue(isKnownHeading(cell), cell)
    }
    for (const cell of ["Ann", "ann@a.test", ""]) assert.isFalse(isKnownHeading(cell), cell)
  })

  it("must be looked at by somebody where it isn't certain whose addresses they are", () => {
    doubtful(
      ["Email"],
      /^"Contact" holds addresses too, beside "Email"\. Whose are they\?$/,
      "Email,Contact",
      "ann@a.test,bob@b.test"
    )
    doubtful(
      ["Contact", "Second"],
      /^"Contact", "Second" hold addresses, and no heading says which are meant\.$/,
      "Name,Contact,Second",
      "Ann,ann@a.test,ann@home.test"
    )
    const { doubts, names } = taken("Name,Company,Owner", "Ann,Acme,rep@us.test")
    assert.deepStrictEqual(names, [])
    assert.deepStrictEqual(doubts, [
      "No column holds email addresses.",
      '"Owner" holds addresses, but names whose record it is, not who is meant.'
    ])
    doubtful(
      [],
      /^No column holds email addresses\. "Website" holds domains: taking it would bar everybody there\.$/,
      "Name,Company,Website",
      "Ann,Acme,acme.test"
    )
    doubtful([], /^No column holds email addresses\.$/, "Name,Company,Phone", "Ann,Acme,123")
  })

  it("never are an owner's, whatever they hold beside the people's own", () => {
    certain(["Email"], "Email,Owner", "ann@a.test,rep@us.test")
    certain(["Contact"], "Name,Contact,Owner", "Ann,ann@a.test,rep@us.test")
    // Without addresses there is nothing to be in doubt about.
    assert.deepStrictEqual(taken("Name,Company,Owner", "Ann,Acme,Rep").doubts, ["No column holds email addresses."])
  })

  it("say why each is taken or left", () => {
    const { head, rows } = read("Name,Email,Contact,Owner,Sender", "Ann,ann@a.test,bob@b.test,rep@us.test,", "B,,no,,")
    const { columns } = chooseColumns(head, rows)
    assert.deepStrictEqual(
      columns.map(({ addresses, filled, name, why }) => [name, addresses, filled, why]),
      [
        ["Name", 0, 2, "it holds no addresses"],
        ["Email", 1, 1, "its heading names addresses"],
        ["Contact", 1, 2, "1 of 2 cells hold an address"],
        ["Owner", 1, 1, "its heading names somebody else, as an owner"],
        ["Sender", 0, 0, "it holds no addresses"]
      ]
    )
  })

  it("can be given by heading, however it is spelled, or by number", () => {
    const { head } = read("Name,E-Mail,Contact", "Ann,ann@a.test,bob@b.test")
    const given = (...names: ReadonlyArray<string>) => columnsGiven(head, names)
    assert.deepStrictEqual(given("E-Mail"), { chosen: [1], unknown: [] })
    assert.deepStrictEqual(given("email", "E-Mail"), { chosen: [1], unknown: [] })
    assert.deepStrictEqual(given("3", "1"), { chosen: [0, 2], unknown: [] })
    assert.deepStrictEqual(given("Contact", "Name"), { chosen: [0, 2], unknown: [] })
    assert.deepStrictEqual(given("0", "4", "1.0", "-1", "Phone", "1"), {
      chosen: [0],
      unknown: ["0", "4", "1.0", "-1", "Phone"]
    })
    // A heading that is written so counts before its number.
    const numbered = read("Email,1", "ann@a.test,bob@b.test").head
    assert.deepStrictEqual(columnsGiven(numbered, ["1"]).chosen, numbered.columns.includes("1") ? [1] : [0])
    const twice = read("Name,Email,email", "Ann,ann@a.test,bob@b.test").head
    assert.deepStrictEqual(columnsGiven(twice, ["Email"]).chosen, [1])
    const many = read(
      [...Array.from({ length: 11 }, (_, at) => `C${at}`), "Email"].join(","),
      "a,b,c,d,e,f,g,h,i,j,k,l"
    )
    assert.deepStrictEqual(columnsGiven(many.head, ["11", "2"]).chosen, [1, 10])
  })
})

describe("a row of such a list", () => {
  it("names everybody in it once, and says what of it was changed", () => {
    const [row] = listedAddresses("Email,Private email\nAnn <ann@a.test>; bob@b.test,ANN@a.test")
    assert.deepStrictEqual(row?.emails.toSorted(), ["ann@a.test", "bob@b.test"])
    assert.deepStrictEqual(row?.mistakes, [])
    const [angled] = listedAddresses("Email\nAnn North <ann@a.test>")
    assert.deepStrictEqual([angled?.emails, angled?.notes], [["ann@a.test"], []])
    const [worded] = listedAddresses("Name,Email\nAnn,ann@a.test; by phone")
    assert.deepStrictEqual(worded?.emails, ["ann@a.test"])
    assert.deepStrictEqual(
      worded?.notes.map(({ column, line, value }) => [line, column, value]),
      [[2, "Email", "by phone"]]
    )
    const [repaired] = listedAddresses("Name,Email\nAnn,an\u200Bn@a.test")
    assert.deepStrictEqual(repaired?.emails, ["ann@a.test"])
    assert.match(repaired?.notes[0]?.reason ?? "", /invisible/)
  })

  it("is never dropped in silence: each mistake has its line, column, value and remedy", () => {
    const rows = listedAddresses(
      "Name,Email,Phone\nAnn,ann@a.test,1\nBob,,bob@b.test\n,,\nCy,cy@,3\nDi,,4\nName,Email,Phone"
    )
    assert.deepStrictEqual(
      rows.map(({ emails, isEmpty, line, mistakes }) => [line, isEmpty, emails.length, mistakes.length]),
      [
        [2, false, 1, 0],
        [3, false, 0, 1],
        [4, true, 0, 0],
        [5, false, 0, 1],
        [6, false, 0, 1],
        [7, true, 0, 0]
      ]
    )
    assert.deepStrictEqual(
      [rows[1]?.mistakes[0]?.column, rows[1]?.mistakes[0]?.reason],
      ["Email", 'no address, though "Phone" holds one']
    )
    assert.deepStrictEqual([rows[3]?.mistakes[0]?.column, rows[3]?.mistakes[0]?.value], ["Email", "cy@"])
    assert.strictEqual(rows[4]?.mistakes[0]?.reason, "no address")
    for (const { mistakes } of rows) for (const { remedy } of mistakes) assert.isNotEmpty(remedy)
    const mixed = listedAddresses("Name,Email\nAnn,ann@a.test; cy@\nBob,#N/A\nCo,@gmail.com; bob@b.test\nDi,nothing")
    assert.deepStrictEqual(
      mixed.map(({ emails, mistakes }) => [emails, mistakes.map(({ column, value }) => [column, value])]),
      [
        [["ann@a.test"], [["Email", "cy@"]]],
        [[], [["Email", "#N/A"]]],
        [["bob@b.test"], [["Email", "gmail.com"]]],
        [[], [["Email", "nothing"]]]
      ]
    )
    assert.match(mixed[1]?.mistakes[0]?.reason ?? "", /where a formula failed/)
    assert.notMatch(mixed[3]?.mistakes[0]?.reason ?? "", /formula/)
    assert.match(mixed[2]?.mistakes[0]?.reason ?? "", /barred as a whole/)
  })

  it("that has more cells than the heading says so, and asks for quotes only where something is wrong with it", () => {
    const rows = listedAddresses("Name,Email\nNorth, Ann,ann@a.test\nBob,bob@,x\nCy,cy@c.test,more")
    const beyond = rows.map(({ mistakes }) => mistakes.filter(({ column }) => column === null).map((one) => one.reason))
    const said = "the row has 3 cells, but the heading has 2"
    assert.deepStrictEqual(beyond, [[`${said}, so "ann@a.test" was not read`], [said], []])
    const [short] = listedAddresses("Name,Email\nNorth,,ann@a.test")
    assert.strictEqual(short?.mistakes[0]?.reason, "no address; it has 3 cells, but the heading has 2")
  })

  it("whose cells reach beyond the heading names who stands there: nobody who said no is lost in silence", () => {
    const rows = listedAddresses("Name,Email\nAnn,ann@a.test,bob@b.test\nCo,co@c.test,,@acme.test,more\nDi,di@d.test,")
    assert.deepStrictEqual(
      rows.map(({ domains, emails, mistakes }) => [
        emails,
        domains,
        mistakes.map(({ column, value }) => [column, value])
      ]),
      [
        [["ann@a.test"], [], [[null, "bob@b.test"]]],
        [["co@c.test"], [], [[null, "@acme.test"]]],
        [["di@d.test"], [], []]
      ]
    )
    assert.match(
      rows[1]?.mistakes[0]?.reason ?? "",
      /has 5 cells, but the heading has 2, so "@acme.test" was not read$/
    )
  })

  it("that names a person and a company names both", () => {
    const [both] = listedAddresses('Email\n"ann@a.test; @acme.test"')
    assert.deepStrictEqual([both?.emails, both?.domains, both?.mistakes], [["ann@a.test"], ["acme.test"], []])
  })

  it("that is too short, or can't be read, says so", () => {
    const [short] = listedAddresses("Name,Email\nAnn")
    assert.deepStrictEqual([short?.emails, short?.mistakes[0]?.reason], [[], "no address"])
    const [open] = listedAddresses('Name,Email\nAnn,"ann@a.test')
    assert.deepStrictEqual([open?.emails, open?.mistakes.length, open?.mistakes[0]?.column], [[], 1, "Email"])
    const { head } = read("Name,Email", "Ann,ann@a.test")
    const flaw = { what: "the row is too long", mend: "Shorten it." }
    const flawed = listedRow(head, [1], { line: 7, cells: [], written: ["x"], kind: "flawed", flaw, width: 1 })
    assert.deepStrictEqual(flawed.mistakes, [
      { line: 7, column: null, value: "", reason: "the row is too long", remedy: "Shorten it." }
    ])
  })

  it("of a list without any address is about its first column", () => {
    const [row] = listedAddresses("Name,Company,Phone\nAnn,Acme,1")
    assert.deepStrictEqual(
      row?.mistakes.map(({ column, line, reason }) => [column, line, reason]),
      [["Name", 2, "no address"]]
    )
  })

  it("that a line break tore off an address bars nobody's whole company", () => {
    const rows = listedAddresses("Email\nann\n@acme.test\n@bolt.test\n\n@coda.test\nbob@dot.test\n@eel.test")
    assert.deepStrictEqual(
      rows.map(({ domains, emails, line }) => [line, emails, domains]),
      [
        [2, [], []],
        [3, [], []],
        [4, [], ["bolt.test"]],
        [6, [], ["coda.test"]],
        [7, ["bob@dot.test"], []],
        [8, [], ["eel.test"]]
      ]
    )
    assert.deepStrictEqual(
      rows[1]?.mistakes.map(({ column, line, reason, value }) => [line, column, value, reason]),
      [[3, "Email", "@acme.test", '"@acme.test" may be the end of "ann" on line 2, so nobody was barred']]
    )
  })

  it("with letters of two scripts in a word is taken as it stands, and named: it looks like somebody else's", () => {
    const rows = listedAddresses(
      "Email\n\u0430nn@acme.test\nann@\u0430cme.test\nанна@acme.test\nann@почта.test\nО. North <ann@acme.test>"
    )
    assert.deepStrictEqual(
      rows.map(({ emails, mistakes }) => [emails.length, mistakes.length]),
      [
        [1, 1],
        [1, 1],
        [1, 0],
        [1, 0],
        [1, 0]
      ]
    )
    assert.include(rows[0]?.mistakes[0]?.reason, "letters of two scripts")
  })

  it("can't bar what belongs to everybody", () => {
    const [everybody, company] = listedAddresses("Email\n@gmail.com\n@acme.test")
    assert.deepStrictEqual([everybody?.domains, everybody?.mistakes.length], [[], 1])
    assert.deepStrictEqual([company?.domains, company?.mistakes.length], [["acme.test"], 0])
  })
})

describe("a list in which not everybody said no", () => {
  const doubtsOf = (...lines: ReadonlyArray<string>) => {
    const { head, rows } = read(...lines)
    return [...chooseListed(head, rows).doubts]
  }

  it("is shown first: whom it names is suppressed for ever", () => {
    assert.deepStrictEqual(doubtsOf("Email,Email Opt Out", "ann@a.test,1", "bob@b.test,0", "cy@c.test,0"), [
      '"Email Opt Out" says "0" on line 3, and does not say of 2 of 3 rows that they must not be mailed. Are all of them meant?'
    ])
    assert.match(doubtsOf("Email,Unsubscribed", "ann@a.test,true", "bob@b.test,")[0] ?? "", /is empty on line 3/)
    assert.match(
      doubtsOf("Email,Stage", "ann@a.test,Do Not Contact", "bob@b.test,Cold")[0] ?? "",
      /says "Cold" on line 3/
    )
    // A heading again, where lists were joined, and an empty line are no people.
    const joined = doubtsOf("Email,Email Opt Out", "ann@a.test,1", "", "Email,Email Opt Out", "bob@b.test,0", "")
    assert.match(joined[0] ?? "", /of 1 of 2 rows/)
    for (const lines of [
      ["Email Address,Email Marketing", "ann@a.test,Subscribed", "bob@b.test,Unsubscribed", "cy@c.test,Cleaned"],
      ["Email,Status", "ann@a.test,Subscribed", "bob@b.test,Subscribed"],
      ["Email,Stage", "ann@a.test,Do Not Contact", "bob@b.test,Interested"],
      ["Email,Stage", "ann@a.test,Do Not Contact", "bob@b.test,Cold"],
      ["E-Mail;Abgemeldet", "ann@a.test;ja", "bob@b.test;nein"],
      ["Email,is_subscribed", "ann@a.test,false", "bob@b.test,true"],
      ["Email,Do not allow Emails", "ann@a.test,Do Not Allow", "bob@b.test,Allow"]
    ]) {
      assert.lengthOf(doubtsOf(...lines), 1, lines.join(" / "))
    }
  })

  it("differs from one in which all did, for any reason", () => {
    for (const lines of [
      ["Email,Email Opt Out", "ann@a.test,1", "bob@b.test,1"],
      ["Email,Status", "ann@a.test,unsubscribed", "bob@b.test,bounced", "cy@c.test,complained"],
      ["Email,UNSUB_TIME,UNSUB_REASON", "ann@a.test,2024-01-01,NORMAL", "bob@b.test,2024-01-02,"],
      ["Email,Reason", "ann@a.test,unsubscribed", "bob@b.test,a competitor"],
      ["status,email", "5.1.1,ann@a.test", "5.0.0,bob@b.test"],
      ["Email,Name", "ann@a.test,Ann", "bob@b.test,Bob"]
    ]) {
      assert.deepStrictEqual(doubtsOf(...lines), [], lines.join(" / "))
    }
  })

  it("whose bounces repeat the address in their words is certain, and one that names others there is not", () => {
    assert.deepStrictEqual(
      doubtsOf("reason,email", "550 <ann@a.test>: unknown,ann@a.test", "550 <bob@b.test>: unknown,bob@b.test"),
      []
    )
    assert.lengthOf(doubtsOf("reason,email", "550 <old@a.test>: unknown,ann@a.test", "<bob@b.test>,bob@b.test"), 1)
  })
})
