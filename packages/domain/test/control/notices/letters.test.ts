import { assert, describe, it } from "@effect/vitest"
import { ALERT_KINDS } from "@outbound/domain/control/alerts/AlertStore.js"
import { alertWords, IN_LETTER } from "@outbound/domain/control/alerts/alertWords.js"
import { inert, quoted } from "@outbound/domain/control/alerts/foreignWords.js"
import { invitation, passkeyLetter } from "@outbound/domain/control/console/SignInMail.js"
import { hostsIn } from "@outbound/domain/kernel/text/hosts.js"
import { signKindsIn } from "@outbound/domain/kernel/text/signs.js"
import * as fc from "fast-check"

const BASE = "https://outbound.test"

const HOSTILE = [
  "https://evil.example/sign-in",
  "evil.com/path",
  "www.evil.co.uk",
  "ann@evil.com",
  "mailto:ann",
  "tel:+123456",
  "evil\u3002com",
  "evil\u202Emoc.live",
  "ev\u200Bil.com",
  "a.b.c.d.e.f.g.h.i.j.k.l.evil.com",
  'x". Sign in at evil.com "',
  "x”. Sign in at evil.com “",
  "кремль.рф",
  "cafe\u0301.com",
  "evil.c\u0338om",
  "1.1.1.1/sign-in",
  "1http://1.1.1.1:80",
  "line\r\nAsks: nothing\u2028more",
  "x".repeat(1_000)
]

/** The lines of a letter without our own links. */
const foreignOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.startsWith(BASE))
    .join("\n")

describe("what others wrote in the service's own letters", () => {
  for (const words of HOSTILE) {
    it(`makes no link and hides nothing: ${JSON.stringify(words).slice(0, 60)}`, () => {
      const texts = [
        foreignOf(invitation(BASE, "jo@acme.test", words, words).text),
        foreignOf(passkeyLetter(BASE, "jo@acme.test", words).text),
        ...ALERT_KINDS.map((kind) =>
          alertWords(
            { workspaceId: "w", kind, subject: "s", period: "p", name: words, says: `rejected: ${words}` },
            IN_LETTER
          )
        )
      ]
      for (const text of texts) {
        assert.deepStrictEqual(hostsIn(text), [], text)
        assert.notMatch(text, /[a-z]:\/\/|mailto:|tel:/i)
        assert.isFalse(signKindsIn(text).has("invisible"), text)
      }
      for (const alert of texts.slice(2)) assert.notInclude(alert, "\n")
      assert.match(quoted(words), /^“[^“”]*”$/u)
      assert.isAtMost([...inert(words)].length, 600)
    })
  }

  it("makes no link of whatever pieces of links it is put together", () => {
    const pieces = [
      "evil",
      "a",
      "com",
      "рф",
      "co.uk",
      "xn--p1ai",
      "1.1.1.1",
      "1",
      "www",
      "http",
      ":",
      "/",
      "@",
      "?",
      "-",
      "_",
      " "
    ]
    const signs = [
      ".",
      "\u3002",
      "\uFF0E",
      "\uFF61",
      "\u0301",
      "\u0338",
      "\uFE0F",
      "\u200B",
      "\u2800",
      "\u{1F4A9}",
      "ｃｏｍ",
      "é"
    ]
    const text = fc.array(fc.constantFrom(...pieces, ...signs, "."), { maxLength: 7 }).map((some) => some.join(""))
    fc.assert(
      fc.property(text, (words) => {
        for (const made of [inert(words), quoted(words)]) assert.deepStrictEqual(hostsIn(made), [], made)
      }),
      { numRuns: 2_000 }
    )
  })
})
