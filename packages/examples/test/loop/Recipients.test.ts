import { assert, describe, it } from "@effect/vitest"
import { parseRecipients, UnusableFile } from "../../src/loop/Recipients.js"

const parse = (text: string) => parseRecipients(new TextEncoder().encode(text))

const accountsForAll = ({ bad, recipients, repeated, rows }: ReturnType<typeof parse>) =>
  assert.strictEqual(rows, bad.length + recipients.length + repeated.length)

describe("one's own list of recipients", () => {
  it("takes the known columns by name, every other as custom, and leaves empty cells out", () => {
    const list = parse("\uFEFFE-Mail ,Email,First Name,last_name,company_name,pet\n-,ann@acme.test,Ann,,Acme,Rex\n")
    assert.deepStrictEqual(list.recipients, [
      { email: "ann@acme.test", first_name: "Ann", company_name: "Acme", custom: { "E-Mail": "-", pet: "Rex" } }
    ])
    accountsForAll(list)
  })

  it("reports each bad row with its line, and takes the others", () => {
    const list = parse(
      [
        "email,first_name,company_name",
        "ann@acme.test,Ann,Acme",
        "not an address,Bob,Acme",
        ",Cy,Acme",
        "dee@acme.test,Dee,Acme,too,many",
        `eve@acme.test,${"x".repeat(201)},Acme`,
        'fay@acme.test,"Fay',
        'of two lines",Acme',
        "gus@acme.test"
      ].join("\n")
    )
    assert.deepStrictEqual(
      list.recipients.map(({ email }) => email),
      ["ann@acme.test", "fay@acme.test", "gus@acme.test"]
    )
    assert.deepStrictEqual(
      list.bad.map(({ line }) => line),
      [3, 4, 5, 6]
    )
    accountsForAll(list)
  })

  it("takes nobody of whom a row says that they opted out or bounced, and names each such row", () => {
    const list = parse(
      [
        "email,first_name,Email Opt Out,Status",
        "ann@acme.test,Ann,no,",
        "bob@acme.test,Bob,yes,",
        "cy@acme.test,Cy,,Bounced",
        "ANN@acme.test,Ann,,unsubscribed",
        "dee@acme.test,Dee,FALSE,Active"
      ].join("\n")
    )
    assert.deepStrictEqual(
      list.recipients.map(({ email }) => email),
      ["dee@acme.test"]
    )
    assert.deepStrictEqual(list.bad, [
      { line: 2, reason: "another row says that they must not be mailed" },
      { line: 3, reason: "custom.Email Opt Out: says that they must not be mailed" },
      { line: 4, reason: "custom.Status: says that mail to them came back" },
      { line: 5, reason: "custom.Status: says that they must not be mailed" }
    ])
    accountsForAll(list)
  })

  it("loses nobody to a quotation that never ends", () => {
    const list = parse('email,first_name\nann@acme.test,Ann\nbob@acme.test,"Bob\ncy@acme.test,Cy\n')
    assert.deepStrictEqual(
      list.recipients.map(({ email }) => email),
      ["ann@acme.test", "bob@acme.test", "cy@acme.test"]
    )
    accountsForAll(list)
  })

  it("names the rows whose address came before, however it is written", () => {
    const list = parse("email\nann@acme.test\n ANN@Acme.test \n")
    assert.strictEqual(list.recipients.length, 1)
    assert.deepStrictEqual(
      list.repeated.map(({ line }) => line),
      [3]
    )
    accountsForAll(list)
  })

  it.each([
    ["semicolons", "email;company_name\nann@acme.test;Acme, Inc.\n"],
    ["tabs", "email\tcompany_name\r\nann@acme.test\tAcme, Inc.\r\n"]
  ])("reads what spreadsheets write: %s", (_what, text) => {
    assert.deepStrictEqual(parse(text).recipients, [{ email: "ann@acme.test", company_name: "Acme, Inc." }])
  })

  it.each([
    ["no column for the address", "name\nAnn\n", /no column "email"/],
    ["the same column twice", "email,Email\na@b.test,a@b.test\n", /two columns "email"/],
    ["no rows", "email\n", /no rows/],
    [
      "more than a campaign takes",
      `email\n${Array.from({ length: 5001 }, (_, n) => `p${n}@acme.test`).join("\n")}`,
      /5000/
    ]
  ])("refuses a file with %s", (_what, text, reason) => {
    assert.throws(() => parse(text), UnusableFile, reason)
  })

  it("refuses a file in another encoding than UTF-8", () => {
    assert.throws(() => parseRecipients(Buffer.from("email,first_name\nann@acme.test,J\xf6rg\n", "latin1")), /UTF-8/)
  })
})
