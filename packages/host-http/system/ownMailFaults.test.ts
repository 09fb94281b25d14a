import { assert, describe, it } from "@effect/vitest"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { Effect } from "effect"
import { audit } from "./support/Books.js"
import { until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import {
  addMailboxes,
  answer,
  beside,
  countsOf,
  growUp,
  launched,
  liveTenant,
  peopleOf,
  salesUsers
} from "./support/OwnMail.js"
import { sharedPlace } from "./support/Place.js"

const MAILBOXES = 12
const PEOPLE = peopleOf("person", 400)
const ANSWERS_EARLY = 6
const ANSWERS_LATE = 4

const HELD = "SELECT count(*) FROM own_mailboxes WHERE workspace_id = $1 AND held_until > now()"
const SENT = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state = 'sent'"
const ENDED = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state IN ('sent', 'unknown')"
const IN_STATE =
  "SELECT l.email FROM messages m JOIN campaign_leads l USING (workspace_id, campaign_lead_id) WHERE workspace_id = $1 AND m.state = $2"
const REPORTED =
  "SELECT l.email FROM trail_events t JOIN campaign_leads l USING (workspace_id, campaign_lead_id) WHERE workspace_id = $1 AND t.kind = 'stop' AND t.detail->>'reason' = 'outcome_unknown'"
const REPLIES = "SELECT from_email FROM replies WHERE workspace_id = $1"

describe("a campaign from own mailboxes, with everything failing in the middle", () => {
  it.live(
    "sends at most one copy of each message, loses none but those it reports, and reads each answer once",
    () =>
      Effect.gen(function* () {
        const users = salesUsers(MAILBOXES)
        const addresses = users.map(({ address }) => address)
        const bed = yield* mailBed({ users, recipients: PEOPLE })
        const place = beside(yield* sharedPlace, bed)
        const auditor = yield* audit(place)
        const dying = yield* serve(place)
        const tenant = yield* liveTenant(place)
        const { workspaceId } = tenant
        // The first host holds the first mailboxes before there is another.
        yield* addMailboxes(place, bed, tenant, users.slice(0, MAILBOXES / 2))
        yield* until(auditor.count(HELD, workspaceId), (held) => held === MAILBOXES / 2, 90)
        const staying = yield* serve(place)
        yield* addMailboxes(place, bed, tenant, users.slice(MAILBOXES / 2))
        yield* growUp(auditor, tenant)
        yield* launched(place, staying, tenant, "all", PEOPLE)
        const sent = auditor.count(SENT, workspaceId)

        yield* until(sent, (count) => count >= 200, 360)
        dying.signal("SIGKILL")
        yield* dying.ended
        const reached = () => PEOPLE.filter((person) => bed.inbox(person).length > 0)
        const early = reached().slice(0, ANSWERS_EARLY)
        yield* Effect.forEach(early, (person) => answer(bed, person, ["Please send me more about it."]))

        // All message numbers change during the read.
        yield* bed.imap.stop
        bed.forgetUids(addresses)
        yield* bed.imap.start
        yield* until(sent, (count) => count >= 260, 240)
        yield* Effect.andThen(bed.smtp.stop, bed.smtp.start)

        yield* until(auditor.count(ENDED, workspaceId), (count) => count === PEOPLE.length, 900)
        const [wereSent, unknown] = yield* Effect.all([
          auditor.list(IN_STATE, workspaceId, "sent"),
          auditor.list(IN_STATE, workspaceId, "unknown")
        ])
        yield* until(
          Effect.sync(() => countsOf(bed, wereSent)),
          (counts) => [...counts.values()].every((count) => count > 0),
          180
        )
        assert.deepStrictEqual(new Set(countsOf(bed, wereSent).values()), new Set([1]))
        assert.isTrue([...countsOf(bed, unknown).values()].every((count) => count <= 1))
        assert.deepStrictEqual(
          (yield* auditor.list(REPORTED, workspaceId)).toSorted(),
          unknown.filter((person) => !early.includes(person)).toSorted()
        )

        const late = wereSent.filter((person) => !early.includes(person)).slice(0, ANSWERS_LATE)
        yield* Effect.forEach(late, (person) => answer(bed, person, ["Please send me more about it."]))
        const answered = [...early, ...late].toSorted()
        const replies = Effect.map(auditor.list(REPLIES, workspaceId), (people) => people.toSorted())
        yield* until(replies, (people) => people.length >= answered.length, 180)
        assert.deepStrictEqual(yield* replies, answered)
        yield* assertClean(place)
        staying.signal("SIGTERM")
        assert.strictEqual(yield* staying.ended, 0)
      }),
    1_500_000
  )
})
