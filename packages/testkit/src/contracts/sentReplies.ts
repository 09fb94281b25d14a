import { assert, it } from "@effect/vitest"
import { KillStore } from "@outbound/domain/control/KillStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { type InterestSync, InterestSyncStore } from "@outbound/domain/outreach/interest/InterestSyncStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { type SentReply, SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { addressHashOf, DAY, freshId, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"
import { makeCampaign, makeLead } from "./outboundFixtures.js"

type Stores = KillStore | CampaignStore | InterestSyncStore | ReplyStore | SentReplyStore | UnitOfWork | WorkspaceStore

const MIDNIGHT = NOON - (NOON % DAY)

/** What every store of our answers, and of what is to be mirrored, guarantees. */
export const sentRepliesContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const givenReply = (workspaceId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const [campaigns, replies] = [yield* CampaignStore, yield* ReplyStore]
      const campaign = makeCampaign({ workspaceId })
      const lead = makeLead(workspaceId, `${freshId()}@x.test`)
      const { campaignId } = campaign
      const { campaignLeadId } = lead
      const replyId = freshId()
      yield* atomically(
        Effect.andThen(
          campaigns.insert(campaign, [lead]),
          replies.insert({
            workspaceId,
            replyId,
            campaignId,
            campaignLeadId,
            threadId: campaignLeadId,
            fromEmail: lead.email,
            toEmail: "jo@acme-mail.test",
            subject: "Re: Hello",
            snippet: "Yes",
            bodyText: "Yes",
            bodyHtml: null,
            bodyTruncated: false,
            classification: "interested",
            messageId: null,
            inReplyTo: null,
            receivedAtMillis: NOON
          })
        )
      )
      return { workspaceId, replyId, campaignId, campaignLeadId }
    })

  const sentTo = (reply: Effect.Success<ReturnType<typeof givenReply>>, given: Partial<SentReply> = {}): SentReply => ({
    ...reply,
    sentReplyId: freshId(),
    threadId: reply.campaignLeadId,
    requestId: freshId(),
    approvalId: freshId(),
    mailboxId: freshId(),
    addressHash: addressHashOf(reply.workspaceId, "ann@x.test"),
    fromEmail: "jo@acme-mail.test",
    toEmail: "ann@x.test",
    subject: "Re: Hello \u{1F4EC}",
    bodyText: "Line\nline",
    references: ["a@x.test", "b@x.test"],
    state: "pending",
    createdAtMillis: NOON,
    askedAtMillis: null,
    sentAtMillis: null,
    lookUps: 0,
    ...given
  })

  const insert = (sent: SentReply) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* SentReplyStore
      yield* atomically(store.insert(sent))
      return sent
    })

  const update = (sent: SentReply) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* SentReplyStore
      yield* atomically(store.update(sent))
    })

  it.layer(adapter, SUITE)(`answers of ours (${name})`, (it) => {
    it.effect("one comes back as it was stored, moves on, and is known in its own workspace only", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const sent = yield* insert(sentTo(yield* givenReply(workspaceId)))
        const { campaignLeadId, replyId, requestId, sentReplyId } = sent
        const held = Option.some({ ...sent, references: [...sent.references] })
        assert.deepStrictEqual(yield* store.get(workspaceId, sentReplyId), held)
        assert.deepStrictEqual(yield* store.ofRequest(workspaceId, requestId), held)
        assert.deepStrictEqual(yield* store.answering(workspaceId, replyId), held)
        assert.deepStrictEqual(yield* atomically(store.lock(workspaceId, sentReplyId)), held)
        assert.deepStrictEqual(yield* atomically(store.lockAnswering(workspaceId, replyId)), held)
        assert.deepStrictEqual(yield* store.ofLead(workspaceId, campaignLeadId, 10), [Option.getOrThrow(held)])
        for (const stranger of [other.workspaceId]) {
          assert.isTrue(Option.isNone(yield* store.get(stranger, sentReplyId)))
          assert.isTrue(Option.isNone(yield* store.ofRequest(stranger, requestId)))
          assert.isTrue(Option.isNone(yield* store.answering(stranger, replyId)))
          assert.isEmpty(yield* store.ofLead(stranger, campaignLeadId, 10))
        }
        const unknown = { ...sent, state: "unknown" as const, askedAtMillis: NOON + 1, lookUps: 2 }
        yield* update(unknown)
        const found = { ...unknown, state: "sent" as const, sentAtMillis: NOON + 1 }
        yield* update(found)
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, sentReplyId)), found)
      })
    )

    it.effect("each reply has its own answer, each person their own, and nobody that of another", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const [first, second, open] = yield* Effect.replicateEffect(givenReply(workspaceId), 3)
        const answers = [yield* insert(sentTo(first!)), yield* insert(sentTo(second!, { createdAtMillis: NOON + 1 }))]
        const idOf = (found: Option.Option<SentReply>) => Option.getOrNull(found)?.sentReplyId ?? null
        for (const [reply, expected] of [
          [first!, answers[0]!.sentReplyId],
          [second!, answers[1]!.sentReplyId],
          [open!, null]
        ] as const) {
          assert.strictEqual(idOf(yield* store.answering(workspaceId, reply.replyId)), expected)
          assert.strictEqual(idOf(yield* atomically(store.lockAnswering(workspaceId, reply.replyId))), expected)
          assert.deepStrictEqual(
            (yield* store.ofLead(workspaceId, reply.campaignLeadId, 10)).map(({ sentReplyId }) => sentReplyId),
            expected === null ? [] : [expected]
          )
        }
      })
    )

    it.effect("who answers one reply at once as others sees what the first of them wrote", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const reply = yield* givenReply(workspaceId)
        const answer = atomically(
          Effect.gen(function* () {
            if (Option.isSome(yield* store.lockAnswering(workspaceId, reply.replyId))) return "answered"
            yield* store.insert(sentTo(reply))
            return "answers"
          })
        )
        const made = yield* Effect.replicateEffect(answer, 8, { concurrency: "unbounded" })
        assert.lengthOf(
          made.filter((one) => one === "answers"),
          1
        )
      })
    )

    it.effect("one that passed its last check may be leaving until it has ended: a kill names its campaign", () =>
      Effect.gen(function* () {
        const { inFlight } = yield* KillStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const replies = yield* Effect.replicateEffect(givenReply(workspaceId), 3)
        const [waiting, leaving, ended] = yield* Effect.forEach(replies, (reply) => insert(sentTo(reply)))
        const theirs = yield* insert(sentTo(yield* givenReply(other.workspaceId)))
        assert.isEmpty(yield* inFlight(workspaceId), "none has been asked for")
        for (const sent of [leaving!, ended!, theirs]) yield* update({ ...sent, askedAtMillis: NOON })
        yield* update({ ...ended!, askedAtMillis: NOON, state: "sent", sentAtMillis: NOON })
        assert.deepStrictEqual(yield* inFlight(workspaceId), [leaving!.campaignId])
        yield* update({ ...waiting!, askedAtMillis: NOON })
        const both = [waiting!.campaignId, leaving!.campaignId].toSorted()
        assert.deepStrictEqual(yield* inFlight(workspaceId), both)
        assert.deepStrictEqual(yield* inFlight(other.workspaceId), [theirs.campaignId])
      })
    )

    it.effect("an inbound message has one answer at most, and another once that has failed", () =>
      Effect.gen(function* () {
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const reply = yield* givenReply(workspaceId)
        const first = yield* insert(sentTo(reply))
        assert.isTrue((yield* Effect.exit(insert(sentTo(reply))))._tag === "Failure")
        yield* update({ ...first, state: "failed" })
        assert.isTrue(Option.isNone(yield* store.answering(workspaceId, reply.replyId)))
        const second = yield* insert(sentTo(reply))
        const listed = yield* store.ofLead(workspaceId, reply.campaignLeadId, 10)
        assert.deepStrictEqual(
          listed.map(({ sentReplyId }) => sentReplyId),
          [second.sentReplyId]
        )
      })
    )

    it.effect("what was sent or may have been counts for its day, by workspace and mailbox; what failed does not", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const [store, workspaces] = [yield* SentReplyStore, yield* WorkspaceStore]
        const { workspaceId } = yield* givenWorkspace()
        const mailboxId = freshId()
        const given: ReadonlyArray<Partial<SentReply>> = [
          { mailboxId },
          { mailboxId, state: "sent", askedAtMillis: NOON, sentAtMillis: NOON },
          { state: "unknown", askedAtMillis: NOON },
          { mailboxId, state: "failed" },
          { mailboxId, createdAtMillis: MIDNIGHT - 1 },
          { createdAtMillis: MIDNIGHT }
        ]
        for (const one of given) yield* insert(sentTo(yield* givenReply(workspaceId), one))
        const counted = { workspace: 4, mailbox: 2 }
        assert.deepStrictEqual({ ...(yield* store.ofDay(workspaceId, mailboxId, MIDNIGHT)) }, counted)
        assert.deepStrictEqual({ ...(yield* atomically(store.lockDay(workspaceId, mailboxId, MIDNIGHT))) }, counted)
        assert.deepStrictEqual({ ...(yield* store.ofDay(workspaceId, null, MIDNIGHT)) }, { workspace: 4, mailbox: 0 })
        assert.strictEqual((yield* workspaces.sentToday(workspaceId, MIDNIGHT)).replies, 4)
        assert.strictEqual((yield* workspaces.sentToday(workspaceId, MIDNIGHT + DAY)).replies, 0)
      })
    )

    it.effect("those who count and send at once never pass a cap", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxId = freshId()
        const replies = yield* Effect.replicateEffect(givenReply(workspaceId), 12)
        const send = (reply: (typeof replies)[number]) =>
          atomically(
            Effect.gen(function* () {
              const { mailbox } = yield* store.lockDay(workspaceId, mailboxId, MIDNIGHT)
              if (mailbox >= 5) return false
              yield* store.insert(sentTo(reply, { mailboxId }))
              return true
            })
          )
        const let_through = yield* Effect.forEach(replies, send, { concurrency: "unbounded" })
        assert.lengthOf(
          let_through.filter((sent) => sent),
          5
        )
      })
    )

    it.effect("nor that of the workspace, whichever mailboxes they send from", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SentReplyStore
        const { workspaceId } = yield* givenWorkspace()
        const replies = yield* Effect.replicateEffect(givenReply(workspaceId), 12)
        const send = (reply: (typeof replies)[number]) =>
          atomically(
            Effect.gen(function* () {
              const mailboxId = freshId()
              const { workspace } = yield* store.lockDay(workspaceId, mailboxId, MIDNIGHT)
              if (workspace >= 5) return false
              yield* store.insert(sentTo(reply, { mailboxId }))
              return true
            })
          )
        const sent = yield* Effect.forEach(replies, send, { concurrency: "unbounded" })
        assert.lengthOf(sent.filter(Boolean), 5)
      })
    )

    it.effect("answering is on until it is switched off, each workspace for itself", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspaces = yield* WorkspaceStore
        const [one, two] = [yield* givenWorkspace(), yield* givenWorkspace()]
        assert.isTrue(yield* workspaces.replySend(one.workspaceId))
        yield* atomically(workspaces.setReplySend(one.workspaceId, false))
        assert.isFalse(yield* workspaces.replySend(one.workspaceId))
        assert.isTrue(yield* workspaces.replySend(two.workspaceId))
        yield* atomically(workspaces.setReplySend(one.workspaceId, true))
        assert.isTrue(yield* workspaces.replySend(one.workspaceId))
      })
    )

    it.effect("of what is to be mirrored the last counts, and what was said since is not ended with it", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const syncs = yield* InterestSyncStore
        const { workspaceId } = yield* givenWorkspace()
        const first: InterestSync = {
          workspaceId,
          campaignLeadId: freshId(),
          interest: "interested",
          requestId: freshId(),
          attempts: 0,
          dueAtMillis: NOON
        }
        const due = (atMillis: number) =>
          Effect.map(atomically(syncs.lockDue(atMillis, 1_000)), (found) =>
            found.filter((sync) => sync.workspaceId === workspaceId)
          )
        yield* atomically(syncs.put(first))
        assert.deepStrictEqual(yield* due(NOON), [first])
        assert.isEmpty(yield* due(NOON - 1))
        const second = { ...first, interest: "won" as const, requestId: freshId(), dueAtMillis: NOON + MINUTE }
        yield* atomically(syncs.put(second))
        assert.isFalse(yield* atomically(syncs.end(first)))
        assert.deepStrictEqual(yield* due(NOON + MINUTE), [second])
        assert.isTrue(yield* atomically(syncs.end(second)))
        assert.isFalse(yield* atomically(syncs.end(second)))
        assert.isEmpty(yield* due(NOON + DAY))
      })
    )
  })
}
