import { assert, it } from "@effect/vitest"
import { footer } from "@outbound/domain/outreach/sending/compose.js"
import { markOf } from "@outbound/domain/outreach/mail/mailMark.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { unsubscribeUrl } from "@outbound/domain/kernel/Settings.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { composeMail } from "@outbound/adapters/mail/mime.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import { Effect, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"

/** What mail of any program has, from anybody. */
const STANDARD = new Set([
  "List-Unsubscribe",
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  "From",
  "To",
  "Subject",
  "Message-ID",
  "Date",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable"
])

/** A message as it leaves, of a workspace with a sending domain and a link host of its own. */
const message = (workspace: { readonly workspaceId: string; readonly domain: string }) =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const { domain, workspaceId } = workspace
    const [id, lead] = [randomUUID(), randomUUID()]
    const link = `${lead}.${linkMac(crypto, workspaceId, lead)}`
    const wayOut = unsubscribeUrl(`https://links.${domain}`, workspaceId, link)
    const { raw } = yield* Effect.promise(() =>
      composeMail(
        {
          messageId: `${id}@${domain}`,
          mark: markOf(crypto, workspaceId, id),
          from: { address: `jo@${domain}`, name: `Jo of ${domain}` },
          to: { address: `ann.${lead}@example.com`, name: null },
          subject: `About ${domain}`,
          text: `Hello from ${domain}.${footer(`${domain}, 1 Street`, wayOut, { language: "en", notice: null })}`,
          references: [],
          html: null,
          unsubscribeUrl: wayOut
        },
        Math.floor(Math.random() * 1e12)
      )
    )
    const [head = "", body = ""] = raw.toString("latin1").split(/\r\n\r\n(.*)/s)
    const fields = head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const)
    return { raw: raw.toString("latin1"), fields, lines: body.replace(/=\r\n/g, "").split("\r\n") }
  }).pipe(Effect.provide(NodeCrypto.layer(SECRET)))

const SECRET = Redacted.make(randomBytes(32).toString("hex"))

it.effect("messages of two workspaces share no header, value or line that mail of any sender does not have", () =>
  Effect.gen(function* () {
    const [acme, other] = [
      { workspaceId: randomUUID(), domain: "acme.test" },
      { workspaceId: randomUUID(), domain: "other.example" }
    ]
    const [one, again, two] = [yield* message(acme), yield* message(acme), yield* message(other)]
    const names = (of: typeof one) => of.fields.map(([name]) => name)
    const shared = names(one).filter((name) => names(two).includes(name))
    for (const name of shared) {
      const values = (of: typeof one) => of.fields.filter(([given]) => given === name).map(([, value]) => value)
      const value = values(one).find((given) => values(two).includes(given))
      assert.isTrue(STANDARD.has(value === undefined ? name : `${name}: ${value}`), `${name}: ${value}`)
    }
    // Each has one header that the other has not, and the same in all messages of its own.
    const own = names(one).filter((name) => !shared.includes(name))
    assert.lengthOf(own, 1)
    assert.match(own[0] ?? "", /^X-[A-Z][a-z]{7,11}$/)
    assert.sameMembers(names(again), names(one))
    assert.lengthOf(names(two), names(one).length)
    assert.deepStrictEqual(
      one.lines.filter((line) => line !== "" && two.lines.includes(line)),
      ["--"]
    )
    for (const { raw } of [one, again, two]) {
      assert.notMatch(raw, /outbound/i)
      // A value that servers can break into lines would come back in pieces.
      for (const line of raw.split("\r\n").filter((given) => given.startsWith(own[0] ?? "?"))) {
        assert.isAtMost(line.length, 78)
      }
    }
  })
)

it.effect("of ten thousand workspaces, hardly any two have the same header", () =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const headers = Array.from({ length: 10_000 }, () => markOf(crypto, randomUUID(), "1").header)
    assert.isAtLeast(new Set(headers).size, 9_990)
  }).pipe(Effect.provide(NodeCrypto.layer(SECRET)))
)
