import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { HOLD_MILLIS, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, type OwnCandidate, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { STARTS, UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { DEFAULT_CAPS, type WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { sendsElsewhere } from "../service/sendsElsewhere.js"
import { freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE, DAY } from "./fixtures.js"
import { claimsOf, givenLaunched, givenMailboxes, MIDNIGHT } from "./outboundFixtures.js"

const CLAIMERS = 8

type Stores =
  | SuppressionStore
  | SendingStore
  | OwnMailboxStore
  | CampaignStore
  | ApprovalStore
  | UnitOfWork
  | WorkspaceStore

const server = { host: "mail.acme.test", port: 465, security: "tls" as const }

/** Mailboxes of a workspace's own, held by the host. */
export const givenOwn = (
  hostId: string,
  people: number,
  given: {
    readonly mailboxes?: number
    readonly caps?: Partial<typeof DEFAULT_CAPS>
    readonly isNew?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const owns = yield* OwnMailboxStore
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = yield* givenWorkspace({ kind: "live", caps: { ...DEFAULT_CAPS, ...given.caps } })
    const mailboxes = yield* givenMailboxes(workspaceId, given.mailboxes ?? 1, {
      kind: "own",
      operationId: null,
      upkeepPaidUntilMillis: null,
      ...(given.isNew === true ? UNDECLARED : sendsElsewhere(NOON))
    })
    yield* atomically(
      Effect.forEach(mailboxes, ({ mailboxId }) =>
        owns.put({
          workspaceId,
          mailboxId,
          smtp: server,
          imap: { ...server, port: 993 },
          username: "jo",
          auth: "password",
          sealedSecret: "sealed",
          sentFolder: null,
          keepsSent: true,
          keepsMessageIds: true
        })
      )
    )
    // Others' mailboxes may be free as well.
    yield* owns.hold({ hostId, limit: 1_000, millis: HOLD_MILLIS })
    const emails = Array.from({ length: people }, (_, i) => `person-${i}@example.com`)
    return { workspaceId, mailboxes, ...(yield* givenLaunched(workspaceId, mailboxes, emails)) }
  })

export const options = ({ mailboxId, workspaceId }: Mailbox, nowMillis: number) => ({
  workspaceId,
  mailboxId,
  nowMillis,
  dayStartMillis: MIDNIGHT,
  contactedSinceMillis: nowMillis - 30 * DAY
})

export const next = (mailbox: Mailbox, nowMillis = NOON) =>
  Effect.flatMap(SendingStore, (sending) => sending.nextOfOwn(options(mailbox, nowMillis)))

export const claim = (hostId: string, { lead, mailbox }: OwnCandidate, nowMillis = NOON, receiver = "example.com") =>
  Effect.flatMap(SendingStore, (sending) =>
    sending.claimOne({
      ...options(mailbox, nowMillis),
      campaignLeadId: lead.campaignLeadId,
      stepIndex: lead.stepsSent,
      variant: null,
      messageId: freshId(),
      hostId,
      receiver
    })
  )

/** What every store guarantees of the claims of own mailboxes, of windows, and of a mailbox's health. */
export const ownClaimsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`own claims (${name})`, (it) => {
    it.effect("they are no purchased mailboxes' claims, and the first who is due comes first", () =>
      Effect.gen(function* () {
        const hostId = freshId()
        const { leads, mailboxes, workspaceId } = yield* givenOwn(hostId, 2)
        assert.isEmpty(yield* claimsOf(workspaceId))
        const candidate = Option.getOrThrow(yield* next(mailboxes[0]!))
        assert.deepInclude(candidate, { workspaceKind: "live", failedTries: 0, thread: [], left: 25 })
        assert.strictEqual(candidate.lead.campaignLeadId, leads[0]?.campaignLeadId)
        assert.isTrue(yield* claim(hostId, candidate))
        const second = Option.getOrThrow(yield* next(mailboxes[0]!))
        assert.strictEqual(second.lead.campaignLeadId, leads[1]?.campaignLeadId)
        assert.strictEqual(second.left, 24)
      })
    )

    it.effect("many who may not be written to keep nobody behind them waiting", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const suppressions = yield* SuppressionStore
        const { leads, mailboxes, workspaceId } = yield* givenOwn(freshId(), 40)
        const addressHashes = leads.slice(0, 39).map(({ addressHash }) => addressHash)
        yield* atomically(suppressions.addAll({ workspaceId, addressHashes, source: "added", atMillis: NOON }))
        assert.strictEqual(Option.getOrThrow(yield* next(mailboxes[0]!)).lead.campaignLeadId, leads[39]?.campaignLeadId)
      })
    )

    it.effect("many at once claim a person's step once", () =>
      Effect.gen(function* () {
        const hostId = freshId()
        const { mailboxes } = yield* givenOwn(hostId, 1)
        const candidate = Option.getOrThrow(yield* next(mailboxes[0]!))
        const claims = yield* Effect.replicateEffect(claim(hostId, candidate), CLAIMERS, { concurrency: "unbounded" })
        assert.lengthOf(
          claims.filter((one) => one),
          1
        )
      })
    )

    it.effect("only who holds the mailbox claims, and while it need not rest", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const owns = yield* OwnMailboxStore
        const hostId = freshId()
        const { mailboxes, workspaceId } = yield* givenOwn(hostId, 1)
        const mailbox = mailboxes[0]!
        const candidate = Option.getOrThrow(yield* next(mailbox))
        assert.isFalse(yield* claim(freshId(), candidate))
        yield* owns.release(hostId, [mailbox.mailboxId])
        assert.isFalse(yield* claim(hostId, candidate))
        yield* owns.hold({ hostId, limit: 1_000, millis: HOLD_MILLIS })
        yield* atomically(sending.restMailbox(workspaceId, mailbox.mailboxId, NOON + MINUTE))
        yield* atomically(sending.restMailbox(workspaceId, mailbox.mailboxId, NOON))
        assert.isTrue(Option.isNone(yield* next(mailbox)))
        assert.isFalse(yield* claim(hostId, candidate))
        assert.isTrue(yield* claim(hostId, candidate, NOON + MINUTE))
      })
    )

    it.effect("caps of mailbox, ramp and workspace hold, however many claim at once", () =>
      Effect.gen(function* () {
        const hostId = freshId()
        const ramped = yield* givenOwn(hostId, STARTS.mailbox.first + 2, { isNew: true })
        for (let left: number = STARTS.mailbox.first; left > 0; left -= 1) {
          const candidate = Option.getOrThrow(yield* next(ramped.mailboxes[0]!))
          assert.strictEqual(candidate.left, left)
          assert.isTrue(yield* claim(hostId, candidate))
        }
        assert.isTrue(Option.isNone(yield* next(ramped.mailboxes[0]!)))
        const late = yield* next(ramped.mailboxes[0]!, NOON + HOUR)
        assert.isTrue(Option.isNone(late))

        const crowded = yield* givenOwn(hostId, CLAIMERS, { mailboxes: CLAIMERS, caps: { dailySends: 3 } })
        const candidates = yield* Effect.forEach(crowded.mailboxes, (mailbox) => next(mailbox))
        const claims = yield* Effect.forEach(candidates, (one) => claim(hostId, Option.getOrThrow(one)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          claims.filter((one) => one),
          3
        )
      })
    )

    it.effect("nothing is claimed outside a campaign's window, and closed windows are found to be moved on", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const hostId = freshId()
        const { campaign, mailboxes, workspaceId } = yield* givenOwn(hostId, 1)
        const mailbox = mailboxes[0]!
        const candidate = Option.getOrThrow(yield* next(mailbox))
        const { campaignId } = campaign
        const set = (opensAtMillis: number, closesAtMillis: number) =>
          atomically(sending.setWindows([{ workspaceId, campaignId, hours: null, opensAtMillis, closesAtMillis }]))
        yield* set(NOON + 1, NOON + HOUR)
        assert.isTrue(Option.isNone(yield* next(mailbox)))
        assert.isFalse(yield* claim(hostId, candidate))
        assert.isFalse(yield* claim(hostId, candidate, NOON + HOUR))
        const closed = (nowMillis: number) =>
          Effect.map(atomically(sending.lockClosedWindows(nowMillis, 1_000)), (found) =>
            found.filter((one) => one.workspaceId === workspaceId)
          )
        assert.isEmpty(yield* closed(NOON + HOUR - 1))
        assert.deepStrictEqual(yield* closed(NOON + HOUR), [
          { workspaceId, campaignId, hours: null, schedule: campaign.schedule }
        ])
        const theirs = { workspaceId, campaignId, hours: "Asia/Tokyo", opensAtMillis: NOON, closesAtMillis: NOON + 2 }
        yield* atomically(sending.setWindows([theirs]))
        assert.deepStrictEqual(yield* closed(NOON + 2), [
          { workspaceId, campaignId, hours: "Asia/Tokyo", schedule: campaign.schedule }
        ])
        yield* atomically(sending.setWindows([{ ...theirs, closesAtMillis: NOON + 2 * HOUR }]))
        assert.isEmpty(yield* closed(NOON + 2))
        assert.isTrue(yield* claim(hostId, candidate, NOON + 1))

        const bought = yield* givenMailboxes(workspaceId, 1)
        const other = yield* givenLaunched(workspaceId, bought, ["window@example.com"])
        const of = { workspaceId, campaignId: other.campaign.campaignId, hours: null }
        yield* atomically(sending.setWindows([{ ...of, opensAtMillis: NOON - HOUR, closesAtMillis: NOON }]))
        assert.isEmpty(yield* claimsOf(workspaceId))
        assert.lengthOf(yield* claimsOf(workspaceId, NOON - 1), 1)
      })
    )

    it.effect("tries that failed are counted for their step, and a mailbox's health for its last messages", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const hostId = freshId()
        const { leads, mailboxes, workspaceId } = yield* givenOwn(hostId, 3)
        const mailbox = mailboxes[0]!
        const message = {
          workspaceId,
          campaignId: Option.getOrThrow(yield* next(mailbox)).campaign.campaignId,
          campaignLeadId: leads[0]?.campaignLeadId ?? "",
          mailboxId: mailbox.mailboxId,
          stepIndex: 0,
          variant: null,
          state: "failed" as const,
          claimedAtMillis: NOON,
          sentAtMillis: null
        }
        const fail = Effect.suspend(() =>
          atomically(sending.insertFailed({ ...message, messageId: freshId() }, leads[0]?.addressHash ?? "", null))
        )
        yield* Effect.replicateEffect(fail, 2)
        assert.deepInclude(Option.getOrThrow(yield* next(mailbox)), { failedTries: 2, left: 25 })
        const sent: Array<string> = []
        for (let index = 0; index < 3; index += 1) {
          const candidate = Option.getOrThrow(yield* next(mailbox))
          assert.isTrue(yield* claim(hostId, candidate))
          const [claimed] = yield* sending.staleClaimsOf(workspaceId, mailbox.mailboxId, NOON + 1, 10)
          assert.isEmpty(yield* sending.staleClaimsOf(workspaceId, mailbox.mailboxId, NOON, 10))
          yield* atomically(
            sending.endMessage(
              { ...claimed!, state: "sent", sentAtMillis: NOON + index },
              candidate.lead.addressHash,
              null
            )
          )
          sent.push(claimed!.messageId)
        }
        const outcome = (index: number, kind: "hard_bounce" | "complaint") =>
          atomically(sending.setOutcome(workspaceId, sent[index] ?? "", kind))
        yield* outcome(0, "hard_bounce")
        yield* outcome(2, "complaint")
        yield* outcome(2, "hard_bounce")
        const health = (last: number) => sending.health(workspaceId, mailbox.mailboxId, last)
        assert.deepStrictEqual(yield* health(500), { sent: 3, hardBounces: 1, complaints: 1 })
        assert.deepStrictEqual(yield* health(2), { sent: 2, hardBounces: 0, complaints: 1 })
      })
    )

    it.effect("who reports several messages of a mailbox counts once in its health", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const campaigns = yield* CampaignStore
        const hostId = freshId()
        const { leads, mailboxes, workspaceId } = yield* givenOwn(hostId, 2)
        const mailbox = mailboxes[0]!
        const outcomes = new Map([
          [leads[0]?.campaignLeadId, ["hard_bounce", "hard_bounce"]],
          [leads[1]?.campaignLeadId, ["complaint", "hard_bounce"]]
        ] as const)
        for (let messages = 0; messages < 4; messages += 1) {
          const candidate = Option.getOrThrow(yield* next(mailbox))
          const { lead } = candidate
          assert.isTrue(yield* claim(hostId, candidate))
          const [claimed] = yield* sending.staleClaimsOf(workspaceId, mailbox.mailboxId, NOON + 1, 10)
          const { addressHash, campaignLeadId, stepsSent } = lead
          yield* atomically(
            Effect.gen(function* () {
              yield* sending.endMessage({ ...claimed!, state: "sent", sentAtMillis: NOON }, addressHash, null)
              yield* campaigns.updateLead({ ...lead, state: "active", stepsSent: stepsSent + 1 })
              const outcome = outcomes.get(campaignLeadId)?.[stepsSent]
              yield* sending.setOutcome(workspaceId, claimed?.messageId ?? "", outcome ?? "refused")
            })
          )
        }
        const found = yield* sending.health(workspaceId, mailbox.mailboxId, 500)
        assert.deepStrictEqual(found, { sent: 4, hardBounces: 2, complaints: 1 })
      })
    )

    it.effect("refusals are counted by people, each by their newest message, and by who receives their mail", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { campaign, leads, mailboxes, workspaceId } = yield* givenOwn(freshId(), 4)
        const { mailboxId } = mailboxes[0]!
        const tried = (person: number, minute: number, receiver: string, isRefused = true) => {
          const { addressHash, campaignLeadId } = leads[person]!
          const { campaignId } = campaign
          const message = {
            workspaceId,
            messageId: freshId(),
            campaignId,
            campaignLeadId,
            mailboxId,
            stepIndex: 0,
            variant: null,
            state: "failed" as const,
            claimedAtMillis: NOON + minute * MINUTE,
            sentAtMillis: null
          }
          return Effect.as(atomically(sending.insertFailed(message, addressHash, { receiver, isRefused })), message)
        }
        const counted = (receiver: string, minute = 0) =>
          sending.refusals(workspaceId, mailboxId, receiver, NOON + minute * MINUTE)
        const none = { mailbox: { people: 0, refused: 0, receivers: 0 }, receiver: { people: 0, refused: 0 } }
        assert.deepStrictEqual(yield* counted("a.test"), none)
        yield* tried(0, 1, "a.test")
        yield* tried(0, 2, "a.test")
        const second = yield* tried(1, 3, "b.test")
        // A failure that says nothing of the sender counts for nobody.
        yield* tried(2, 4, "b.test", false)
        assert.deepStrictEqual(yield* counted("a.test"), {
          mailbox: { people: 2, refused: 2, receivers: 2 },
          receiver: { people: 1, refused: 1 }
        })
        assert.deepStrictEqual(yield* counted("b.test", 3), {
          mailbox: { people: 1, refused: 1, receivers: 1 },
          receiver: { people: 1, refused: 1 }
        })
        assert.strictEqual(Option.getOrNull(yield* sending.receiverOf(workspaceId, second.messageId)), "b.test")
        assert.isTrue(Option.isNone(yield* sending.receiverOf(workspaceId, freshId())))

        const rest = {
          workspaceId,
          mailboxId,
          receiver: "b.test",
          restsUntilMillis: NOON + 5 * MINUTE,
          times: 1,
          status: "5.7.1",
          says: "no"
        }
        assert.isTrue(Option.isNone(yield* sending.receiverRest(workspaceId, mailboxId, "b.test")))
        yield* atomically(sending.setReceiverRest(rest))
        yield* atomically(sending.setReceiverRest({ ...rest, times: 2, says: "still no" }))
        assert.deepStrictEqual(Option.getOrNull(yield* sending.receiverRest(workspaceId, mailboxId, "b.test")), {
          ...rest,
          times: 2,
          says: "still no"
        })
        const room = (at: string) => sending.roomAt(options(mailboxes[0]!, NOON), at)
        assert.strictEqual((yield* room("b.test")).restsUntilMillis, rest.restsUntilMillis)
        assert.isNull((yield* room("a.test")).restsUntilMillis)
        // What was refused before its rest ended was answered by the rest.
        assert.deepStrictEqual((yield* counted("b.test")).receiver, { people: 0, refused: 0 })
        assert.strictEqual((yield* counted("b.test")).mailbox.refused, 2)
      })
    )

    it.effect("leads of one domain are put off together, and nobody else", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { mailboxes } = yield* givenOwn(freshId(), 3)
        const mailbox = mailboxes[0]!
        yield* sending.putOff(mailbox, "elsewhere.example", NOON + HOUR, 10)
        assert.isTrue(Option.isSome(yield* next(mailbox)))
        yield* sending.putOff(mailbox, "example.com", NOON + HOUR, 2)
        assert.strictEqual(Option.getOrThrow(yield* next(mailbox)).lead.email, "person-2@example.com")
        yield* sending.putOff(mailbox, "example.com", NOON + HOUR, 10)
        assert.isTrue(Option.isNone(yield* next(mailbox)))
        assert.isTrue(Option.isSome(yield* next(mailbox, NOON + HOUR)))
      })
    )
  })
}
