import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import * as FC from "fast-check"
import { MAILBOX_ROWS_MAX, type MailboxRow, readMailboxTable } from "../../../src/outreach/sending/mailboxTable.js"

const HEAD = "email,name,password,provider"

const only = (text: string): MailboxRow => {
  const { rows } = readMailboxTable(text)
  assert.lengthOf(rows, 1)
  return rows[0]!
}

const connected = (text: string) => Result.getOrThrow(only(text).read)

const flawOf = (text: string) => {
  const { read } = only(text)
  if (Result.isSuccess(read)) throw new Error("the row can be tried")
  return read.failure
}

describe("a table of mailboxes", () => {
  it("is read as other senders export it, with the secret exactly as it is written", () => {
    const secret = " ='-a;b\"c "
    const text = [
      "First Name,Last Name,Email,SMTP Host,SMTP Port,SMTP Username,SMTP Password,IMAP Host,IMAP Port,IMAP Username,IMAP Password",
      `Jo,Doe,Jo@Acme.Example,smtp.acme.example,587,jo,"${secret.replaceAll('"', '""')}",imap.acme.example,993,jo,"${secret.replaceAll('"', '""')}"`
    ].join("\n")
    const found = connected(text)
    assert.deepInclude(found, {
      address: "jo@acme.example",
      displayName: "Jo Doe",
      username: "jo",
      auth: "password",
      smtp: { host: "smtp.acme.example", port: 587, security: "starttls" },
      imap: { host: "imap.acme.example", port: 993, security: "tls" }
    })
    assert.strictEqual(Redacted.value(found.secret), secret)
  })

  it("takes a provider in place of servers, and servers as addresses", () => {
    assert.strictEqual(connected(`${HEAD}\njo@acme.example,Jo,pw,Gmail`).smtp.host, "smtp.gmail.com")
    const written = connected(
      "email;name;password;smtp;imap\njo@acme.example;Jo;pw;smtp+starttls://m.acme.example:2587;imaps://m.acme.example"
    )
    assert.deepStrictEqual(written.smtp, { host: "m.acme.example", port: 2587, security: "starttls" })
  })

  it("says of a row that can't be tried the column, the value and the remedy, and never a secret", () => {
    for (const [text, column, value, reason] of [
      [`${HEAD}\nnobody,Jo,hunter2,google`, "email", "nobody", "is no email address"],
      [`${HEAD}\njo@acme.example,,hunter2,google`, "name", "", "is empty"],
      [`${HEAD}\njo@acme.example,Jo,,google`, "password", "", "is empty"],
      [`${HEAD}\njo@acme.example,Jo,hunter2,outlook`, "provider", "outlook", "is no provider"],
      [`${HEAD}\njo@acme.example,Jo,hunter2,`, "smtp", "", "names no server"],
      [
        "email,name,password,smtp host,smtp port,imap host\na@acme.example,A,hunter2,s.acme.example,99,i.acme.example",
        "smtp port",
        "99",
        "is no port"
      ],
      [
        "email,name,password,smtp,imap\na@acme.example,A,hunter2,127.0.0.1,i.acme.example",
        "smtp",
        "127.0.0.1",
        "public host name"
      ],
      [
        "email,name,smtp password,imap password,provider\na@acme.example,A,hunter2,hunter3,google",
        "imap password",
        "",
        "differs from the other password"
      ],
      [
        "email,name,password,smtp user,imap user,provider\na@acme.example,A,hunter2,a,b,google",
        "imap user",
        "b",
        "differs from the other user name"
      ]
    ] as const) {
      const flaw = flawOf(text)
      assert.deepInclude(flaw, { column, value })
      assert.include(flaw.reason, reason)
      assert.notStrictEqual(flaw.remedy, "")
      assert.notInclude(JSON.stringify(flaw), "hunter")
    }
  })

  it("shows no cell of a row that has more or fewer than the heading: a secret may stand in any of them", () => {
    const more = only(`${HEAD}\njo@acme.example,Doe, Jo,hunter2,google`)
    assert.strictEqual(more.address, "jo@acme.example")
    assert.deepInclude(flawOf(`${HEAD}\njo@acme.example,Doe, Jo,hunter2,google`), { column: null, value: "" })
    const fewer = only("email,password,provider,name\nhunter2,google,Jo")
    assert.strictEqual(fewer.address, "")
    for (const row of [more, fewer]) assert.notInclude(JSON.stringify(row), "hunter")
  })

  it("without a heading is read not at all, so that nothing of it is shown as the name of a column", () => {
    const table = readMailboxTable("Jo,hunter2,google\njo@acme.example,hunter3,google")
    assert.isFalse(table.hasHeading)
    assert.notInclude(JSON.stringify(table), "hunter")
  })

  it("tries a mailbox once, and at most so many; the others say so", () => {
    const line = (index: number) => `b${index}@acme.example,B,pw,google`
    const many = Array.from({ length: MAILBOX_ROWS_MAX + 2 }, (_, index) => line(index))
    const { rows } = readMailboxTable([HEAD, line(0), ...many].join("\n"))
    assert.lengthOf(rows, MAILBOX_ROWS_MAX + 3)
    assert.lengthOf(
      rows.filter(({ read }) => Result.isSuccess(read)),
      MAILBOX_ROWS_MAX
    )
    const said = rows.flatMap(({ line: at, read }) =>
      Result.isFailure(read) ? [[at, read.failure.reason] as const] : []
    )
    assert.deepStrictEqual(said[0], [3, "is the same mailbox as line 2"])
    assert.include(said[1]?.[1], `is beyond the ${MAILBOX_ROWS_MAX} mailboxes`)
  })

  it("names the columns that it reads nothing from", () => {
    assert.deepStrictEqual(readMailboxTable(`${HEAD},warmup limit\na@acme.example,A,pw,google,50`).ignored, [
      "warmup limit"
    ])
  })

  it("drops no line uncounted, and shows no secret, whatever the cells hold", () => {
    const cell = FC.constantFrom(
      "",
      " ",
      "x",
      "jo@acme.example",
      "al@acme.example",
      "google",
      "outlook",
      "99",
      "é",
      "=1+1"
    )
    const row = FC.tuple(cell, cell, cell, cell)
    FC.assert(
      FC.property(FC.array(row, { minLength: 1, maxLength: 20 }), (given) => {
        const secrets = given.map((_, index) => `s3cret-${index}-of-row`)
        const lines = given.map(([address, name, , provider], index) =>
          [address, name, secrets[index], provider].join(",")
        )
        const table = readMailboxTable([HEAD, ...lines].join("\n"))
        assert.strictEqual(table.rows.length + table.empty, given.length)
        assert.strictEqual(new Set(table.rows.map(({ line }) => line)).size, table.rows.length)
        for (const { address, read } of table.rows) {
          const shown = JSON.stringify([address, Result.isFailure(read) ? read.failure : { ...read.success }])
          assert.notInclude(shown, "s3cret")
        }
      })
    )
  })
})
