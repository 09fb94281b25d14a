import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Clock, Effect, type Layer } from "effect"
import { campaign, type OwnService, ownPass, ownTurn, people, taken, team, type Team } from "./ownStories.js"
import { kindsOf, leadOf, SUITE, trailOf } from "./stories.js"

let events = 0

/** Something comes back for the `index`-th message that the team's servers took, and is applied. */
const comesBack = (owner: Team, index: number, given: Pick<InboundEvent, "kind" | "bounce">) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    const about = (yield* taken(owner))[index]
    events += 1
    yield* inbound.receive([
      {
        workspaceId: owner.client.workspaceId,
        provider: "test",
        providerEventId: `breaker-${events}`,
        source: "provider_poll",
        inReplyTo: about?.mail.messageId ?? "",
        messageId: null,
        fromEmail: "mailer-daemon@recipients.test",
        toEmail: about?.from ?? null,
        subject: "Undelivered Mail Returned to Sender",
        bodyText: "It could not be delivered.",
        bodyHtml: null,
        classification: null,
        receivedAtMillis: yield* Clock.currentTimeMillis,
        ...given
      }
    ])
    yield* ownTurn
    return about?.mail.to.address ?? ""
  }).pipe(Effect.orDie)

const HARD = { kind: "bounce", bounce: { type: "hard", status: "5.1.1" } } as const
const FULL = { kind: "bounce", bounce: { type: "soft", status: "5.2.2" } } as const
const REFUSED = { kind: "bounce", bounce: { type: "soft", status: "5.7.1" } } as const
const COMPLAINT = { kind: "complaint", bounce: null } as const

/** A team whose one mailbox has sent so many messages, of which nothing came back. */
const sending = (count: number, tag: string, given: Parameters<typeof team>[1] = {}) =>
  Effect.gen(function* () {
    const owner = yield* team(1, given)
    const campaign_id = yield* campaign(owner, { recipients: people(count + 10, tag) })
    while ((yield* taken(owner)).length < count) yield* ownPass("30 minutes", "10 minutes")
    return { owner, campaign_id }
  })

const paused = ({ client }: Team) => trailOf(client, { kind: "mailbox_paused,paused" })

/** Mailboxes whose mail is not wanted, or reaches nobody, stop by themselves. */
export const breakerContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeLayer(service, SUITE)(`unhealthy mailboxes (${name})`, (it) => {
    it.effect(
      "hard bounces over their share pause the mailbox and what it alone sends, once there is enough to tell",
      () =>
        Effect.gen(function* () {
          const { campaign_id, owner } = yield* sending(19, "few")
          yield* comesBack(owner, 0, HARD)
          assert.isEmpty(yield* paused(owner))
          while ((yield* taken(owner)).length < 25) yield* ownPass("30 minutes", "10 minutes")
          const email = yield* comesBack(owner, 1, HARD)
          const events = yield* paused(owner)
          assert.deepStrictEqual(
            events.map(({ campaign_id: of, detail, kind, source }) => [kind, of, detail, source]),
            [
              [
                "mailbox_paused",
                null,
                { mailbox: owner.addresses[0], reason: "bounces", sent: 25, hard_bounces: 2, complaints: 0 },
                "system"
              ],
              ["paused", campaign_id, { reason: "capacity", provider_verified: true }, "system"]
            ]
          )
          const suppressed = yield* trailOf(owner.client, { campaign_id, email })
          assert.includeMembers([...kindsOf(suppressed)], ["bounce", "suppressed", "stop"])
          yield* ownPass("30 hours", "1 hour")
          assert.lengthOf(yield* taken(owner), 25)
          // It is paused already: more of the same tells nothing new.
          yield* comesBack(owner, 2, HARD)
          assert.lengthOf(yield* paused(owner), 2)
        })
    )

    it.effect("a complaint weighs more", () =>
      Effect.gen(function* () {
        const { owner } = yield* sending(20, "complaint")
        yield* comesBack(owner, 0, COMPLAINT)
        const [first] = yield* paused(owner)
        assert.deepStrictEqual(
          [first?.kind, first?.detail.reason, first?.detail.complaints],
          ["mailbox_paused", "complaints", 1]
        )
      })
    )

    it.effect("the sandbox is not held back", () =>
      Effect.gen(function* () {
        const { owner } = yield* sending(20, "sandbox", { kind: "sandbox" })
        yield* comesBack(owner, 0, HARD)
        yield* comesBack(owner, 1, COMPLAINT)
        yield* comesBack(owner, 2, REFUSED)
        assert.isEmpty(yield* paused(owner))
      })
    )

    it.effect("a refusal of the sender pauses the mailbox, and says nothing of the person", () =>
      Effect.gen(function* () {
        const { campaign_id, owner } = yield* sending(1, "policy")
        const email = yield* comesBack(owner, 0, REFUSED)
        const [first] = yield* paused(owner)
        assert.deepStrictEqual(
          [first?.kind, first?.detail],
          ["mailbox_paused", { mailbox: owner.addresses[0], reason: "refused", status: "5.7.1" }]
        )
        const told = yield* trailOf(owner.client, { campaign_id, email, kind: "bounce,suppressed,stop" })
        assert.deepStrictEqual(kindsOf(told), ["bounce"])
      })
    )

    it.effect("who could not be reached three times is left alone, and not suppressed", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const steps = [
          { subject: "a", body: "b" },
          { body: "c", wait_days: 0 },
          { body: "d", wait_days: 0 },
          { body: "e", wait_days: 1 }
        ]
        const campaign_id = yield* campaign(owner, { recipients: people(1, "full"), sequence: steps })
        yield* ownPass("4 hours", "10 minutes")
        assert.lengthOf(yield* taken(owner), 3)
        for (const index of [0, 1]) yield* comesBack(owner, index, FULL)
        const [{ email = "" } = {}] = people(1, "full")
        assert.isEmpty(yield* trailOf(owner.client, { campaign_id, kind: "stop" }))
        yield* comesBack(owner, 2, FULL)
        const stops = yield* trailOf(owner.client, { campaign_id, kind: "stop,suppressed" })
        assert.deepStrictEqual(
          stops.map(({ detail, kind }) => [kind, detail.reason]),
          [["stop", "soft_bounces"]]
        )
        yield* ownPass("30 hours", "2 hours")
        assert.lengthOf(yield* taken(owner), 3)
        const suppressions = yield* SuppressionStore
        const campaigns = yield* CampaignStore
        const [lead] = yield* campaigns.leadsIn(owner.client.workspaceId, campaign_id, ["bounced"])
        assert.strictEqual(lead?.campaignLeadId, yield* leadOf(owner.client, campaign_id, email))
        assert.isEmpty(yield* suppressions.sourcesOf(owner.client.workspaceId, lead?.addressHash ?? ""))
      }).pipe(Effect.orDie)
    )
  })
}
