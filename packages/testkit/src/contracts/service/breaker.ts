import { assert } from "@effect/vitest"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { REFUSED_TRIES_MAX } from "@outbound/domain/outreach/sending/refusals.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { describeStories } from "./describeStories.js"
import { campaign, type OwnService, ownPass, ownTurn, people, taken, team, type Team } from "./ownStories.js"
import { kindsOf, leadOf, ok, trailOf } from "./stories.js"

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
  describeStories(service)(`unhealthy mailboxes (${name})`, (it) => {
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

    it.effect("from 2 % of bounces on owners are warned, and the mailbox goes on until 3 %", () =>
      Effect.gen(function* () {
        const { owner } = yield* sending(40, "warned")
        const reasons = Effect.map(owner.client.call("get_sending_health"), (answer) => {
          const { advice, mailboxes } = ok(answer).result
          return {
            reasons: mailboxes[0].state_reasons,
            codes: advice.map(({ code }: { readonly code: string }) => code)
          }
        })
        assert.notInclude((yield* reasons).reasons, "bounces_high")
        yield* comesBack(owner, 0, HARD)
        const warned = yield* reasons
        assert.include(warned.reasons, "bounces_high")
        assert.include(warned.codes, "verify_addresses")
        assert.isEmpty(yield* paused(owner))
        yield* comesBack(owner, 1, HARD)
        assert.strictEqual((yield* paused(owner))[0]?.detail.reason, "bounces")
      }).pipe(Effect.orDie)
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

    it.effect("one refusal by policy stops nothing, and says nothing of the person", () =>
      Effect.gen(function* () {
        const { campaign_id, owner } = yield* sending(6, "policy")
        const email = yield* comesBack(owner, 0, REFUSED)
        yield* comesBack(owner, 0, REFUSED)
        assert.isEmpty(yield* paused(owner))
        const told = yield* trailOf(owner.client, { campaign_id, email, kind: "suppressed,stop" })
        assert.isEmpty(told)
        yield* ownPass("8 hours", "20 minutes")
        assert.isAbove((yield* taken(owner)).length, 10)
      })
    )

    it.effect("refusals by many organisations pause the mailbox, and the trail has the server's own words", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const recipients = Array.from({ length: 20 }, (_, index) => ({ email: `who${index}@rcpt${index % 5}.test` }))
        yield* campaign(owner, { recipients })
        while ((yield* taken(owner)).length < 20) yield* ownPass("30 minutes", "10 minutes")
        for (const index of [0, 1, 2, 3]) yield* comesBack(owner, index, REFUSED)
        assert.isEmpty(yield* paused(owner))
        yield* comesBack(owner, 4, REFUSED)
        const [first] = yield* paused(owner)
        assert.deepStrictEqual(
          [first?.kind, first?.detail],
          [
            "mailbox_paused",
            {
              mailbox: owner.addresses[0],
              reason: "refused",
              status: "5.7.1",
              refused: 5,
              people: 20,
              receivers: 5,
              says: "It could not be delivered."
            }
          ]
        )
      })
    )

    it.effect("a workspace's own limits count", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const { workspaceId } = owner.client
        const workspaces = yield* WorkspaceStore
        const { atomically } = yield* UnitOfWork
        const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
        const caps = { ...workspace.caps, refusalsMin: 6 }
        yield* atomically(workspaces.update({ ...workspace, caps }))
        const recipients = Array.from({ length: 8 }, (_, index) => ({ email: `own${index}@rcpt${index % 4}.test` }))
        yield* campaign(owner, { recipients })
        while ((yield* taken(owner)).length < 8) yield* ownPass("30 minutes", "10 minutes")
        for (const index of [0, 1, 2, 3, 4]) yield* comesBack(owner, index, REFUSED)
        assert.isEmpty(yield* paused(owner))
        yield* comesBack(owner, 5, REFUSED)
        assert.deepStrictEqual(kindsOf(yield* paused(owner)), ["mailbox_paused"])
      }).pipe(Effect.orDie)
    )

    it.effect("one organisation that refuses the mailbox is left alone for a while; everybody else is written to", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const at = (count: number, domain: string) =>
          Array.from({ length: count }, (_, index) => ({ email: `p${index}@${domain}` }))
        const first = yield* campaign(owner, { recipients: at(6, "refuses.test") })
        while ((yield* taken(owner)).length < 6) yield* ownPass("30 minutes", "10 minutes")
        for (const index of [0, 1, 2, 3, 4]) yield* comesBack(owner, index, REFUSED)
        assert.isEmpty(yield* paused(owner))
        assert.isEmpty(yield* trailOf(owner.client, { campaign_id: first, kind: "stop" }))
        const more = [...at(9, "refuses.test").slice(6), ...at(3, "takes.test")]
        yield* campaign(owner, { recipients: more })
        yield* ownPass("40 minutes", "5 minutes")
        const early = (yield* taken(owner)).slice(6).map(({ mail }) => mail.to.address)
        assert.isNotEmpty(early)
        assert.isTrue(
          early.every((address) => address.endsWith("@takes.test")),
          early.join()
        )
        yield* ownPass("12 hours", "20 minutes")
        assert.lengthOf(yield* taken(owner), 12)
      })
    )

    it.effect("a list's or a person's own restriction ends their lead, and nothing else", () =>
      Effect.gen(function* () {
        const { campaign_id, owner } = yield* sending(6, "restricted")
        for (const index of [0, 1, 2, 3, 4]) {
          yield* comesBack(owner, index, { kind: "bounce", bounce: { type: "soft", status: "5.7.133" } })
        }
        assert.isEmpty(yield* paused(owner))
        const told = yield* trailOf(owner.client, { campaign_id, kind: "suppressed,stop" })
        assert.deepStrictEqual(
          told.map(({ detail, kind }) => [kind, detail.reason]),
          Array.from({ length: 5 }, () => ["stop", "refused_by_provider"])
        )
      })
    )

    it.effect("a final word about the address ends its lead, suppresses nobody, and says nothing of the mailbox", () =>
      Effect.gen(function* () {
        const { campaign_id, owner } = yield* sending(6, "of-address")
        for (const [index, status] of ["5.2.1", "5.1.3", "5.1.0"].entries()) {
          yield* comesBack(owner, index, { kind: "bounce", bounce: { type: "soft", status } })
        }
        assert.isEmpty(yield* paused(owner))
        const told = yield* trailOf(owner.client, { campaign_id, kind: "suppressed,stop" })
        assert.deepStrictEqual(
          told.map(({ detail, kind }) => [kind, detail.reason]),
          Array.from({ length: 3 }, () => ["stop", "refused_by_provider"])
        )
      })
    )

    it.effect("a refusal counts by its reason, whatever its code, and never for the person", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const recipients = Array.from({ length: 8 }, (_, index) => ({ email: `why${index}@rcpt${index % 4}.test` }))
        const campaign_id = yield* campaign(owner, { recipients })
        while ((yield* taken(owner)).length < 8) yield* ownPass("30 minutes", "10 minutes")
        const reasons = ["policy", "content", "rate", "reputation", "authentication"] as const
        const statuses = ["5.1.8", "5.6.0", "4.3.2", "5.0.0", "5.5.0"]
        for (const [index, reason] of reasons.entries()) {
          const says = `550 refused because of ${reason}`
          const status = statuses[index] ?? ""
          yield* comesBack(owner, index, { kind: "bounce", bounce: { type: "soft", status, reason, says } })
        }
        const [first] = yield* paused(owner)
        assert.deepInclude(first?.detail, {
          reason: "refused",
          status: "5.5.0",
          refused: 5,
          says: "550 refused because of authentication"
        })
        assert.isEmpty(yield* trailOf(owner.client, { campaign_id, kind: "suppressed,stop" }))
      })
    )

    it.effect("a pause for bounces quotes the server", () =>
      Effect.gen(function* () {
        const { owner } = yield* sending(20, "quoted")
        const says = "550 5.1.1 no such user at (address)"
        yield* comesBack(owner, 0, { kind: "bounce", bounce: { ...HARD.bounce, says } })
        const [first] = yield* paused(owner)
        assert.deepInclude(first?.detail, { reason: "bounces", hard_bounces: 1, says })
        const [bounce] = yield* trailOf(owner.client, { kind: "bounce" })
        assert.deepStrictEqual(bounce?.detail, HARD.bounce)
      })
    )

    it.effect("a lead whose mail our server refuses by policy is set aside; those behind it are not kept waiting", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        const owner = yield* team(1)
        const campaign_id = yield* campaign(owner, { recipients: people(8, "behind") })
        const policy = MailBehaviour.Refuse({ phase: "recipient", code: 554, status: "5.7.1", reason: "account" })
        // The first recipient is refused three times, and everybody else taken.
        yield* mail.refuseTo(`behind0@recipients.test`, policy)
        yield* ownPass("20 hours", "10 minutes")
        assert.lengthOf(yield* taken(owner), 7)
        assert.isEmpty(yield* paused(owner))
        const stopped = yield* trailOf(owner.client, { campaign_id, kind: "stop" })
        assert.deepStrictEqual(
          stopped.map(({ detail, email }) => [email, detail.reason]),
          [["behind0@recipients.test", "refused_by_provider"]]
        )
        assert.strictEqual(yield* mail.refusedTo(`behind0@recipients.test`), REFUSED_TRIES_MAX)
      })
    )

    it.effect("one 451 rests no mailbox: the next person is written to at once", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        const owner = yield* team(1)
        yield* campaign(owner, { recipients: people(2, "busy") })
        yield* mail.script([
          MailBehaviour.Refuse({ phase: "recipient", code: 451, status: "4.3.0", reason: "transient" })
        ])
        yield* ownTurn
        assert.isEmpty(yield* taken(owner))
        yield* TestClock.adjust("6 seconds")
        yield* ownTurn
        assert.lengthOf(yield* taken(owner), 1)
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
