import { assert, describe, it } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { Human } from "@outbound/examples/loop/Human.js"
import type { StoredMail } from "@outbound/testkit/mail/bed/Maildir.js"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { type MailZone, mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { certifyingProxy } from "./support/CertifyingProxy.js"
import { audit } from "./support/Books.js"
import { call, range, read, send, until } from "./support/Client.js"
import { givenMailboxes } from "./support/GivenMailboxes.js"
import { assertClean, serve } from "./support/Host.js"
import { approve, signedIn } from "./support/Human.js"
import { addMailboxes, ALWAYS, beside, launched, SCOPES } from "./support/OwnMail.js"
import { sharedPlace, temporaryDirectory } from "./support/Place.js"
import { makeTenant, type Tenant } from "./support/Tenant.js"

const PASSWORD = "correct horse battery"
/** Each sends one message at once, and rests: together they show what their domain may send on a day. */
const BOXES = range(20).map((index) => `box${index}@acme.test`)
const OTHER = "hello@bravo.test"
/** Of each mailbox, the first two are at one organisation, and the third is elsewhere. */
const CROWDED = range(40).map((index) => `p${index}@crowded.test`)
const OTHERS = [
  "info@one.test",
  ...range(9).map((index) => `p${index}@one.test`),
  ...range(10).map((index) => `p${index}@two.test`)
]
const READER = "reader@people.test"
const [LINKS, BRAVO_LINKS] = ["links.acme.test", "go.bravo.test"] as const

/** Enough for two looks of a mailbox that has nothing to send. */
const LOOKS_MILLIS = 4_000
/** The story counts what leaves on one day. */
const STORY_MILLIS_MAX = 180_000

/** Everything in which a receiver believes a domain's mail. */
const authenticated = (domain: string): Record<string, MailZone> => ({
  [domain]: { mx: [[10, `mx.${domain}`]], txt: ["v=spf1 ip4:127.0.0.1 -all"] },
  [`_dmarc.${domain}`]: { txt: ["v=DMARC1; p=none"] },
  [`default._domainkey.${domain}`]: { txt: ["v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0B"] }
})

const LINK_HOST = `INSERT INTO link_hosts (workspace_id, host, domain, state, failures, added_by, added_at, proven_at, answered_at,
    checked_at, next_check_at, listed) VALUES ($1, $2, NULL, 'used', 0, 'owner', now(), now(), now(), now(), now() + interval '1 day', '[]')`
const HEALTH = "/console/sending/health"
const ACTIVE = "SELECT count(*) FROM mailboxes WHERE workspace_id = $1 AND state = 'active'"
const SESSIONS_AGE = "UPDATE sessions SET created_at = created_at - interval '6 minutes' WHERE workspace_id = $1"
const ID = "SELECT mailbox_id FROM mailboxes WHERE workspace_id = $1 AND address = $2"
const MAILBOX = "SELECT DISTINCT state || ' ' || coalesce(pause_reason, '') FROM mailboxes WHERE workspace_id = $1"
const CAMPAIGN =
  "SELECT state || ' ' || coalesce(pause_reason, '') FROM campaigns WHERE workspace_id = $1 AND campaign_id = $2"
const SNAPSHOT = `SELECT snapshot->'sending_domains'->'domains'->0->'dmarc'->>'status' FROM approvals WHERE workspace_id = $1`
const SNAPSHOT_LIST = "SELECT snapshot->'list'->>'verified' FROM approvals WHERE workspace_id = $1"
const ALERTS = "SELECT name || ' ' || says FROM alerts WHERE workspace_id = $1 AND kind = 'domain_not_authenticated'"

/** So much time passes for what is known of the domain; the next look is due. */
const LOOK_LATER = `UPDATE domain_looks SET looked_at = looked_at - $2::interval, failing_since = failing_since - $2::interval,
    next_look_at = now() WHERE workspace_id = $1`
const ACTIVE_LONG = "UPDATE mailboxes SET active_at = active_at - interval '4 days' WHERE workspace_id = $1"
const LOOK_NOW = "SELECT work_announce('look', $1 || '/acme.test', 0)"
const LOOKED_AT = "SELECT looked_at FROM domain_looks WHERE workspace_id = $1"

/** A day passes for what was sent, and for what the owner stated. */
const DAY_LATER = [
  "UPDATE campaign_leads SET next_at = next_at - interval '1 day' WHERE workspace_id = $1",
  "UPDATE mailboxes SET rests_until = NULL WHERE workspace_id = $1",
  `UPDATE messages SET claimed_at = claimed_at - interval '1 day', sent_at = sent_at - interval '1 day' WHERE workspace_id = $1`,
  `UPDATE mailboxes SET created_at = created_at - interval '1 day', active_at = active_at - interval '1 day',
     declared_at = declared_at - interval '1 day', declared_since = declared_since - interval '1 day' WHERE workspace_id = $1`
]

/** What mail of any program has, from anybody; and what the server that takes it adds. */
const STANDARD = new Set([
  "list-unsubscribe",
  "list-unsubscribe-post: List-Unsubscribe=One-Click",
  "from",
  "to",
  "subject",
  "message-id",
  "date",
  "mime-version: 1.0",
  "content-type: text/plain; charset=utf-8",
  "content-transfer-encoding: quoted-printable"
])
const OF_THE_SERVER = new Set(["received", "return-path", "delivered-to", "x-original-to"])

const fieldsOf = ({ raw }: StoredMail): ReadonlyArray<readonly [name: string, value: string]> => {
  const [head = ""] = raw.replaceAll("\r", "").split("\n\n", 1)
  return head
    .replaceAll(/\n[ \t]+/g, " ")
    .split("\n")
    .map((line): readonly [string, string] => {
      const at = line.indexOf(":")
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    })
    .filter(([name]) => !OF_THE_SERVER.has(name))
}

const linesOf = ({ raw }: StoredMail): ReadonlyArray<string> =>
  raw
    .replaceAll("\r", "")
    .replaceAll("=\n", "")
    .split(/\n\n(.*)/s)[1]
    ?.split("\n")
    .filter((line) => line !== "") ?? []

/** Headers and lines that stand in both and are not everybody's. */
const sharedBy = (one: StoredMail, two: StoredMail) => {
  const theirs = fieldsOf(two)
  const headers = fieldsOf(one).flatMap(([name, value]) => {
    const there = theirs.filter(([given]) => given === name)
    if (there.length === 0) return []
    const what = there.some(([, given]) => given === value) ? `${name}: ${value}` : name
    return STANDARD.has(what) ? [] : [what]
  })
  const lines = linesOf(two)
  return [...headers, ...linesOf(one).filter((line) => line !== "--" && lines.includes(line))]
}

describe("mail that goes on arriving, over Postfix and Dovecot", () => {
  it.live(
    "lists and domains are known at each step; an organisation takes its share of a day; a failing domain stops and goes on by itself; what loosens is an owner's button; nothing marks the installation",
    () =>
      Effect.gen(function* () {
        yield* until(
          Effect.sync(() => DAY_MILLIS - (Date.now() % DAY_MILLIS)),
          (left) => left > STORY_MILLIS_MAX,
          STORY_MILLIS_MAX / 1_000 + 30
        )
        const users = [...BOXES, OTHER].map((address) => ({ address, password: PASSWORD }))
        const bed = yield* mailBed({ users, recipients: [...CROWDED, ...OTHERS, READER] })
        const zones: Record<string, MailZone> = {
          ...authenticated("acme.test"),
          ...authenticated("bravo.test"),
          ...Object.fromEntries(
            ["crowded.test", "one.test", "two.test", "people.test"].map((name) => [name, { a: ["127.0.0.1"] }])
          )
        }
        const names = yield* mailNameServer(zones)
        const providers = join(yield* temporaryDirectory, "providers.json")
        const prober = {
          resolvers: [names.address],
          helo_name: "probe.acme.test",
          smtp_port: bed.ports.strict,
          allow_private_targets: true,
          host_pace_millis: 0
        }
        writeFileSync(providers, JSON.stringify({ ports: { email_verifier: ["prober"] }, prober }))
        const own = beside(yield* sharedPlace, bed)
        const place = { ...own, environment: { ...own.environment, OUTBOUND_PROVIDERS: providers } }
        const host = yield* serve(place)
        const auditor = yield* audit(place)
        const sender = (postalAddress: string, links: string) =>
          Effect.gen(function* () {
            const tenant = yield* makeTenant(place, { credits: 300, scopes: SCOPES, postalAddress })
            yield* auditor.change(LINK_HOST, tenant.workspaceId, links)
            return tenant
          })
        const [acme, bravo] = yield* Effect.all(
          [
            sender("Acme GmbH, Kirchgasse 7, 8001 Zürich", LINKS),
            sender("Bravo Ltd, 12 Quay Street, Galway", BRAVO_LINKS)
          ],
          { concurrency: 2 }
        )
        yield* addMailboxes(place, bed, bravo, users.slice(-1))
        yield* addMailboxes(place, bed, acme, users.slice(0, 1))
        yield* givenMailboxes(place, bed, acme, users.slice(1, -1))
        assert.strictEqual(yield* auditor.count(ACTIVE, acme.workspaceId), BOXES.length)
        const asked = (verb: string, body: object, key?: string, { apiKey }: Tenant = acme) =>
          Effect.map(call(host, apiKey, verb, body, key), (answer) => {
            assert.strictEqual(answer.status, 200, answer.text)
            return answer.json.result
          })
        const mailboxOf = ({ workspaceId }: Tenant) =>
          Effect.map(auditor.list(MAILBOX, workspaceId), ([state]) => state)
        const health = Effect.map(read(host, acme.apiKey, "/v1/sending/health"), ({ json }) => json.result)

        // An owner states what a mailbox sends elsewhere: the session must be fresh, and then it may send more at once.
        const capOfOther = Effect.map(
          read(host, bravo.apiKey, "/v1/sending/mailboxes"),
          ({ json }) => json.result.mailboxes[0].cap_today as number
        )
        const [mailboxId] = yield* auditor.list(ID, bravo.workspaceId, OTHER)
        const declare = `/console/mailboxes/${mailboxId}/declare`
        const press = (by: Human, page: string, form: string, typed: Readonly<Record<string, string>> = {}) =>
          Effect.promise(() =>
            by.fill(`${host.publicUrl}${page}`, form, typed).then(
              () => "done",
              (error: unknown) => String(error)
            )
          )
        const early = yield* signedIn(place, host, bravo)
        const statement = { sends: "12", since: "2026-01-02" }
        yield* auditor.change(SESSIONS_AGE, bravo.workspaceId)
        assert.notStrictEqual(yield* press(early, declare, declare, statement), "done")
        assert.strictEqual(yield* capOfOther, 5)
        assert.strictEqual(yield* press(yield* signedIn(place, host, bravo), declare, declare, statement), "done")
        assert.strictEqual(yield* capOfOther, 12)

        // The list: one is verified, by asking Postfix; one is a role's. Every step says so.
        const [, verified] = OTHERS
        const verdict = yield* asked("verify_email", { email: verified }, "verify")
        assert.strictEqual(verdict.status, "valid", JSON.stringify(verdict))
        const people = [...CROWDED, ...OTHERS]
        const draft = {
          name: "share",
          recipients: people.map((email) => ({ email })),
          sequence: [{ subject: "About Zürich", body: "Grüezi from Zürich" }],
          schedule: ALWAYS
        }
        const { campaign_id } = yield* asked("create_campaign", draft, "draft")
        const counted = { verified: 1, unverified: 59, valid: 1, role: 1, disposable: 0, free_mail: 0 }
        const dry = yield* asked("launch_campaign", { campaign_id, dry_run: true })
        const listOf = (list: Record<string, unknown>) =>
          Object.fromEntries(Object.keys(counted).map((name) => [name, list[name]]))
        assert.deepStrictEqual(listOf(dry.plan.would.list), counted)
        const campaign = Effect.map(read(host, acme.apiKey, `/v1/campaigns/${campaign_id}`), ({ json }) => json.result)
        assert.deepStrictEqual(listOf((yield* campaign).list), counted)
        const foreseen = yield* read(host, acme.apiKey, `/v1/campaigns/${campaign_id}/forecast`)
        const launch = yield* asked("launch_campaign", { campaign_id }, "ask")
        assert.deepStrictEqual(listOf(launch.preview.list), counted)
        assert.deepStrictEqual(yield* auditor.list(SNAPSHOT_LIST, acme.workspaceId), ["1"])

        // Its approval keeps what was known of the domain; the launch asks the name servers again.
        const snapshot = Effect.map(auditor.list(SNAPSHOT, acme.workspaceId), ([status]) => status)
        assert.strictEqual(yield* snapshot, "pass")
        yield* approve(place, host, acme, launch.approval_url)
        const { "_dmarc.acme.test": dmarc = {} } = zones
        delete zones["_dmarc.acme.test"]
        const passes = (interval: string) => auditor.change(LOOK_LATER, acme.workspaceId, interval)
        yield* passes("2 hours")
        const { confirmation_token } = launch
        const refused = yield* call(
          host,
          acme.apiKey,
          "launch_campaign",
          { campaign_id, confirmation_token },
          "refused"
        )
        assert.strictEqual(refused.status, 400, refused.text)
        assert.strictEqual(refused.json.error.details.reason, "domain_not_authenticated")
        assert.strictEqual((yield* health).domains[0].dmarc.status, "missing")
        assert.strictEqual(yield* snapshot, "pass")
        zones["_dmarc.acme.test"] = dmarc
        yield* passes("2 minutes")
        yield* asked("launch_campaign", { campaign_id, confirmation_token }, "launched")

        // The domain has its day; one organisation takes half of it, and nobody waits behind that.
        const inboxes = (addresses: ReadonlyArray<string>) =>
          Effect.sync(() => addresses.reduce((sum, address) => sum + bed.inbox(address).length, 0))
        const share = Effect.all([inboxes(CROWDED), inboxes(OTHERS)])
        yield* until(share, ([crowded, others]) => crowded + others >= 20, 90)
        yield* Effect.sleep(LOOKS_MILLIS)
        assert.deepStrictEqual(yield* share, [10, 10])

        // Another workspace of the same service writes, too.
        yield* launched(place, host, bravo, "quay", [READER], {
          recipients: [{ email: READER }],
          sequence: [
            { subject: "From the quay", body: "Hello from Galway" },
            { body: "Hello again from Galway", wait_days: 3 }
          ]
        })
        yield* until(inboxes([READER]), (count) => count === 1, 30)
        const mails = [...OTHERS, READER].flatMap((address) => bed.inbox(address))
        const [first, second, ...rest] = mails
        const last = rest.at(-1)
        if (first === undefined || second === undefined || last === undefined) throw new Error("mail is missing")
        assert.deepStrictEqual(sharedBy(first, last), [])
        assert.isAtLeast(sharedBy(first, second).length, 3)
        for (const { raw } of mails) assert.notMatch(raw, /outbound/i)

        // A proxy gets certificates for names that links lead to, and for no others.
        const through = yield* certifyingProxy(host.port)
        const link = new URL(/<(https:[^<>]+)>/.exec(first.header("list-unsubscribe"))?.[1] ?? "")
        assert.strictEqual(link.host, LINKS)
        assert.strictEqual(yield* through.status(LINKS, link.pathname), 200)
        assert.strictEqual(yield* through.status(LINKS, "/link-hosts/ask?domain=links.acme.test"), 404)
        assert.isNull(yield* through.status("links.stranger.test", link.pathname))
        assert.deepStrictEqual(through.certified(), [LINKS])

        // The domain fails while it sends: owners are alerted an hour later, and silence is no failure, however long.
        const lookedAt = Effect.map(auditor.list(LOOKED_AT, acme.workspaceId), ([at]) => at)
        const looked = (interval: string) =>
          Effect.gen(function* () {
            yield* passes(interval)
            const before = yield* lookedAt
            yield* auditor.change(LOOK_NOW, acme.workspaceId)
            yield* until(lookedAt, (at) => at !== before, 60)
          })
        delete zones["_dmarc.acme.test"]
        yield* looked("1 minute")
        yield* looked("2 hours")
        zones["_dmarc.acme.test"] = { silent: true }
        yield* auditor.change(ACTIVE_LONG, acme.workspaceId)
        yield* looked("73 hours")
        assert.strictEqual(yield* mailboxOf(acme), "active ")
        yield* until(auditor.list(ALERTS, acme.workspaceId), (found) => found.join() === "acme.test DMARC", 90)
        delete zones["_dmarc.acme.test"]
        yield* looked("1 minute")
        assert.strictEqual(yield* mailboxOf(acme), "paused authentication")
        const states = auditor.list(CAMPAIGN, acme.workspaceId, campaign_id)
        assert.deepStrictEqual(yield* states, ["paused capacity"])

        // A day later, on another host, it is still so. Once the record is good again both go on by themselves, with what that
        // day leaves to the organisation.
        host.signal("SIGTERM")
        assert.strictEqual(yield* host.ended, 0)
        for (const { workspaceId } of [acme, bravo]) {
          for (const statement of DAY_LATER) yield* auditor.change(statement, workspaceId)
        }
        const next = yield* serve(place)
        yield* looked("1 minute")
        assert.strictEqual(yield* mailboxOf(acme), "paused authentication")
        assert.deepStrictEqual(yield* share, [10, 10])
        zones["_dmarc.acme.test"] = dmarc
        yield* looked("1 minute")
        assert.strictEqual(yield* mailboxOf(acme), "active ")
        yield* until(states, ([state]) => state === "active ", 30)
        yield* until(share, ([crowded]) => crowded >= 22, 90)
        yield* Effect.sleep(LOOKS_MILLIS)
        const [crowded, others] = yield* share
        assert.strictEqual(crowded, 22)
        assert.isAtMost(crowded + others, 20 + 24)
        const days = foreseen.json.result.days as ReadonlyArray<{ readonly date: string; readonly messages: number }>
        const today = days.filter(({ date }) => date === days[0]?.date)
        assert.strictEqual(
          today.reduce((sum, { messages }) => sum + messages, 0),
          20
        )

        // Advice that loosens is no call, but a button on the page of health, for an owner who just signed in.
        yield* auditor.change(
          "UPDATE mailboxes SET state = 'paused', pause_reason = 'bounces' WHERE workspace_id = $1",
          bravo.workspaceId
        )
        yield* auditor.change(
          "UPDATE campaign_leads SET next_at = now() - interval '1 minute' WHERE workspace_id = $1 AND next_at IS NOT NULL",
          bravo.workspaceId
        )
        const theirs = yield* read(next, bravo.apiKey, "/v1/sending/health")
        const [advice] = theirs.json.result.advice
        assert.deepInclude(advice, { code: "resume_mailbox", subject: OTHER, by: "owner" })
        const [theirMailbox] = yield* auditor.list(ID, bravo.workspaceId, OTHER)
        const resume = `/console/mailboxes/${theirMailbox}/resume`
        const authorization = `Bearer ${bravo.apiKey}`
        const byKey = yield* send(next, { method: "POST", path: resume, headers: { authorization } })
        assert.notStrictEqual(byKey.status, 200)
        const stale = yield* signedIn(place, next, bravo)
        yield* auditor.change(SESSIONS_AGE, bravo.workspaceId)
        assert.notStrictEqual(yield* press(stale, HEALTH, resume), "done")
        yield* Effect.sleep(LOOKS_MILLIS)
        assert.strictEqual(yield* mailboxOf(bravo), "paused bounces")
        assert.lengthOf(bed.inbox(READER), 1)
        assert.strictEqual(yield* press(yield* signedIn(place, next, bravo), HEALTH, resume), "done")
        yield* until(inboxes([READER]), (count) => count === 2, 60)
        yield* assertClean(place)
        next.signal("SIGTERM")
        assert.strictEqual(yield* next.ended, 0)
      }),
    300_000
  )
})
