import { assert, describe, it } from "@effect/vitest"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { Effect } from "effect"
import { request } from "node:http"
import { audit } from "./support/Books.js"
import { call, read, until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import { signedIn } from "./support/Human.js"
import { addMailboxes, beside, growUp, launched, laterThisWeek, liveTenant } from "./support/OwnMail.js"
import { embeddedPlace } from "./support/Place.js"

const PASSWORD = "correct horse battery"
const [SALES, JUNKING] = ["sales@acme.test", "kim@zeta.test"] as const
const PEOPLE = ["one@people.test", "two@people.test", "three@people.test"]
const [AT_ZETA, ALSO_AT_ZETA] = ["buyer@zeta.test", "other.buyer@zeta.test"] as const
const LINKS = "links.acme.test"
const PAGE = "/console/settings/canaries"

const CANARY = "SELECT state FROM canaries WHERE workspace_id = $1 AND domain = 'acme.test' ORDER BY planned_at"
/** Time goes on for what waits: the next look is due, and what was found was found long ago. */
const DUE = "UPDATE canaries SET next_at = now() WHERE workspace_id = $1 AND next_at IS NOT NULL"
const LONG_AGO =
  "UPDATE canaries SET looked_at = looked_at - interval '5 hours' WHERE workspace_id = $1 AND state = 'junk'"
const UNVERIFIED_MAX = "UPDATE workspace_rules SET unverified_max_percent = $2 WHERE workspace_id = $1"
const YESTERDAY = `UPDATE canaries SET day = day - 1, planned_at = planned_at - interval '1 day', looked_at = looked_at - interval '1 day'
    WHERE workspace_id = $1 AND state = 'junk'`
const LINK_HOST = `INSERT INTO link_hosts (workspace_id, host, domain, state, failures, added_by, added_at, proven_at, answered_at,
    checked_at, next_check_at, listed) VALUES ($1, $2, NULL, 'used', 0, 'owner', now(), now(), now(), now(), now() + interval '1 day', '[]')`

/** What a host answers under a name. */
const statusOf = (port: number, name: string, path: string) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port, path, headers: { host: name }, agent: false }, (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
        asked.on("error", reject).end()
      })
  )

/** Yahoo's report about a message, with the recipient taken out, as it comes to the mailbox that was enrolled. */
const complaintAbout = (raw: string, person: string): ReadonlyArray<string> => [
  "From: Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.yahoo.com>",
  `To: <${SALES}>`,
  "Subject: FW:Hello",
  "Message-ID: <report-1@arf.mail.yahoo.com>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/report; report-type=feedback-report; boundary="part"',
  "",
  "--part",
  "Content-Type: text/plain",
  "",
  "This is an email abuse report.",
  "--part",
  "Content-Type: message/feedback-report",
  "",
  "Feedback-Type: abuse",
  "User-Agent: Yahoo!-Mail-Feedback/2.0",
  "Version: 0.1",
  "",
  "--part",
  "Content-Type: message/rfc822",
  "",
  ...raw.replaceAll(person, "redacted").replaceAll("\r", "").split("\n"),
  "--part--"
]

describe("mail that arrives, over Postfix and Dovecot", () => {
  it.live(
    "an unproven domain and an unverified list launch nothing; links lead to the sender's host; canaries find junk and rest the domain there; a complaint suppresses",
    () =>
      Effect.gen(function* () {
        const users = [SALES, JUNKING].map((address) => ({ address, password: PASSWORD }))
        const bed = yield* mailBed({
          users,
          recipients: [...PEOPLE, AT_ZETA, ALSO_AT_ZETA],
          junking: [JUNKING],
          results: `mx.zeta.test; dkim=none; spf=fail; dmarc=fail`
        })
        const place = beside(yield* embeddedPlace, bed)
        const host = yield* serve(place)
        const auditor = yield* audit(place)
        const tenant = yield* liveTenant(place)
        const { apiKey, workspaceId } = tenant
        yield* addMailboxes(place, bed, tenant, users)
        const health = Effect.map(read(host, apiKey, "/v1/sending/health"), ({ json }) => json.result)
        const receiverAt = (organisation: string) =>
          Effect.map(health, ({ domains }) =>
            domains
              .find(({ domain }: { readonly domain: string }) => domain === "acme.test")
              ?.receivers.find((one: { readonly organisation: string }) => one.organisation === organisation)
          )

        // The gate: nothing proves the domain, so nothing is launched. A new mailbox starts small.
        const draft = { name: "gate", recipients: [{ email: PEOPLE[0] }], sequence: [{ subject: "Hi", body: "Hi" }] }
        const drafted = yield* call(host, apiKey, "create_campaign", draft, "gate")
        const body = { campaign_id: drafted.json.result.campaign_id as string }
        const refused = yield* call(host, apiKey, "launch_campaign", body, "gate launch")
        assert.strictEqual(refused.status, 400, refused.text)
        assert.strictEqual(refused.json.error.details.reason, "domain_not_authenticated")
        const [small] = (yield* health).mailboxes
        assert.deepInclude(small, { cap_today: 5 })
        assert.include(small.state_reasons, "ramping")
        yield* growUp(auditor, tenant)

        // The list gate: nobody whom nothing verified, and the mend is said.
        yield* auditor.change(UNVERIFIED_MAX, workspaceId, 0)
        const unverified = yield* call(host, apiKey, "launch_campaign", body, "list launch")
        assert.strictEqual(unverified.status, 400, unverified.text)
        assert.deepInclude(unverified.json.error.details, { reason: "list_not_verified", unverified: 1, of: 1 })
        assert.include(unverified.json.error.message, `verify_emails {"emails":["${PEOPLE[0]}"]}`)
        yield* auditor.change(UNVERIFIED_MAX, workspaceId, null)
        yield* auditor.change(LINK_HOST, workspaceId, LINKS)

        // Canaries: in junk once or twice is to be watched, three times rests the domain there.
        yield* launched(place, host, tenant, "text", [AT_ZETA], { schedule: laterThisWeek() })
        const owner = yield* signedIn(place, host, tenant)
        const press = (button: "on" | "off") =>
          Effect.promise(() => owner.fill(`${host.publicUrl}${PAGE}`, `${PAGE}/${button}`, {}))
        const canaries = auditor.list(CANARY, workspaceId)
        const untilNow = (states: ReadonlyArray<string>) =>
          until(canaries, (found) => found.join() === states.join(), 30)
        /** The job looks at once. */
        const wake = Effect.andThen(press("off"), press("on"))
        assert.isEmpty(yield* canaries)
        yield* press("on")
        yield* untilNow(["sent"])
        const inJunk = () => bed.junk(JUNKING).filter((mail) => mail.header("list-unsubscribe") !== "")
        yield* until(
          Effect.sync(() => inJunk().length),
          (count) => count === 1,
          30
        )
        const [lying] = inJunk()
        assert.include(lying?.header("list-unsubscribe") ?? "", `https://${LINKS}/u/`)
        yield* auditor.change(DUE, workspaceId)
        yield* wake
        yield* untilNow(["junk"])
        // It is gone from junk, unread, and a copy stays among the sent mail.
        yield* until(
          Effect.sync(() => inJunk().length),
          (count) => count === 0,
          30
        )
        yield* until(
          Effect.sync(() => bed.sent(SALES).length),
          (count) => count > 0,
          30
        )
        const watched = yield* receiverAt("zeta.test")
        assert.deepInclude(watched, { sent: 0, replied: 0, state: "watch", resting_until: null })
        assert.deepInclude(watched.placement, { inbox: 0, junk: 1, missing: 0 })
        assert.include(watched.evidence[0].says, "the newest failed SPF, DMARC there")
        yield* auditor.change(LONG_AGO, workspaceId)
        yield* wake
        yield* untilNow(["junk", "sent"])
        yield* auditor.change(DUE, workspaceId)
        yield* wake
        yield* untilNow(["junk", "junk"])
        assert.deepInclude(yield* receiverAt("zeta.test"), { state: "watch", resting_until: null })
        yield* auditor.change(YESTERDAY, workspaceId)
        yield* wake
        yield* untilNow(["junk", "junk", "sent"])
        yield* auditor.change(DUE, workspaceId)
        yield* wake
        yield* untilNow(["junk", "junk", "junk"])
        const bad = yield* receiverAt("zeta.test")
        assert.deepInclude(bad, { state: "bad" })
        assert.isAbove(Date.parse(bad.resting_until), Date.now())
        const answers = yield* call(host, apiKey, "get_replies", { limit: 10 })
        assert.isEmpty(answers.json.result.replies)
        yield* press("off")

        // Towards the provider that rests nothing leaves; to others it does, with links of the sender's own host.
        yield* auditor.change(
          "UPDATE mailboxes SET state = 'paused', pause_reason = 'owner' WHERE workspace_id = $1 AND address = $2",
          workspaceId,
          JUNKING
        )
        yield* launched(place, host, tenant, "all", [ALSO_AT_ZETA, ...PEOPLE])
        yield* until(
          Effect.sync(() => PEOPLE.map((person) => bed.inbox(person).length)),
          (counts) => counts.every((count) => count === 1),
          60
        )
        assert.lengthOf(bed.inbox(ALSO_AT_ZETA), 0)
        const [first = ""] = PEOPLE
        const [mail] = bed.inbox(first)
        const link = new URL(/<(https:[^<>]+)>/.exec(mail?.header("list-unsubscribe") ?? "")?.[1] ?? "")
        assert.strictEqual(link.host, LINKS)
        assert.strictEqual(yield* statusOf(host.port, LINKS, link.pathname), 200)
        assert.strictEqual(yield* statusOf(host.port, LINKS, "/console/sign-in"), 404)

        // A complaint by a feedback loop, without the address of who complained.
        yield* Effect.promise(() =>
          bed.post({ from: "feedback@arf.mail.yahoo.com", to: SALES, lines: complaintAbout(mail?.raw ?? "", first) })
        )
        yield* until(
          auditor.list("SELECT source FROM suppressions WHERE workspace_id = $1", workspaceId),
          (sources) => sources.join() === "complaint",
          60
        )
        assert.deepInclude(yield* receiverAt("people.test"), { sent: 3, complained: 1 })
        yield* assertClean(place)
        host.signal("SIGTERM")
        assert.strictEqual(yield* host.ended, 0)
      }),
    300_000
  )
})
