import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type ListRow, ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { type Operation, OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenSending, MIDNIGHT } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | ConsoleReads
  | ListStore
  | OperationStore
  | SendingStore
  | UnitOfWork
  | WorkspaceStore

const ALL = { after: null, limit: 100 }

/** What the console's page about sending reads. */
export const consoleSendingContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const reads = ConsoleReads

  it.layer(adapter, SUITE)(`what the console reads of sending (${name})`, (it) => {
    it.effect("today's sends are counted as the caps count them", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const caps = { ...DEFAULT_CAPS, mailboxDailySends: 2 }
        const { mailboxes, workspaceId } = yield* givenSending(3, { workspace: { caps } })
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 2)
        yield* end(claims[0]!, "sent", NOON + DAY)
        const full = yield* read.sending(workspaceId, MIDNIGHT, NOON)
        assert.deepInclude(full, { sendsToday: 2, mailboxesWithRoom: 0, mailboxDailySends: 2, kind: "sandbox" })
        const [line] = yield* read.mailboxes(workspaceId, MIDNIGHT, null, 10)
        assert.deepInclude(line, { mailboxId: mailboxes[0]!.mailboxId, sendsToday: 2, state: "active" })
        yield* end(claims[1]!, "failed")
        assert.deepInclude(yield* read.sending(workspaceId, MIDNIGHT, NOON), { sendsToday: 1, mailboxesWithRoom: 1 })
        assert.deepInclude(yield* read.sending(workspaceId, MIDNIGHT + DAY, NOON + DAY), {
          sendsToday: 0,
          mailboxesWithRoom: 1
        })
      })
    )

    it.effect("a mailbox's record says what became of its messages, and of none before", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const sending = yield* SendingStore
        const { mailboxes, workspaceId } = yield* givenSending(4)
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 4)
        for (const claim of claims.slice(0, 3)) yield* end(claim, "sent")
        yield* end(claims[3]!, "failed")
        const [answered, bounced, complained] = claims
        yield* atomically(
          Effect.gen(function* () {
            const lead = yield* campaigns.lockLead(workspaceId, answered!.lead.campaignLeadId)
            yield* campaigns.updateLead({ ...Option.getOrThrow(lead), state: "replied" })
            yield* sending.setOutcome(workspaceId, bounced!.message.messageId, "hard_bounce")
            yield* sending.setOutcome(workspaceId, complained!.message.messageId, "complaint")
          })
        )
        const { mailboxId } = mailboxes[0]!
        assert.deepStrictEqual(yield* read.mailboxRecords(workspaceId, NOON - DAY), [
          { mailboxId, sent: 3, replied: 1, bounced: 1, complained: 1 }
        ])
        assert.deepStrictEqual(yield* read.mailboxRecords(workspaceId, NOON + DAY), [])
      })
    )

    it.effect("operations run from the newest, of whatever kind, their items in whatever state", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const store = yield* OperationStore
        const { workspaceId } = yield* givenWorkspace()
        const common = { workspaceId, status: "succeeded" as const, error: null, finishedAtMillis: NOON + HOUR }
        const states = ["pending", "active", "done", "failed"] as const
        const items = states.map((status) => ({ id: freshId(), kind: "item", status, detail: null }))
        const madeAt = (atMillis: number) => ({
          ...common,
          operationId: freshId(),
          requestId: freshId(),
          items,
          createdAtMillis: atMillis,
          updatedAtMillis: atMillis
        })
        const bought = madeAt(NOON)
        const order = {
          workspaceId,
          marker: bought.operationId,
          brand: "acme",
          identity: { firstName: "Ada", lastName: "Lovelace" },
          domains: [],
          orderedAtMillis: NOON
        }
        const given: ReadonlyArray<Operation> = [
          { ...bought, kind: "setup_sending", order, creditsPerDomain: credits("1500") },
          { ...madeAt(NOON + 1), kind: "reply" }
        ]
        yield* atomically(Effect.forEach(given, store.insert))
        const lines = yield* read.operations(workspaceId, ALL)
        assert.deepStrictEqual(
          lines.map(({ brand, kind }) => [kind, brand]),
          [
            ["reply", null],
            ["setup_sending", "acme"]
          ]
        )
        for (const line of lines) assert.deepStrictEqual(line.items, items)
      })
    )

    it.effect("a list says how many of its rows have ended, how many failed, and what came out of them", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const operations = yield* OperationStore
        const lists = yield* ListStore
        const { workspaceId } = yield* givenWorkspace()
        const operationId = freshId()
        const ends = [
          ["done", '{"status":"valid"}'],
          ["failed", '{"code":"provider_failed","message":"No answer"}'],
          ["done", '{"status":"valid","outcome":null}'],
          ["done", "{}"]
        ] as const
        const rows = Array.from({ length: 6 }, (_, index): ListRow => ({
          workspaceId,
          operationId,
          index,
          rowId: freshId(),
          listRequestId: operationId,
          state: "pending",
          maximum: credits("1"),
          charged: zero,
          input: {},
          uploaded: null,
          addressHash: null,
          body: null,
          endedAtMillis: null
        }))
        yield* atomically(
          Effect.gen(function* () {
            yield* operations.insert({
              workspaceId,
              operationId,
              requestId: operationId,
              kind: "verify_emails",
              status: "running",
              items: [],
              error: null,
              createdAtMillis: NOON,
              updatedAtMillis: NOON,
              finishedAtMillis: null
            })
            yield* lists.insert(rows)
            yield* lists.begin(
              workspaceId,
              rows.slice(0, 5).map(({ rowId }) => rowId)
            )
            for (const [index, [state, body]] of ends.entries()) {
              yield* lists.end({ ...rows[index]!, charged: credits("1"), body }, state, NOON)
            }
          })
        )
        const [line] = yield* read.operations(workspaceId, ALL)
        assert.deepInclude(line, { kind: "verify_emails", rows: { ended: 4, failed: 1, total: 6 } })
        assert.deepStrictEqual(Option.getOrNull(yield* read.operation(workspaceId, operationId)), line)
        const charged = credits("1")
        assert.deepStrictEqual(yield* lists.outcomes({ workspaceId, operationId }), [
          { state: "done", outcome: "valid", rows: 2, charged: credits("2") },
          { state: "done", outcome: null, rows: 1, charged },
          { state: "failed", outcome: "provider_failed", rows: 1, charged }
        ])
        const { workspaceId: theirs } = yield* givenWorkspace()
        assert.isTrue(Option.isNone(yield* read.operation(theirs, operationId)))
        assert.deepStrictEqual(yield* lists.outcomes({ workspaceId: theirs, operationId }), [])
      })
    )
  })
}
