import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { DAY, freshId, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { givenOwn, options } from "./ownClaims.js"
import { givenLaunched } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | OwnMailboxStore | SendingStore | UnitOfWork | WorkspaceStore

/** What one mailbox was refused, and whom it leaves alone, is no matter of the mailboxes beside it. */
export const restsBesideContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const restsUntil = ({ mailboxId, workspaceId }: Mailbox) =>
    Effect.map(
      Effect.flatMap(SendingStore, (sending) => sending.mailbox(workspaceId, mailboxId)),
      (found) => Option.getOrThrow(found).restsUntilMillis
    )

  it.layer(adapter, SUITE)(`rests side by side (${name})`, (it) => {
    it.effect("who rests is whom it was said of, and a rest is only ever made longer", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { mailboxes, workspaceId } = yield* givenOwn(freshId(), 0, { mailboxes: 3 })
        const [one, two, three] = mailboxes as [Mailbox, Mailbox, Mailbox]
        yield* within(sending.restMailbox(workspaceId, one.mailboxId, NOON + 2 * HOUR))
        yield* within(sending.restMailboxes([one, two], NOON + HOUR))
        const rests = Effect.forEach([one, two, three], restsUntil)
        assert.deepStrictEqual(yield* rests, [NOON + 2 * HOUR, NOON + HOUR, null])
        yield* within(sending.restMailboxes([one, two], NOON + 3 * HOUR))
        assert.deepStrictEqual(yield* rests, [NOON + 3 * HOUR, NOON + 3 * HOUR, null])
      })
    )

    it.effect("an organisation is left alone by the mailbox that it refused, and by no other one", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { campaign, leads, mailboxes, workspaceId } = yield* givenOwn(freshId(), 2, { mailboxes: 2 })
        const [one, other] = mailboxes as [Mailbox, Mailbox]
        const refused = (mailbox: Mailbox, person: number) =>
          within(
            sending.insertFailed(
              {
                workspaceId,
                messageId: freshId(),
                campaignId: campaign.campaignId,
                campaignLeadId: leads[person]!.campaignLeadId,
                mailboxId: mailbox.mailboxId,
                stepIndex: 0,
                variant: null,
                state: "failed",
                claimedAtMillis: NOON,
                sentAtMillis: null
              },
              leads[person]!.addressHash,
              { receiver: "mail.test", isRefused: true }
            )
          )
        yield* refused(one, 0)
        const counts = ({ mailboxId }: Mailbox) => sending.refusals(workspaceId, mailboxId, "mail.test", 0)
        assert.deepStrictEqual(yield* counts(one), {
          mailbox: { people: 1, refused: 1, receivers: 1 },
          receiver: { people: 1, refused: 1 }
        })
        assert.deepStrictEqual(yield* counts(other), {
          mailbox: { people: 0, refused: 0, receivers: 0 },
          receiver: { people: 0, refused: 0 }
        })
        const rest = (mailbox: Mailbox, receiver: string, minutes: number) =>
          within(
            sending.setReceiverRest({
              workspaceId,
              mailboxId: mailbox.mailboxId,
              receiver,
              restsUntilMillis: NOON + minutes * MINUTE,
              times: minutes,
              status: "5.7.1",
              says: "no"
            })
          )
        yield* rest(one, "mail.test", 1)
        yield* rest(other, "mail.test", 2)
        yield* rest(one, "else.test", 3)
        yield* rest(one, "mail.test", 4)
        const times = (mailbox: Mailbox, receiver: string) =>
          Effect.map(sending.receiverRest(workspaceId, mailbox.mailboxId, receiver), (found) =>
            Option.match(found, { onNone: () => null, onSome: (one) => one.times })
          )
        assert.deepStrictEqual(
          [
            yield* times(one, "mail.test"),
            yield* times(other, "mail.test"),
            yield* times(one, "else.test"),
            yield* times(other, "else.test")
          ],
          [4, 2, 3, null]
        )
        const until = (mailbox: Mailbox, receiver: string) =>
          Effect.map(sending.roomAt(options(mailbox, NOON), receiver), (room) => room.restsUntilMillis)
        assert.deepStrictEqual(
          [yield* until(one, "mail.test"), yield* until(other, "mail.test"), yield* until(other, "else.test")],
          [NOON + 4 * MINUTE, NOON + 2 * MINUTE, null]
        )
      })
    )

    it.effect("people are put off whom this mailbox would write to, at this domain, in campaigns that run", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const campaigns = yield* CampaignStore
        const { mailboxes, workspaceId } = yield* givenOwn(freshId(), 0, { mailboxes: 2 })
        const [one, other] = mailboxes as [Mailbox, Mailbox]
        const ours = yield* givenLaunched(workspaceId, [one], ["ann@shut.test", "bob@open.test", "cid@shut.test"])
        const theirs = yield* givenLaunched(workspaceId, [other], ["dan@shut.test"])
        const paused = yield* givenLaunched(workspaceId, [one], ["eve@shut.test"], {
          campaign: { state: "paused", pauseReason: "owner" }
        })
        const late = yield* leadOf(workspaceId, ours.leads[2]!.campaignLeadId)
        yield* within(campaigns.updateLead({ ...late, nextAtMillis: NOON + DAY }))
        yield* sending.putOff(one, "shut.test", NOON + HOUR, 100)
        const next = Effect.forEach([...ours.leads, ...theirs.leads, ...paused.leads], ({ campaignLeadId }) =>
          Effect.map(leadOf(workspaceId, campaignLeadId), ({ nextAtMillis }) => nextAtMillis)
        )
        assert.deepStrictEqual(yield* next, [NOON + HOUR, NOON - HOUR, NOON + DAY, NOON - HOUR, NOON - HOUR])
      })
    )
  })
}
