import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, NOON, SUITE } from "./fixtures.js"
import { givenSending } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | SendingStore
  | SuppressionStore
  | UnitOfWork
  | VendorStore
  | WorkspaceStore

/** What is kept of messages that a vendor says it sent. */
export const vendorMessagesContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`messages of vendors (${name})`, (it) => {
    it.effect("each step counts once, in any order, and the last contact never goes back", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const vendors = yield* VendorStore
        const suppressions = yield* SuppressionStore
        const { campaign, leads, mailboxes, workspaceId } = yield* givenSending(2)
        const [person, other] = leads as [(typeof leads)[number], (typeof leads)[number]]
        const told = ({ addressHash, campaignLeadId }: typeof person, stepIndex: number, sentAtMillis: number) =>
          atomically(
            vendors.recordSent(
              {
                workspaceId,
                messageId: freshId(),
                campaignId: campaign.campaignId,
                campaignLeadId,
                mailboxId: mailboxes[0]!.mailboxId,
                stepIndex,
                variant: null,
                state: "sent",
                claimedAtMillis: sentAtMillis,
                sentAtMillis
              },
              addressHash
            )
          )
        const lastStep = Effect.map(vendors.lastSent(workspaceId, person.campaignLeadId), (found) =>
          Option.getOrNull(Option.map(found, ({ stepIndex }) => stepIndex))
        )
        assert.isNull(yield* lastStep)
        assert.isTrue(yield* told(person, 1, NOON + 3 * DAY))
        assert.isTrue(yield* told(person, 0, NOON))
        assert.isFalse(yield* told(person, 1, NOON + 4 * DAY))
        assert.isTrue(yield* told(other, 0, NOON + DAY))
        assert.strictEqual(yield* lastStep, 1)
        assert.isTrue(Option.isNone(yield* vendors.lastSent(freshId(), person.campaignLeadId)))
        const contacted = yield* suppressions.contactedElsewhere({
          workspaceId,
          campaignId: freshId(),
          addressHashes: [person.addressHash, other.addressHash],
          sinceMillis: 0
        })
        assert.strictEqual(contacted.get(person.addressHash), NOON + 3 * DAY)
        assert.strictEqual(contacted.get(other.addressHash), NOON + DAY)
      })
    )
  })
}
