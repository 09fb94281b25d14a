import { assert, describe, it } from "@effect/vitest"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { isRole } from "@outbound/domain/kernel/people/roles.js"
import { isDisposable } from "../../../src/platform/DisposableList.js"
import { scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, against, only, proberOf, TARGET } from "./support.js"

const zoneRow = (name: string, zones: Readonly<Record<string, MailZone>>, status: EmailStatus, because: string) => ({
  name,
  zones,
  status,
  because
})

describe("of a domain", () => {
  const mx = { a: ["127.0.0.1"] }
  it.live.each([
    zoneRow("that does not exist", {}, "invalid", "no_such_domain"),
    zoneRow("that takes no mail", { "acme.test": { mx: [[0, ""]] } }, "invalid", "takes_no_mail"),
    zoneRow("of which the name server fails", { "acme.test": { rcode: 2 } }, "unknown", "unresolved"),
    zoneRow("of which the name server says nothing", { "acme.test": { silent: true } }, "unknown", "unresolved"),
    zoneRow("without any host", { "acme.test": {} }, "unknown", "no_mail_host"),
    zoneRow("with an address for a host name", { "acme.test": { mx: [[10, "127.0.0.1"]] } }, "unknown", "no_mail_host"),
    zoneRow("whose host has no address", { "acme.test": { mx: [[10, "mx.acme.test"]] } }, "unknown", "unresolved"),
    zoneRow("of which MX is denied", { "acme.test": { a: ["127.0.0.1"], deniesMx: true } }, "valid", "accepted"),
    zoneRow("that is its own host", { "acme.test": { a: ["127.0.0.1"] } }, "valid", "accepted"),
    zoneRow(
      "whose host is another name of one",
      { "acme.test": { mx: [[10, "mx.acme.test"]] }, "mx.acme.test": { cname: "a.mail.test" }, "a.mail.test": mx },
      "valid",
      "accepted"
    ),
    zoneRow(
      "with a null MX among others",
      {
        "acme.test": {
          mx: [
            [0, ""],
            [10, "mx.acme.test"]
          ]
        },
        "mx.acme.test": mx
      },
      "valid",
      "accepted"
    )
  ])("$name", ({ because, status, zones }) =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only(TARGET) })
      const { evidence, verify } = yield* proberOf(zones, { smtpPort: server.port })
      assert.deepStrictEqual([(yield* verify(TARGET)).status, evidence[0]?.["because"]], [status, because])
    })
  )

  it.live("whose host leads inside, nothing is asked, by whichever form", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only(TARGET) })
      for (const host of [
        { a: ["127.0.0.1"] },
        { a: ["1.1.1.1", "127.0.0.1"] },
        { a: ["1.1.1.1"], aaaa: ["0:0:0:0:0:0:0:1"] },
        { a: ["169.254.169.254"] },
        { aaaa: ["0:0:0:0:0:ffff:7f00:1"] },
        { aaaa: ["fd00:0:0:0:0:0:0:1"] },
        { aaaa: ["64:ff9b:0:0:0:0:7f00:1"] },
        { aaaa: ["2002:7f00:1:0:0:0:0:1"] },
        { cname: "inside.test" }
      ]) {
        const inside = { "inside.test": { a: ["10.0.0.1"] } }
        for (const zones of [
          { ...ACME, ...inside, "mx.acme.test": host },
          { ...inside, "acme.test": host }
        ]) {
          const { evidence, verify } = yield* proberOf(zones, { smtpPort: server.port, allowPrivateTargets: false })
          const said = [(yield* verify(TARGET)).status, evidence[0]?.["because"]]
          assert.deepStrictEqual(said, ["unknown", "not_public"], JSON.stringify(zones))
        }
      }
      assert.strictEqual(server.connections(), 0)
    })
  )

  it.live("the next host is asked where the first can't be reached or does not greet", () =>
    Effect.gen(function* () {
      const first = yield* scriptedSmtp(
        { greeting: { do: "last", text: "421 4.3.2 Not now" } },
        { address: "127.0.0.2" }
      )
      const second = yield* scriptedSmtp({ rcpt: only(TARGET) }, { address: "127.0.0.3", port: first.port })
      const zones: Readonly<Record<string, MailZone>> = {
        "acme.test": {
          mx: [
            [30, "c.acme.test"],
            [10, "a.acme.test"],
            [20, "b.acme.test"]
          ]
        },
        "a.acme.test": { a: ["127.0.0.4"] },
        "b.acme.test": { a: ["127.0.0.2"] },
        "c.acme.test": { a: ["127.0.0.3"] }
      }
      const { verify } = yield* proberOf(zones, { smtpPort: first.port })
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.deepStrictEqual([first.connections(), second.connections()], [1, 1])
    })
  )
})

it.live("what is known without asking is not asked: impossible, disposable", () =>
  Effect.gen(function* () {
    const { evidence, names, verify } = yield* proberOf({}, {})
    for (const email of [
      "no-at-sign",
      "two..dots@acme.test",
      `${"x".repeat(65)}@acme.test`,
      "jo@127.0.0.1",
      "jo@acme",
      "jo@mailinator.com",
      "jo@eu.mailinator.com"
    ]) {
      assert.strictEqual((yield* verify(email)).status, "invalid", email)
    }
    assert.strictEqual(names.questions(), 0)
    assert.deepStrictEqual(
      new Set(evidence.map(({ because }) => because)),
      new Set(["impossible_address", "disposable_domain"])
    )
    assert.isFalse(isDisposable("gmail.com"))
    assert.isTrue(isRole("info") && isRole("sales+eu") && !isRole("jo.salesman"))
  })
)

it.live("the mailbox of a function is risky though it exists, and invalid where it does not", () =>
  Effect.gen(function* () {
    const { verify } = yield* against({ rcpt: only("info@acme.test") })
    assert.strictEqual((yield* verify("info@acme.test")).status, "risky")
    assert.strictEqual((yield* verify("sales@acme.test")).status, "invalid")
  })
)

it.live("addresses beyond ASCII are asked of servers that know them, and of no other", () =>
  Effect.gen(function* () {
    const email = "zoë@acme.test"
    const knowing = yield* against({ rcpt: only(email), features: ["SMTPUTF8"] })
    assert.strictEqual((yield* knowing.verify(email)).status, "valid")
    const international = yield* proberOf(
      { "xn--bcher-kva.test": { a: ["127.0.0.1"] } },
      { smtpPort: (yield* scriptedSmtp({ rcpt: only("jo@xn--bcher-kva.test") })).port }
    )
    assert.strictEqual((yield* international.verify("Jo@Bücher.test")).status, "valid")
    assert.include(
      knowing.server.heard().map(({ command }) => command),
      "MAIL FROM:<> SMTPUTF8"
    )
    const other = yield* against({ rcpt: only(email) })
    assert.strictEqual((yield* other.verify(email)).status, "unknown")
    assert.notInclude(
      other.server.heard().map(({ command }) => command),
      `RCPT TO:<${email}>`
    )
  })
)
