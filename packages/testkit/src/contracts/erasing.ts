import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { type ErasureRequest, ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { LeftOutPerson } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import { ContentStore, type ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { type Reply, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { type SentReply, SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf, move } from "./campaignFixtures.js"
import { addressHashOf, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { claimsOf, givenLaunched, givenMailboxes } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | ContentStore
  | ErasureStore
  | Inbound
  | ReplyStore
  | SendingStore
  | SentReplyStore
  | UnitOfWork
  | WorkspaceStore

const ANN = "ann@example.com"
const BOB = "bob@example.com"

const LEAVING = LeadMachine.in.open

export const personIn = (workspaceId: string, email: string) => ({
  workspaceId,
  email,
  addressHash: addressHashOf(workspaceId, email)
})

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

/** Ann and Bob in a first campaign, Ann in a second one, and another Ann in another workspace. */
const somebody = Effect.gen(function* () {
  const { workspaceId } = yield* givenWorkspace()
  const { workspaceId: elsewhere } = yield* givenWorkspace()
  const mailboxes = yield* givenMailboxes(workspaceId, 1)
  const first = yield* givenLaunched(workspaceId, mailboxes, [ANN, BOB])
  const second = yield* givenLaunched(workspaceId, mailboxes, [ANN])
  const theirs = yield* givenLaunched(elsewhere, yield* givenMailboxes(elsewhere, 1), [ANN])
  const lead = ({ campaign, leads }: typeof first, at = 0) => ({
    workspaceId: campaign.workspaceId,
    campaignId: campaign.campaignId,
    campaignLeadId: leads[at]?.campaignLeadId ?? ""
  })
  return {
    workspaceId,
    elsewhere,
    ann: personIn(workspaceId, ANN),
    bob: personIn(workspaceId, BOB),
    stranger: personIn(elsewhere, ANN),
    launched: [first, second, theirs],
    leads: { first: lead(first), second: lead(second), bob: lead(first, 1), stranger: lead(theirs) }
  }
})

type Lead = Effect.Success<typeof somebody>["leads"]["first"]

const BLANK = { fromEmail: "", subject: "", snippet: "", bodyText: "", bodyHtml: null, messageId: null }

const replyOf = (lead: Lead, given: Partial<Reply> = {}): Reply => ({
  ...lead,
  ...BLANK,
  replyId: freshId(),
  threadId: lead.campaignLeadId,
  toEmail: "jo@acme-mail.test",
  bodyTruncated: false,
  classification: "interested",
  inReplyTo: null,
  receivedAtMillis: NOON,
  ...given
})

const answerOf = (lead: Lead, given: Partial<SentReply> = {}): SentReply => ({
  ...lead,
  replyId: freshId(),
  sentReplyId: freshId(),
  threadId: lead.campaignLeadId,
  requestId: freshId(),
  approvalId: freshId(),
  mailboxId: freshId(),
  addressHash: addressHashOf(lead.workspaceId, "somebody@else.test"),
  fromEmail: "jo@acme-mail.test",
  toEmail: "",
  subject: "",
  bodyText: "",
  references: [],
  state: "sent",
  createdAtMillis: NOON,
  askedAtMillis: NOON,
  sentAtMillis: NOON,
  lookUps: 0,
  ...given
})

const inserted = {
  reply: (reply: Reply) =>
    Effect.as(
      Effect.flatMap(ReplyStore, (store) => within(store.insert(reply))),
      reply
    ),
  /** With the reply that it answers. */
  answer: (sent: SentReply) =>
    Effect.gen(function* () {
      const { campaignId, campaignLeadId, replyId, workspaceId } = sent
      yield* inserted.reply(replyOf({ workspaceId, campaignId, campaignLeadId }, { replyId }))
      yield* within((yield* SentReplyStore).insert(sent))
      return sent
    })
}

const requestOf = (workspaceId: string, given: Partial<ErasureRequest> = {}): ErasureRequest => ({
  workspaceId,
  erasureId: freshId(),
  addressHash: addressHashOf(workspaceId, ANN),
  requestedByUserId: null,
  requestedAtMillis: NOON,
  fingerprints: [],
  told: false,
  finishedAtMillis: null,
  ...given
})

/** What every store of erasures guarantees: one person is gone, and nobody beside them. */
export const erasingContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`erasures (${name})`, (it) => {
    it.effect(
      "a person has one unfinished request; another person, another workspace and a later one have theirs",
      () =>
        Effect.gen(function* () {
          const store = yield* ErasureStore
          const { workspaceId } = yield* givenWorkspace()
          const { workspaceId: elsewhere } = yield* givenWorkspace()
          const first = requestOf(workspaceId, { requestedByUserId: freshId(), fingerprints: ["a", "b"] })
          assert.deepStrictEqual(yield* within(store.open(first)), first)
          assert.deepStrictEqual(yield* within(store.open(requestOf(workspaceId))), first)
          const bob = requestOf(workspaceId, { addressHash: addressHashOf(workspaceId, BOB) })
          const stranger = requestOf(elsewhere, { addressHash: first.addressHash })
          for (const other of [bob, stranger]) assert.deepStrictEqual(yield* within(store.open(other)), other)
          yield* within(store.finish(first, NOON + HOUR))
          const later = requestOf(workspaceId, { requestedAtMillis: NOON + 2 * HOUR })
          assert.deepStrictEqual(yield* within(store.open(later)), later)
          const stored = (workspace: string, { erasureId }: ErasureRequest) =>
            Effect.map(store.get(workspace, erasureId), Option.getOrNull)
          assert.deepStrictEqual(yield* stored(workspaceId, first), {
            ...first,
            fingerprints: [],
            finishedAtMillis: NOON + HOUR
          })
          assert.deepStrictEqual(yield* stored(workspaceId, bob), bob)
          assert.isNull(yield* stored(elsewhere, first))
        })
    )

    it.effect("what was told stays told, and what is finished changes no more", () =>
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { workspaceId } = yield* givenWorkspace()
        const request = yield* within(store.open(requestOf(workspaceId)))
        const beside = yield* within(store.open(requestOf(workspaceId, { addressHash: "bob" })))
        const now = Effect.map(store.get(workspaceId, request.erasureId), Option.getOrThrow)
        yield* within(store.update({ ...request, fingerprints: ["a"], told: true }))
        yield* within(store.update({ ...request, fingerprints: ["a", "b"], told: false }))
        assert.deepStrictEqual(yield* now, { ...request, fingerprints: ["a", "b"], told: true })
        yield* within(store.update({ ...request, workspaceId: freshId(), fingerprints: ["x"] }))
        yield* within(store.finish({ ...request, workspaceId: freshId() }, NOON))
        assert.deepStrictEqual(yield* now, { ...request, fingerprints: ["a", "b"], told: true })
        yield* within(store.finish(request, NOON + HOUR))
        yield* within(store.finish(request, NOON + 2 * HOUR))
        yield* within(store.update({ ...request, fingerprints: ["late"] }))
        const finished = { ...request, fingerprints: [], told: true, finishedAtMillis: NOON + HOUR }
        assert.deepStrictEqual(yield* now, finished)
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, beside.erasureId)), beside)
      })
    )

    it.effect("a person's leads are blanked in every campaign, some at a time, and end where they had not", () =>
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { ann, leads, workspaceId } = yield* somebody
        yield* move(workspaceId, leads.second.campaignLeadId, "active", "replied")
        const of = ({ campaignLeadId, workspaceId }: Lead) => leadOf(workspaceId, campaignLeadId)
        const [before, answered] = [yield* of(leads.first), yield* of(leads.second)]
        const [bob, stranger] = [yield* of(leads.bob), yield* of(leads.stranger)]
        const erase = within(store.eraseLeads(ann, LEAVING, 1))
        const told = ({ campaignId, campaignLeadId }: Lead) => ({ campaignId, campaignLeadId })
        assert.deepStrictEqual(yield* erase, [told(leads.first)])
        assert.strictEqual((yield* of(leads.second)).email, ANN)
        assert.deepStrictEqual(yield* erase, [told(leads.second)])
        assert.isEmpty(yield* erase)
        const blank = {
          email: "",
          firstName: null,
          lastName: null,
          companyName: null,
          custom: {},
          evidence: null,
          nextAtMillis: null
        }
        const originOf = (origin: typeof before.origin) => (origin === null ? null : { ...origin, file: null })
        const gone = { ...before, ...blank, origin: originOf(before.origin), state: "removed" }
        assert.deepStrictEqual<object>(yield* of(leads.first), gone)
        const kept = { ...answered, ...blank, origin: originOf(answered.origin), state: "replied" }
        assert.deepStrictEqual<object>(yield* of(leads.second), kept)
        assert.deepStrictEqual([yield* of(leads.bob), yield* of(leads.stranger)], [bob, stranger])
      })
    )

    it.effect("whatever a reply of theirs holds is blanked once, some at a time", () =>
      Effect.gen(function* () {
        const [store, replies] = [yield* ErasureStore, yield* ReplyStore]
        const { ann, leads } = yield* somebody
        const each: ReadonlyArray<Partial<Reply>> = [
          { fromEmail: ANN },
          { subject: "Re: Hello" },
          { snippet: "Yes" },
          { bodyText: "Yes" },
          { bodyHtml: "<p>Yes</p>" },
          { messageId: `${freshId()}@example.com` }
        ]
        const theirs = yield* Effect.forEach([...each, {}], (given, at) =>
          inserted.reply(replyOf(at % 2 === 0 ? leads.first : leads.second, given))
        )
        const whole = { fromEmail: BOB, subject: "Re: Hello", snippet: "No", bodyText: "No" }
        const beside = yield* Effect.forEach([leads.bob, leads.stranger], (lead) =>
          inserted.reply(replyOf(lead, whole))
        )
        const erase = (limit: number) => within(store.eraseReplies(ann, limit))
        assert.deepStrictEqual([yield* erase(4), yield* erase(4), yield* erase(4)], [4, 2, 0])
        const now = ({ replyId, workspaceId }: Reply) =>
          Effect.map(replies.get(workspaceId, replyId), (found) => {
            const { bodyHtml, bodyText, fromEmail, messageId, snippet, subject } = Option.getOrThrow(found).reply
            return { fromEmail, subject, snippet, bodyText, bodyHtml, messageId }
          })
        for (const reply of theirs) assert.deepStrictEqual(yield* now(reply), BLANK)
        for (const reply of beside) assert.deepStrictEqual(yield* now(reply), { ...BLANK, ...whole })
      })
    )

    it.effect("our answers to them, and in their threads, are blanked once, some at a time", () =>
      Effect.gen(function* () {
        const [store, answers] = [yield* ErasureStore, yield* SentReplyStore]
        const { ann, leads, stranger } = yield* somebody
        const { addressHash } = ann
        const theirs = yield* Effect.forEach(
          [
            answerOf(leads.bob, { addressHash, toEmail: ANN, references: ["a@x.test"] }),
            answerOf(leads.first, { subject: "Re: Hello" }),
            answerOf(leads.second, { bodyText: "Here you are." }),
            answerOf(leads.first, { addressHash })
          ],
          inserted.answer
        )
        const whole = { toEmail: BOB, subject: "Re: Hello", bodyText: "Thank you.", references: ["b@x.test"] }
        const beside = yield* Effect.forEach(
          [answerOf(leads.bob, whole), answerOf(leads.stranger, { ...whole, addressHash: stranger.addressHash })],
          inserted.answer
        )
        const erase = within(store.eraseAnswers(ann, 2))
        assert.deepStrictEqual([yield* erase, yield* erase, yield* erase], [2, 1, 0])
        const now = ({ sentReplyId, workspaceId }: SentReply) =>
          Effect.map(answers.get(workspaceId, sentReplyId), Option.getOrThrow)
        const blank = { toEmail: "", subject: "", bodyText: "", references: [] }
        for (const sent of theirs) assert.deepStrictEqual(yield* now(sent), { ...sent, ...blank })
        for (const sent of beside) assert.deepStrictEqual(yield* now(sent), sent)
      })
    )

    it.effect(
      "they leave the approvals that showed them and the notes of whom campaigns left out, some at a time",
      () =>
        Effect.gen(function* () {
          const [store, content, campaigns] = [yield* ErasureStore, yield* ContentStore, yield* CampaignStore]
          const { ann, bob, launched, stranger } = yield* somebody
          const shown = ({ addressHash, email }: typeof ann): ShownPerson => ({
            shownId: freshId(),
            addressHash,
            email,
            firstName: null,
            lastName: null,
            companyName: null,
            custom: {},
            digest: "digest",
            words: null,
            looks: [],
            hosts: [],
            evidence: null
          })
          const left = ({ addressHash, email }: typeof ann): LeftOutPerson => ({
            leftOutId: freshId(),
            addressHash,
            reason: "opted_out",
            detail: { email, index: null, faults: [], given: null }
          })
          const same = { ...stranger, addressHash: ann.addressHash }
          for (const { approval, campaign } of launched) {
            const { campaignId, workspaceId } = campaign
            const people = workspaceId === ann.workspaceId ? [ann, bob] : [same]
            yield* within(content.insert(workspaceId, approval.approvalId, people.map(shown)))
            yield* within(campaigns.leaveOut(workspaceId, campaignId, people.map(left)))
          }
          for (const forget of [store.forgetShown, store.forgetLeftOut]) {
            const counts = (of: typeof ann) => within(forget(of, 1))
            assert.deepStrictEqual([yield* counts(ann), yield* counts(ann), yield* counts(ann)], [1, 1, 0])
            assert.deepStrictEqual([yield* within(forget(bob, 9)), yield* within(forget(same, 9))], [2, 1])
          }
        })
    )

    it.effect("mail of theirs that waits is taken out in its order, whatever says that it is theirs", () =>
      Effect.gen(function* () {
        const [store, inbound, replies] = [yield* ErasureStore, yield* Inbound, yield* ReplyStore]
        const { ann, elsewhere, leads, workspaceId } = yield* somebody
        const claims = [...(yield* claimsOf(workspaceId)), ...(yield* claimsOf(elsewhere))]
        const messageTo = ({ campaignLeadId }: Lead) =>
          claims.find(({ lead }) => lead.campaignLeadId === campaignLeadId)?.message.messageId ?? ""
        const toAnn = yield* inserted.answer(answerOf(leads.bob, { addressHash: ann.addressHash }))
        const inThread = yield* inserted.answer(answerOf(leads.second))
        const toBob = yield* inserted.answer(answerOf(leads.bob))
        const event = (given: Partial<InboundEvent>): InboundEvent => ({
          workspaceId,
          provider: "sandbox",
          providerEventId: freshId(),
          kind: "reply",
          source: "provider_poll",
          inReplyTo: `${freshId()}@acme-mail.test`,
          messageId: null,
          fromEmail: BOB,
          toEmail: null,
          subject: "Re: Hello",
          bodyText: "Yes, please.",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis: NOON,
          ...given
        })
        const answering = (id: string, given: Partial<InboundEvent> = {}) =>
          event({ inReplyTo: `<${id}@acme-mail.test>`, ...given })
        const theirs = [
          event({ fromEmail: ANN, receivedAtMillis: NOON - 4 }),
          answering(messageTo(leads.first), { receivedAtMillis: NOON - 3 }),
          answering(toAnn.sentReplyId, { receivedAtMillis: NOON - 2 }),
          answering(inThread.sentReplyId, { receivedAtMillis: NOON - 1 })
        ]
        // Another provider may name an event alike.
        const { providerEventId } = theirs[0]!
        const beside = [
          answering(messageTo(leads.bob)),
          answering(toBob.sentReplyId),
          event({ provider: "x", providerEventId })
        ]
        const others = [
          event({ workspaceId: elsewhere, fromEmail: ANN }),
          answering(messageTo(leads.stranger), { workspaceId: elsewhere })
        ]
        yield* inbound.receive([...theirs.toReversed(), ...beside, ...others])
        const taken = within(store.takeWaiting(ann, 3))
        assert.deepStrictEqual(yield* taken, theirs.slice(0, 3))
        assert.deepStrictEqual(yield* taken, theirs.slice(3))
        assert.isEmpty(yield* taken)
        const waiting = yield* within(replies.lockInbox(NOON, 1_000))
        assert.sameMembers(
          waiting
            .filter((one) => [workspaceId, elsewhere].includes(one.workspaceId))
            .map(({ providerEventId }) => providerEventId),
          [...beside, ...others].map(({ providerEventId }) => providerEventId)
        )
      })
    )
  })
}
