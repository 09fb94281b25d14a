import { assert, it } from "@effect/vitest"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Effect } from "effect"
import * as fc from "fast-check"
import PostalMime from "postal-mime"
import { composeMail } from "../../src/mail/mime.js"
import { makeMail } from "./support.js"

const NOW = Date.UTC(2026, 10, 20, 12)

const composed = (given: Parameters<typeof makeMail>[0]) => Effect.promise(() => composeMail(makeMail(given), NOW))

const parsed = (given: Parameters<typeof makeMail>[0]) =>
  Effect.flatMap(composed(given), ({ raw }) => Effect.promise(() => PostalMime.parse(raw)))

const headersOf = (raw: Buffer): ReadonlyArray<string> =>
  (raw.toString("utf8").split("\r\n\r\n")[0] ?? "").split(/\r\n(?![ \t])/)

it.effect("plain text goes alone, and beside HTML where that is given", () =>
  Effect.gen(function* () {
    const plain = yield* composed({})
    assert.match(plain.raw.toString(), /^Content-Type: text\/plain; charset=utf-8\r$/m)
    const both = yield* parsed({ html: "<p>Hi Ann</p>" })
    assert.strictEqual(both.text?.split("\n")[0], "Hi Ann,")
    assert.include(both.html, "<p>Hi Ann</p>")
    const raw = (yield* composed({ html: "<p>Hi Ann</p>" })).raw.toString()
    assert.match(raw, /^Content-Type: multipart\/alternative;/m)
    assert.isBelow(raw.indexOf("text/plain"), raw.indexOf("text/html"))
  })
)

it.effect("subject, names and text of any language come back as they were", () =>
  Effect.gen(function* () {
    const given = {
      from: { address: "jo@acme.test", name: 'Jö "the" Doe, Ünlü <x>' },
      to: { address: "ann@example.com", name: "안나" },
      subject: "Grüße aus 東京 🚀 ".repeat(6).trim(),
      text: "Zeile eins ü\n.\n..\nFrom here\n" + "x".repeat(2_000)
    }
    const mail = yield* parsed(given)
    assert.strictEqual(mail.subject, given.subject)
    assert.deepInclude(mail.from, { name: given.from.name, address: given.from.address })
    assert.deepInclude(mail.to?.[0], { name: given.to.name, address: given.to.address })
    assert.strictEqual(mail.text?.trimEnd(), given.text)
    const { raw } = yield* composed(given)
    for (const line of raw.toString("latin1").split("\r\n")) assert.isAtMost(line.length, 998)
    assert.notMatch(raw.toString("latin1"), /[^\r]\n|\r[^\n]/)
  })
)

it.effect(
  "the way out is named for one click and by mail, in one unbroken line, and an answer to a person has none",
  () =>
    Effect.gen(function* () {
      const url = `https://outbound.test/u/${"a".repeat(300)}`
      const headers = headersOf((yield* composed({ unsubscribeUrl: url })).raw)
      const subject = `unsubscribe%20%2Fu%2F${"a".repeat(300)}`
      assert.include(headers, `List-Unsubscribe: <${url}>, <mailto:jo@acme.test?subject=${subject}>`)
      assert.include(headers, "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
      const answer = headersOf((yield* composed({ unsubscribeUrl: null })).raw)
      assert.isFalse(answer.some((line) => line.startsWith("List-")))
    })
)

it.effect("no text becomes a header, another recipient or a part of its own", () =>
  Effect.gen(function* () {
    const evil = fc.string({
      unit: fc.constantFrom(
        "\r",
        "\n",
        "\r\n",
        "\0",
        "\u0085",
        "\u2028",
        ":",
        "<",
        ">",
        "@",
        ",",
        ";",
        '"',
        " ",
        "Bcc",
        "ü"
      )
    })
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(evil, evil, evil, async (name, subject, to) => {
          const mail = makeMail({
            from: { address: "jo@acme.test", name },
            to: { address: "ann@example.com", name: to }
          })
          const { from, raw, to: recipient } = await composeMail({ ...mail, subject: `S${subject}` }, NOW)
          assert.deepStrictEqual([from, recipient], ["jo@acme.test", "ann@example.com"])
          const names = headersOf(raw).map((line) => line.split(":")[0])
          assert.sameMembers(names, [
            "List-Unsubscribe",
            "List-Unsubscribe-Post",
            "From",
            "To",
            "Subject",
            "X-Lunedaki",
            "Message-ID",
            "Date",
            "MIME-Version",
            "Content-Type",
            "Content-Transfer-Encoding"
          ])
          const read = await PostalMime.parse(raw)
          assert.deepStrictEqual([read.from?.address, read.to?.map(({ address }) => address)], [from, [recipient]])
        }),
        { numRuns: 300 }
      )
    )
  })
)

it.effect("whoever may join a campaign can be written to, under exactly the address that joined", () =>
  Effect.gen(function* () {
    const part = fc.array(
      fc.constantFrom(
        "a",
        "b",
        "0",
        ".",
        "..",
        "+",
        "-",
        "'",
        '"',
        "\\",
        " ",
        ",",
        ";",
        ":",
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "@",
        "%",
        "!",
        "#",
        "$",
        "&",
        "*",
        "/",
        "=",
        "?",
        "^",
        "_",
        "`",
        "{",
        "|",
        "}",
        "~",
        "ü",
        "안",
        "😀",
        "ß",
        "İ",
        "\u200b",
        "\u202e",
        "\u00a0",
        "\u3002",
        "\n",
        "\0",
        "=?utf-8?q?x?="
      ),
      { maxLength: 12 }
    )
    const hosts = fc.constantFrom(
      "example.com",
      "bücher.example",
      "xn--bcher-kva.example",
      "a.b-c.co.uk",
      "EXAMPLE.org."
    )
    const given = fc.tuple(part, hosts).map(([signs, host]) => `${signs.join("")}@${host}`)
    let joined = 0
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(given, async (text) => {
          const address = usableEmail(text)
          if (address === null) return
          joined += 1
          const { raw, to } = await composeMail(makeMail({ to: { address, name: "Ann" } }), NOW)
          assert.strictEqual(usableEmail(to), address)
          const read = await PostalMime.parse(raw)
          assert.deepStrictEqual(
            read.to?.map((one) => usableEmail(one.address ?? "")),
            [address]
          )
        }),
        { numRuns: 2_000 }
      )
    )
    assert.isAbove(joined, 100)
  })
)

it.effect("what is no address, id or URL is not written at all", () =>
  Effect.gen(function* () {
    for (const given of [
      { to: { address: "ann@example.com\r\nBcc: x@y.test", name: null } },
      { to: { address: "ann@example.com, bob@example.com", name: null } },
      { to: { address: "<ann@example.com>", name: null } },
      { to: { address: "ann", name: null } },
      { from: { address: "jo@acme.test\n", name: "Jo" } },
      { messageId: "a@b>\r\nX-Evil: 1\r\n<c@d" },
      { messageId: "none" },
      { references: ["a@b", "c d@e"] },
      { unsubscribeUrl: "nowhere" }
    ]) {
      const exit = yield* Effect.exit(Effect.tryPromise(() => composeMail(makeMail(given), NOW)))
      assert.strictEqual(exit._tag, "Failure", JSON.stringify(given))
    }
    const { raw } = yield* composed({ unsubscribeUrl: "https://outbound.test/u/a\r\nX-Evil: 1>" })
    assert.isFalse(headersOf(raw).some((line) => line.startsWith("X-Evil")))
  })
)
