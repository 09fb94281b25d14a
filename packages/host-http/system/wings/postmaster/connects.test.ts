import { assert, describe, it } from "@effect/vitest"
import { Human } from "@outbound/examples/loop/Human.js"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { Effect } from "effect"
import { audit } from "../../support/Books.js"
import { call, read, until } from "../../support/Client.js"
import { assertClean, operate, serve } from "../../support/Host.js"
import { mailProviders } from "./MailProviders.js"
import { answer, beside, growUp, launched, liveTenant } from "../../support/OwnMail.js"
import { sharedPlace } from "../../support/Place.js"

const PASSWORD = "correct horse battery"
const MAILBOXES = { google: "ann@acme.test", microsoft: "bob@acme.test" } as const
const PROVIDERS = ["google", "microsoft"] as const
const PEOPLE = ["one@people.test", "two@people.test"]

const CONNECT = "/console/mailboxes/connect"
const POSTMASTER = "/console/settings/postmaster"
const STORED = "SELECT address FROM mailboxes WHERE workspace_id = $1 AND state = 'active' ORDER BY address"
const NEXT_READING =
  "SELECT next_at > now() + interval '20 hours' FROM postmaster_connections WHERE workspace_id = $1 AND read_at IS NOT NULL"

describe("mailboxes of Google and Microsoft, over their protocols, Postfix and Dovecot", () => {
  it.live(
    "a consent connects a mailbox, which signs in, sends and is read with its tokens; Google's rates are read with another consent",
    () =>
      Effect.gen(function* () {
        const providers = yield* mailProviders
        const { consent, google } = providers
        const users = Object.values(MAILBOXES).map((address) => ({ address, password: PASSWORD }))
        const { identity } = providers
        const bed = yield* mailBed({ users, recipients: PEOPLE, tokenInfoUrl: consent.tokenInfoUrl, identity })
        const own = beside(yield* sharedPlace, bed)
        const place = { ...own, environment: { ...own.environment, ...providers.environment(bed) } }
        const host = yield* serve(place)
        const auditor = yield* audit(place)
        const tenant = yield* liveTenant(place)
        const { apiKey, workspaceId } = tenant
        const { url } = yield* operate(place, "sign-in-link", "--email", tenant.ownerEmail)
        const { publicUrl } = host
        const owner = new Human({ publicUrl, reachedAt: host.baseUrl, elsewhere: providers.elsewhere })
        yield* Effect.promise(() => owner.signIn(String(url)))
        const press = (page: string, form: string, typed: Readonly<Record<string, string>>) =>
          Effect.promise(() =>
            owner.fill(`${publicUrl}${page}`, form, typed).then(
              () => "done",
              (error: unknown) => String(error)
            )
          )
        const connect = (provider: (typeof PROVIDERS)[number]) =>
          press(CONNECT, CONNECT, { provider, address: MAILBOXES[provider], name: "Jo Doe" })

        // A consent that is not given, or not for all that is needed, stores nothing.
        for (const mood of ["denied", "fewer_scopes"] as const) {
          consent.be(mood)
          assert.notStrictEqual(yield* connect("google"), "done")
        }
        assert.isEmpty(yield* auditor.list(STORED, workspaceId))
        consent.be("well")
        for (const provider of PROVIDERS) assert.strictEqual(yield* connect(provider), "done")
        assert.deepStrictEqual(yield* auditor.list(STORED, workspaceId), Object.values(MAILBOXES))

        // Both send, with tokens alone; an answer is read.
        yield* growUp(auditor, tenant)
        yield* launched(place, host, tenant, "tokens", PEOPLE)
        yield* until(
          Effect.sync(() => PEOPLE.map((person) => bed.inbox(person).length)),
          (counts) => counts.every((count) => count === 1),
          60
        )
        const [first = ""] = PEOPLE
        yield* answer(bed, first, ["Yes, I am interested. Please send me some times for a call."])
        const replies = Effect.map(call(host, apiKey, "get_replies", { limit: 10 }), ({ json }) => json.result.replies)
        const [reply] = yield* until(replies, ({ length }) => length > 0, 60)
        assert.deepInclude(reply, { from_email: first, classification: "interested" })
        const { imap, smtp } = bed.logs()
        for (const address of Object.values(MAILBOXES)) {
          assert.match(smtp, new RegExp(`sasl_method=(?:XOAUTH2|OAUTHBEARER), sasl_username=${address}`))
          assert.match(imap, new RegExp(`Login: user=<${address}>, method=(?:XOAUTH2|OAUTHBEARER)`))
        }
        assert.notMatch(`${smtp}${imap}`, /method=(?:PLAIN|LOGIN)/i)

        // Google's tools are read with a consent of their own, once a day.
        const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
        google.domains.set("acme.test", {
          requirements: { SPF: "COMPLIANT", DMARC_POLICY: "NEEDS_WORK" },
          rates: { [day]: { spamRate: 0.004, rejectRate: 0, tempFailRate: 0 } }
        })
        assert.strictEqual(yield* press(POSTMASTER, `${POSTMASTER}/connect`, {}), "done")
        const readings = Effect.map(read(host, apiKey, "/v1/sending/health"), ({ json }) =>
          json.result.domains.flatMap(({ receivers }: { readonly receivers: ReadonlyArray<Receiver> }) =>
            receivers.flatMap(({ evidence }) => evidence)
          )
        )
        const [reading] = yield* until(readings, ({ length }) => length > 0, 60)
        assert.include(reading.says, "0.4")
        assert.isNotNaN(Date.parse(reading.at))
        assert.deepStrictEqual(google.wrong(), [])
        assert.deepStrictEqual(yield* auditor.list(NEXT_READING, workspaceId), ["true"])
        yield* assertClean(place)
        host.signal("SIGTERM")
        assert.strictEqual(yield* host.ended, 0)
      }),
    300_000
  )
})

interface Receiver {
  readonly evidence: ReadonlyArray<{ readonly by: string; readonly says: string; readonly at: string }>
}
