import { assert, describe, it } from "@effect/vitest"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { Effect } from "effect"
import { audit } from "./support/Books.js"
import { call, read, until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import {
  addMailboxes,
  answer,
  beside,
  countsOf,
  growUp,
  laterThisWeek,
  launched,
  liveTenant,
  peopleOf,
  salesUsers,
  setCap
} from "./support/OwnMail.js"
import { embeddedPlace } from "./support/Place.js"

const MAILBOXES = 3
const PEOPLE = peopleOf("person", 105)
const LATER = peopleOf("later", 3)
const UNKNOWN = "nobody@people.test"
/** Enough for two looks of a mailbox that has nothing to send. */
const LOOKS_MILLIS = 6_000

const utcDay = (): number => Math.floor(Date.now() / 86_400_000)

const SENT = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state = 'sent'"
const UNDER_WAY = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state = 'claimed'"
const LEAST =
  "SELECT coalesce(min(n), 0) AS count FROM (SELECT (SELECT count(*) FROM messages m WHERE m.mailbox_id = b.mailbox_id AND m.state = 'sent') AS n FROM mailboxes b WHERE b.workspace_id = $1) t"
const SUPPRESSED = "SELECT source FROM suppressions WHERE workspace_id = $1 ORDER BY source"
const STATE = "SELECT state FROM campaign_leads WHERE workspace_id = $1 AND email = $2"
const DUE =
  "UPDATE campaign_leads SET next_at = now() - interval '1 minute' WHERE workspace_id = $1 AND email = ANY($2) AND next_at IS NOT NULL"

describe("a campaign from own mailboxes, over Postfix and Dovecot", () => {
  it.live(
    "reaches each once, within caps and windows; answers, a bounce, an absence and an unsubscription do what they should",
    () =>
      Effect.gen(function* () {
        const users = salesUsers(MAILBOXES)
        const bed = yield* mailBed({ users, recipients: [...PEOPLE, ...LATER] })
        const place = beside(yield* embeddedPlace, bed)
        const host = yield* serve(place)
        const auditor = yield* audit(place)
        const tenant = yield* liveTenant(place)
        const { apiKey, workspaceId } = tenant
        for (const { checks, mailbox } of yield* addMailboxes(place, bed, tenant, users)) {
          assert.deepInclude(checks as object, { is_junk: false, sent_folder: "Sent", keeps_sent: false })
          assert.deepInclude(mailbox as object, { state: "active" })
        }
        yield* growUp(auditor, tenant)

        yield* launched(place, host, tenant, "later", LATER, { schedule: laterThisWeek() })
        yield* launched(place, host, tenant, "all", PEOPLE)
        const sent = auditor.count(SENT, workspaceId)
        const underWay = auditor.count(UNDER_WAY, workspaceId)

        // A cap below what each has sent today holds all of them, at once.
        yield* until(auditor.count(LEAST, workspaceId), (least) => least >= 3, 180)
        yield* setCap(auditor, workspaceId, 1)
        const looked = Effect.gen(function* () {
          const day = utcDay()
          yield* until(underWay, (count) => count === 0, 90)
          const held = yield* sent
          yield* Effect.sleep(LOOKS_MILLIS)
          return { held, after: [yield* sent, yield* underWay], isMidnightOver: utcDay() !== day }
        })
        const first = yield* looked
        // From midnight on each may send one again.
        if (first.isMidnightOver) yield* until(sent, (count) => count >= first.held + MAILBOXES, 90)
        const { after, held } = first.isMidnightOver ? yield* looked : first
        assert.deepStrictEqual(after, [held, 0])
        yield* setCap(auditor, workspaceId, 1_000_000)

        yield* until(sent, (count) => count >= PEOPLE.length, 480)
        yield* until(
          Effect.sync(() => [...countsOf(bed, PEOPLE).values()]),
          (counts) => counts.every((count) => count > 0),
          90
        )
        assert.deepStrictEqual(new Set(countsOf(bed, PEOPLE).values()), new Set([1]))
        assert.deepStrictEqual(new Set(countsOf(bed, LATER).values()), new Set([0]))
        const mails = PEOPLE.map((person) => bed.inbox(person)[0])
        const perMailbox = users.map(
          ({ address }) => mails.filter((mail) => mail?.header("from").includes(address)).length
        )
        assert.strictEqual(
          perMailbox.reduce((sum, count) => sum + count),
          PEOPLE.length
        )
        assert.isTrue(
          perMailbox.every((count) => count >= 30),
          perMailbox.join()
        )
        assert.strictEqual(mails[7]?.header("subject"), "=?UTF-8?Q?F=C3=BCr_Zo=C3=AB_7?=")
        assert.strictEqual(mails[7]?.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
        for (const { address } of users) {
          yield* until(
            Effect.sync(() => bed.sent(address).length),
            (count) => count >= 30,
            180
          )
        }

        // What comes back.
        const [yes = "", no = "", away = "", out = "", ...silent] = PEOPLE
        yield* answer(bed, yes, ["Yes, I am interested. Please send me some times for a call."])
        yield* answer(bed, no, ["We are not interested, thank you."])
        yield* answer(bed, away, ["I am out of the office until Monday."], ["Auto-Submitted: auto-replied"])
        const named = /<(https:[^<>]+)>/.exec(bed.inbox(out)[0]?.header("list-unsubscribe") ?? "")?.[1] ?? ""
        const link = `${host.baseUrl}${new URL(named).pathname}`
        const states = (email: string) => auditor.list(STATE, workspaceId, email)
        assert.strictEqual((yield* Effect.promise(() => fetch(link))).status, 200)
        assert.deepStrictEqual(yield* states(out), ["active"])
        const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }
        assert.strictEqual((yield* Effect.promise(() => fetch(link, oneClick))).status, 200)
        yield* launched(place, host, tenant, "unknown", [UNKNOWN])

        const replies = Effect.map(call(host, apiKey, "get_replies", { limit: 200 }), ({ json }) =>
          (json.result.replies as ReadonlyArray<Record<string, string>>)
            .map(({ classification, from_email, snippet }) => ({ classification, from_email, snippet }))
            .toSorted((a, b) => `${a.classification}`.localeCompare(`${b.classification}`))
        )
        const [bounce, ...answers] = yield* until(replies, ({ length }) => length >= 4, 180)
        assert.strictEqual(bounce?.classification, "bounce")
        assert.deepStrictEqual(answers, [
          {
            classification: "interested",
            from_email: yes,
            snippet: "Yes, I am interested. Please send me some times for a call."
          },
          { classification: "not_interested", from_email: no, snippet: "We are not interested, thank you." },
          { classification: "out_of_office", from_email: away, snippet: "I am out of the office until Monday." }
        ])
        assert.deepStrictEqual(yield* auditor.list(SUPPRESSED, workspaceId), [
          "hard_bounce",
          "reply",
          "reply",
          "unsubscribe"
        ])
        assert.deepStrictEqual(yield* Effect.forEach([yes, no, away, out, UNKNOWN], states), [
          ["replied"],
          ["replied"],
          ["active"],
          ["unsubscribed"],
          ["bounced"]
        ])
        const events = (kind: string) =>
          Effect.map(read(host, apiKey, `/v1/trail?kind=${kind}&limit=200`), ({ json }) => json.result.events.length)
        const kinds = ["reply", "bounce", "unsubscribe", "suppressed", "stop"]
        assert.deepStrictEqual(yield* Effect.forEach(kinds, events), [3, 1, 1, 4, 4])

        // Three days later, for those six: who has not answered hears again, in the same thread.
        const due = [yes, no, away, out, ...silent.slice(0, 2)]
        yield* auditor.change(DUE, workspaceId, due)
        const follow = [away, ...silent.slice(0, 2)]
        yield* until(
          Effect.sync(() => follow.map((person) => bed.inbox(person).length)),
          (counts) => counts.every((count) => count === 2),
          180
        )
        yield* Effect.sleep(LOOKS_MILLIS)
        assert.deepStrictEqual([...countsOf(bed, due).values()], [1, 1, 2, 1, 2, 2])
        for (const person of follow) {
          const [first, second] = bed.inbox(person).toSorted((a) => (a.header("in-reply-to") === "" ? -1 : 1))
          assert.strictEqual(second?.header("in-reply-to"), first?.header("message-id"))
          assert.strictEqual(second?.header("from"), first?.header("from"))
        }
        yield* assertClean(place)
        host.signal("SIGTERM")
        assert.strictEqual(yield* host.ended, 0)
      }),
    900_000
  )
})
