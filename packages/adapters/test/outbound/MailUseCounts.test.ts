import { assert, it } from "@effect/vitest"
import type { SenderUse, Use } from "@outbound/domain/outreach/sending/ramp.js"
import { MESSAGE_OUTCOMES } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { givenLaunched, givenMailboxes, MIDNIGHT } from "@outbound/testkit/contracts/outboundFixtures.js"
import { propertyIn } from "@outbound/testkit/property.js"
import { rounds } from "@outbound/testkit/thorough.js"
import { Effect, Schema } from "effect"
import * as FC from "fast-check"
import { rows } from "../../src/postgres/Columns.js"
import { countInvariants } from "../../src/postgres/invariants/counts.js"
import { SENDER_USE_FIELDS, senderUseParts, toSenderUse } from "../../src/postgres/ownUse.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const DOMAINS = ["a.test", "b.test"]
const RECEIVERS = ["google.test", "other.test", null]
const PEOPLE = 12
const SenderUseRow = Schema.Struct(SENDER_USE_FIELDS)

/** What happens to a message: that there is one, or that one of before changes. */
const Happening = FC.record({
  kind: FC.constantFrom("claim", "sent", "failed", "outcome", "moved", "many"),
  message: FC.nat(40),
  person: FC.nat(PEOPLE - 1),
  receiver: FC.constantFrom(...RECEIVERS),
  outcome: FC.constantFrom(...MESSAGE_OUTCOMES, null),
  day: FC.nat(16),
  /** Of the day: also its first and its last. */
  moment: FC.constantFrom(0, 12 * HOUR, DAY - 1)
})

/** Days on which something counts, in their order; what is taken counts today alone. */
const told = (use: Use) =>
  use
    .filter(({ day: _, ...counts }) => Object.values(counts).some((count) => count !== 0))
    .toSorted((one, other) => one.day - other.day)

const all = ({ at, domain, mailbox }: SenderUse) => ({
  mailbox: told(mailbox),
  domain: told(domain),
  at: at && { mailbox: told(at.mailbox), domain: told(at.domain) }
})

it.layer(layer, SUITE)("counts of what own mailboxes sent", (it) => {
  propertyIn(it)(
    "are what the messages add up to, whatever happened to them in whatever order",
    [FC.array(Happening, { minLength: 1, maxLength: 150, size: "max" })],
    ([happenings]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const mailboxes = (yield* Effect.forEach(["own", "own", "own", "purchased"] as const, (kind, index) =>
          givenMailboxes(workspaceId, 1, {
            domain: DOMAINS[index % 2] ?? "",
            ...(kind === "own" ? { kind, operationId: null, upkeepPaidUntilMillis: null } : {})
          })
        )).flat()
        const emails = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.com`)
        const { campaign, leads } = yield* givenLaunched(workspaceId, mailboxes, emails)
        const ids: Array<string> = []
        let step = 0
        const insert = (person: number, receiver: string | null, at: Date) => {
          const messageId = freshId()
          ids.push(messageId)
          const lead = leads[person]!
          step += 1
          return sql`
            INSERT INTO messages (workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index,
              state, claimed_at, receiver)
            VALUES (${workspaceId}, ${messageId}, ${campaign.campaignId}, ${lead.campaignLeadId},
              ${mailboxes[person % mailboxes.length]!.mailboxId}, ${lead.addressHash}, ${step}, 'claimed',
              ${at}, ${receiver})
          `
        }
        for (const { day, kind, message, moment, outcome, person, receiver } of happenings) {
          const which = ids[message % Math.max(1, ids.length)] ?? ""
          const at = new Date(MIDNIGHT - day * DAY + moment)
          if (kind === "claim") {
            // A person is claimed once at a time.
            yield* sql`
              UPDATE messages SET state = 'unknown' WHERE workspace_id = ${workspaceId} AND state = 'claimed'
                AND campaign_lead_id = ${leads[person]!.campaignLeadId}
            `
            yield* insert(person, receiver, at)
          } else if (kind === "sent") {
            yield* sql`
              UPDATE messages SET state = 'sent', sent_at = claimed_at, receiver = COALESCE(${receiver}::text, receiver)
              WHERE workspace_id = ${workspaceId} AND message_id = ${which}
            `
          } else if (kind === "failed") {
            yield* sql`
              UPDATE messages SET state = 'failed', sent_at = NULL, outcome = ${outcome}
              WHERE workspace_id = ${workspaceId} AND message_id = ${which}
            `
          } else if (kind === "outcome") {
            yield* sql`
              UPDATE messages SET outcome = ${outcome} WHERE workspace_id = ${workspaceId} AND message_id = ${which}
            `
          } else if (kind === "moved") {
            yield* sql`
              UPDATE messages SET claimed_at = ${at} WHERE workspace_id = ${workspaceId} AND message_id = ${which}
            `
          } else {
            yield* sql`
              UPDATE messages SET state = 'sent', sent_at = claimed_at, outcome = ${outcome}
              WHERE workspace_id = ${workspaceId} AND step_index % 3 = ${message % 3}
            `
          }
        }
        const book = yield* sending.uses(workspaceId, NOON, "receiver")
        for (const mailbox of mailboxes.filter(({ kind }) => kind === "own")) {
          for (const receiver of RECEIVERS) {
            const { columns, given } = senderUseParts(sql, mailbox, receiver, NOON)
            const [row] = yield* sql`WITH ${given} SELECT ${columns}`.pipe(rows("test", SenderUseRow))
            const kept = toSenderUse(row!, receiver)
            assert.deepStrictEqual(all(kept), all(book.of(mailbox.mailboxId, receiver)!))
          }
        }
        const breaches = countInvariants.find(({ name }) => name === "mailboxes_count_their_mail")
        assert.isEmpty(
          yield* sql.unsafe(`SELECT * FROM (${breaches?.sql}) b WHERE b.workspace_id = '${workspaceId}'`, [])
        )
      }),
    { timeout: 300_000, fastCheck: { numRuns: rounds(150, 25) } }
  )
})
