import { assert, describe, it } from "@effect/vitest"
import { ALERT_KINDS } from "@outbound/domain/control/alerts/AlertStore.js"
import { alertWords, IN_LETTER } from "@outbound/domain/control/alerts/alertWords.js"
import { inert, quoted } from "@outbound/domain/control/alerts/foreignWords.js"
import { invitation, passkeyLetter } from "@outbound/domain/control/console/SignInMail.js"
import { hostsIn } from "@outbound/domain/kernel/text/hosts.js"
import { signKindsIn } from "@outbound/domain/kernel/text/signs.js"

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
})
