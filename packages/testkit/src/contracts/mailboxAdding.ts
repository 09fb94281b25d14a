import { assert } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { openAccount, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Option, Redacted } from "effect"
import { ScriptedProbe } from "../mail/ScriptedProbe.js"
import { freshId, givenWorkspace } from "./fixtures.js"
import { add, connection, issuesOf, trailOf, SECRET, type MailboxAdminIt } from "./mailboxAdminSupport.js"

/** What becomes of a mailbox that somebody puts in: it is stored where it works, and nowhere else. */
export const addingTests = (it: MailboxAdminIt): void => {
  it.effect("a mailbox that works is stored, active, and its secret is sealed for it alone", () =>
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const owns = yield* OwnMailboxStore
      const sending = yield* SendingStore
      yield* (yield* ScriptedProbe).finds({ sentFolder: "Gesendet", keepsSent: false })
      const { workspaceId } = yield* givenWorkspace({ kind: "live" })
      const report = yield* add(workspaceId)
      assert.deepInclude(report.mailbox, {
        address: "jo@acme.test",
        displayName: "Jo Doe",
        state: "active",
        pauseReason: null,
        sentFolder: "Gesendet",
        keepsSent: false
      })
      const [active] = yield* sending.activeMailboxes(workspaceId)
      assert.deepInclude(active, { kind: "own", operationId: null, domain: "acme.test", upkeepPaidUntilMillis: null })
      const stored = Option.getOrThrow(yield* owns.get(workspaceId, report.mailbox!.mailboxId))
      assert.notInclude(JSON.stringify(stored), SECRET)
      assert.strictEqual(Redacted.value(openAccount(crypto, stored)!.secret), SECRET)
      const moved = { ...stored, own: { ...stored.own, mailboxId: freshId() } }
      assert.isNull(openAccount(crypto, moved))
      assert.notInclude(JSON.stringify(report), SECRET)
      assert.deepStrictEqual(yield* trailOf(workspaceId), [["mailbox_active", "console", null]])
    })
  )

  it.effect(
    "what trying it out used up of a secret is not what is stored, and tokens are asked for outside alone",
    () =>
      Effect.gen(function* () {
        const crypto = yield* Crypto
        const owns = yield* OwnMailboxStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const grant = (refreshToken: string, tokenUrl = "https://id.acme.test/token") =>
          grantSecret({
            tokenUrl,
            clientId: "client",
            clientSecret: null,
            refreshToken: Redacted.make(refreshToken),
            scope: null
          })
        const admin = yield* MailboxAdmin
        yield* (yield* ScriptedProbe).finds({ secret: grant("second") })
        const report = yield* add(workspaceId, { auth: "oauth", secret: grant("first") })
        assert.notProperty(report.probe, "secret")
        const stored = Option.getOrThrow(yield* owns.get(workspaceId, report.mailbox!.mailboxId))
        assert.strictEqual(stored.own.auth, "oauth")
        assert.strictEqual(Redacted.value(openAccount(crypto, stored)!.secret), Redacted.value(grant("second")))
        for (const [secret, path] of [
          [Redacted.make("a token and no grant"), "secret"],
          [grant(""), "refresh-token"],
          [grant("first", "http://id.acme.test/token"), "token-url"],
          [grant("first", "https://jo:pass@id.acme.test/token"), "token-url"],
          [grant("first", "https://169.254.169.254/token"), "token-url"],
          [grant("first", "https://2130706433/token"), "token-url"],
          [grant("first", "http://localhost:8080/token"), "token-url"]
        ] as const) {
          assert.deepStrictEqual(
            yield* issuesOf(admin.add(workspaceId, connection({ auth: "oauth", secret }), "console")),
            [path]
          )
        }
        yield* (yield* ScriptedProbe).finds({})
      })
  )

  it.effect("where signing in, sending or reading fails nothing is stored, and everything that is wrong is said", () =>
    Effect.gen(function* () {
      const owns = yield* OwnMailboxStore
      const probe = yield* ScriptedProbe
      const { workspaceId } = yield* givenWorkspace({ kind: "live" })
      const failed = (says: string) => ({ state: "failed", says }) as const
      yield* probe.publish({ "acme.test": ["v=spf1 -all"] })
      for (const [report, first] of [
        [{ smtpLogin: failed("No SMTP."), imapLogin: failed("No IMAP.") }, ["No SMTP.", "No IMAP."]],
        [{ send: failed("Not sent.") }, ["Not sent."]],
        [{ read: failed("Not found.") }, ["Not found."]]
      ] as const) {
        yield* probe.finds(report)
        const { advice, mailbox } = yield* add(workspaceId)
        assert.isNull(mailbox)
        assert.deepStrictEqual(advice.slice(0, first.length), [...first])
        assert.match(advice.join(" "), /no DMARC record/)
        assert.notMatch(advice.join(" "), /SPF/)
      }
      // Right after what a server said stands how to mend it, where we know.
      const says = "The SMTP server refuses: 534-5.7.9 Application-specific password required"
      yield* probe.finds({ smtpLogin: failed(says) })
      const { advice } = yield* add(workspaceId)
      assert.strictEqual(advice[0], says)
      assert.match(advice[1] ?? "", /create an app password/)
      yield* probe.publish({})
      assert.isEmpty(yield* owns.list(workspaceId))
      assert.isEmpty(yield* trailOf(workspaceId))
    })
  )

  it.effect("what is missing in DNS is said, and keeps no mailbox out", () =>
    Effect.gen(function* () {
      const probe = yield* ScriptedProbe
      yield* probe.finds({ dkimSelectors: ["s2026"], isJunk: true })
      yield* probe.publish({ "s2026._domainkey.acme.test": ["v=DKIM1; p=AAAA"] })
      const { workspaceId } = yield* givenWorkspace({ kind: "live" })
      const { advice, mailbox, vitals } = yield* add(workspaceId)
      yield* probe.publish({})
      assert.isNotNull(mailbox)
      assert.deepStrictEqual(
        vitals.map(({ name, state }) => [name, state]),
        [
          ["mx", "good"],
          ["spf", "missing"],
          ["dkim", "good"],
          ["dmarc", "missing"]
        ]
      )
      assert.match(advice[0] ?? "", /junk/)
    })
  )

  it.effect("a sandbox workspace gets none: it is told so, and nothing is tried", () =>
    Effect.gen(function* () {
      const admin = yield* MailboxAdmin
      const probe = yield* ScriptedProbe
      const before = (yield* probe.probed).length
      const { workspaceId } = yield* givenWorkspace({ kind: "sandbox" })
      assert.deepStrictEqual(yield* issuesOf(Effect.provideService(add(workspaceId), MailboxAdmin, admin)), [
        "workspace"
      ])
      assert.deepStrictEqual(yield* issuesOf(admin.list(workspaceId)), ["workspace"])
      assert.deepStrictEqual(yield* issuesOf(admin.add(freshId(), connection(), "system")), ["not_found"])
      assert.lengthOf(yield* probe.probed, before)
    })
  )

  it.effect(
    "every mistake in it is named at once, and nothing is tried, nor at doors of the service's own network",
    () =>
      Effect.gen(function* () {
        const admin = yield* MailboxAdmin
        const probe = yield* ScriptedProbe
        const before = (yield* probe.probed).length
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const wrong = connection({
          address: "jo",
          displayName: "Jo\r\nBcc: x@y.test",
          smtp: { host: "smtp.acme.test", port: 25, security: "none" },
          imap: { host: "a b", port: 0, security: "tls" },
          username: " ",
          secret: Redacted.make("a\nb"),
          dkimSelectors: ["a b"]
        })
        assert.deepStrictEqual(
          [...new Set(yield* issuesOf(admin.add(workspaceId, wrong, "console")))],
          ["address", "name", "smtp", "imap", "username", "secret", "dkim-selector"]
        )
        assert.lengthOf(yield* probe.probed, before)
        yield* probe.finds({})
        const local = connection({
          smtp: { host: "127.0.0.1", port: 2525, security: "none" },
          imap: { host: "10.1.2.3", port: 993, security: "tls" }
        })
        assert.deepStrictEqual(yield* issuesOf(admin.add(workspaceId, local, "console")), ["smtp", "imap"])
        // Whatever a resolver takes for an address, or looks up in the network that the service runs in.
        for (const host of [
          "2130706433",
          "0x7f.1",
          "0",
          "0:0:0:0:0:0:0:1",
          "::127.0.0.1",
          "64:ff9b::7f00:1",
          "postgres",
          "kubernetes.default.svc"
        ]) {
          const inside = connection({ smtp: { host, port: 587, security: "starttls" } })
          assert.deepStrictEqual(yield* issuesOf(admin.add(workspaceId, inside, "console")), ["smtp"], host)
        }
        assert.isNotNull((yield* admin.add(workspaceId, local, "system")).mailbox)
      })
  )
}
