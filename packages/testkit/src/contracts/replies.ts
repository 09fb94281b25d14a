import { assert, it } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  type Handling,
  NOT_HANDLED,
  type Reply,
  type ReplyFilter,
  ReplyStore
} from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { addressHashOf, freshId, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"
import { makeCampaign, makeLead } from "./outboundFixtures.js"

/** What every store of replies guarantees; for its inbox see `inboxContract`. */
export const repliesContract = <E>(
  name: string,
  adapter: Layer.Layer<CampaignStore | ReplyStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const givenLead = (workspaceId?: string, email = "ann@x.test") =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const campaigns = yield* CampaignStore
      const owner = workspaceId ?? (yield* givenWorkspace()).workspaceId
      const campaign = makeCampaign({ workspaceId: owner })
      const lead = makeLead(owner, email)
      yield* atomically(campaigns.insert(campaign, [lead]))
      return { workspaceId: owner, campaignId: campaign.campaignId, campaignLeadId: lead.campaignLeadId }
    })

  type Lead = Effect.Success<ReturnType<typeof givenLead>>

  const givenReply = (lead: Lead, given: Partial<Reply> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* ReplyStore
      const reply: Reply = {
        ...lead,
        replyId: freshId(),
        threadId: null,
        fromEmail: "ann@x.test",
        toEmail: null,
        subject: "Re: Hello",
        snippet: "Sounds good",
        bodyText: "Sounds good",
        bodyHtml: null,
        bodyTruncated: false,
        classification: null,
        messageId: null,
        inReplyTo: null,
        receivedAtMillis: NOON,
        ...given
      }
      yield* atomically(store.insert(reply))
      return reply
    })

  const page = (workspaceId: string, given: Partial<ReplyFilter> = {}) =>
    Effect.flatMap(ReplyStore, (store) =>
      store.page({
        workspaceId,
        sinceMillis: null,
        campaignId: null,
        classification: null,
        limit: 50,
        after: null,
        ...given
      })
    )

  const ids = (replies: ReadonlyArray<Reply>) => replies.map(({ replyId }) => replyId)

  it.layer(adapter, SUITE)(`replies (${name})`, (it) => {
    it.effect("a reply comes back as it came in, with the person as they are now", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ReplyStore
        const campaigns = yield* CampaignStore
        const lead = yield* givenLead()
        const { campaignLeadId, workspaceId } = lead
        const reply = yield* givenReply(lead, {
          threadId: freshId(),
          toEmail: "jo@acme-mail.test",
          subject: 'Re: "Ünïcode" \u{1F4EC}',
          bodyText: "Line\r\nline\n\n-- \n",
          bodyHtml: "<p onclick='x()'>Hi &amp; bye</p><script>1</script>",
          bodyTruncated: true,
          classification: "interested",
          messageId: "b6@mail.x.test",
          inReplyTo: "b5@acme-mail.test",
          receivedAtMillis: NOON + 123
        })
        const state = {
          campaignLeadId,
          addressHash: addressHashOf(workspaceId, "ann@x.test"),
          email: "ann@x.test",
          state: "pending",
          interestStatus: null,
          providerSyncStatus: null
        } as const
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, reply.replyId)), { reply, lead: state })
        yield* atomically(
          Effect.gen(function* () {
            const found = yield* Effect.flatMap(campaigns.lockLead(workspaceId, campaignLeadId), Effect.fromOption)
            yield* campaigns.updateLead({ ...found, interestStatus: "won", providerSyncStatus: "synced" })
          })
        )
        const after = Option.getOrThrow(yield* store.get(workspaceId, reply.replyId))
        assert.deepStrictEqual(after.lead, { ...state, interestStatus: "won", providerSyncStatus: "synced" })
      })
    )

    it.effect("each of a workspace's replies is read with its own person, and its own handling", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ReplyStore
        const first = yield* givenLead()
        const { workspaceId } = first
        const leads = [first, yield* givenLead(workspaceId, "bob@x.test"), yield* givenLead(workspaceId, "cy@x.test")]
        const replies = yield* Effect.forEach(leads, (lead) => givenReply(lead))
        const people = yield* Effect.forEach(replies, ({ replyId }) =>
          Effect.map(store.get(workspaceId, replyId), (found) => {
            const { lead, reply } = Option.getOrThrow(found)
            return [lead.campaignLeadId, lead.email, lead.addressHash, reply.replyId]
          })
        )
        assert.deepStrictEqual(
          people,
          ["ann@x.test", "bob@x.test", "cy@x.test"].map((email, at) => [
            leads[at]!.campaignLeadId,
            email,
            addressHashOf(workspaceId, email),
            replies[at]!.replyId
          ])
        )
        yield* atomically(store.handle(workspaceId, replies[1]!.replyId, { handledAtMillis: NOON }))
        const asked = yield* store.handling(workspaceId, [replies[0]!.replyId, replies[1]!.replyId])
        assert.deepStrictEqual(
          [...asked].sort(),
          [
            [replies[0]!.replyId, NOT_HANDLED] as const,
            [replies[1]!.replyId, { ...NOT_HANDLED, handledAtMillis: NOON }] as const
          ].sort()
        )
      })
    )

    it.effect("another workspace's reply is as unknown as one that never was", () =>
      Effect.gen(function* () {
        const store = yield* ReplyStore
        const reply = yield* givenReply(yield* givenLead())
        const other = yield* givenLead()
        assert.isTrue(Option.isNone(yield* store.get(other.workspaceId, reply.replyId)))
        assert.isTrue(Option.isNone(yield* store.get(reply.workspaceId, freshId())))
        assert.deepStrictEqual(yield* page(other.workspaceId), [])
        assert.deepStrictEqual(yield* page(other.workspaceId, { campaignId: reply.campaignId }), [])
      })
    )

    it.effect("pages run newest first, without a gap or a repeat, also among replies of one moment", () =>
      Effect.gen(function* () {
        const lead = yield* givenLead()
        const minutes = [3, 1, 1, 1, 2, 1, 0]
        const replies = yield* Effect.forEach(minutes, (minute) =>
          givenReply(lead, { receivedAtMillis: NOON + minute * MINUTE })
        )
        const newestFirst = [...replies].sort(
          (a, b) => b.receivedAtMillis - a.receivedAtMillis || (a.replyId < b.replyId ? 1 : -1)
        )
        const seen: Array<string> = []
        let after: ReplyFilter["after"] = null
        for (let pages = 0; pages < replies.length; pages++) {
          const found: ReadonlyArray<Reply> = yield* page(lead.workspaceId, { limit: 2, after })
          seen.push(...ids(found))
          const last = found.at(-1)
          if (last === undefined) break
          after = { receivedAtMillis: last.receivedAtMillis, replyId: last.replyId }
        }
        assert.deepStrictEqual(seen, ids(newestFirst))
      })
    )

    it.effect("a page has the beginning of each body and of its HTML", () =>
      Effect.gen(function* () {
        const lead = yield* givenLead()
        const reply = yield* givenReply(lead, { bodyHtml: "<p>Sounds good</p>" })
        assert.deepStrictEqual(yield* page(lead.workspaceId), [reply])
      })
    )

    it.effect("filters narrow by campaign, classification and time, together too", () =>
      Effect.gen(function* () {
        const lead = yield* givenLead()
        const { campaignId, workspaceId } = lead
        const second = yield* givenLead(workspaceId)
        const a = yield* givenReply(lead, { classification: "interested", receivedAtMillis: NOON })
        const b = yield* givenReply(lead, { classification: "other", receivedAtMillis: NOON + 1 })
        const c = yield* givenReply(second, { classification: "interested", receivedAtMillis: NOON + 2 })
        const d = yield* givenReply(second, { receivedAtMillis: NOON + 3 })
        const found = (given: Partial<ReplyFilter>) => Effect.map(page(workspaceId, given), ids)
        assert.deepStrictEqual(yield* found({}), ids([d, c, b, a]))
        assert.deepStrictEqual(yield* found({ campaignId }), ids([b, a]))
        assert.deepStrictEqual(yield* found({ campaignId: freshId() }), [])
        assert.deepStrictEqual(yield* found({ classification: "interested" }), ids([c, a]))
        assert.deepStrictEqual(yield* found({ sinceMillis: NOON + 1 }), ids([d, c, b]))
        const away = yield* givenReply(lead, { classification: "out_of_office", receivedAtMillis: NOON + 4 })
        assert.deepStrictEqual(yield* found({}), ids([away, d, c, b, a]))
        assert.deepStrictEqual(yield* found({ classification: "people" }), ids([d, c, b, a]))
        assert.deepStrictEqual(yield* found({ campaignId, classification: "interested", sinceMillis: NOON }), ids([a]))
      })
    )

    it.effect("what people do about a reply is kept, narrows the page, and is no other workspace's", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ReplyStore
        const lead = yield* givenLead()
        const { workspaceId } = lead
        const a = yield* givenReply(lead, { fromEmail: "100%ann_b@x.test", subject: "Re: Ünits", snippet: "By rail" })
        const b = yield* givenReply(lead, { receivedAtMillis: NOON + 1 })
        const handle = (change: Partial<Handling>, of = workspaceId, replyId = a.replyId) =>
          atomically(store.handle(of, replyId, change))
        const handling = (of = workspaceId) => store.handling(of, [a.replyId, b.replyId, freshId()])
        assert.deepStrictEqual(
          [...(yield* handling()).entries()].sort(),
          [a, b].map(({ replyId }) => [replyId, NOT_HANDLED] as const).sort()
        )
        const ownerUserId = freshId()
        assert.isTrue(yield* handle({ readAtMillis: NOON }))
        assert.isTrue(
          yield* handle({ readAtMillis: NOON + 1, handledAtMillis: NOON + 2, ownerUserId, referral: "open" })
        )
        const now = { readAtMillis: NOON, handledAtMillis: NOON + 2, ownerUserId, referral: "open" as const }
        assert.deepStrictEqual((yield* handling()).get(a.replyId), now)
        assert.isTrue(yield* handle({ readAtMillis: NOON + 3 }))
        assert.deepStrictEqual((yield* handling()).get(a.replyId), now)
        const found = (given: Partial<ReplyFilter>) => Effect.map(page(workspaceId, given), ids)
        assert.deepStrictEqual(yield* found({ isOpen: true }), ids([b]))
        assert.deepStrictEqual(yield* found({ ownerUserId }), ids([a]))
        for (const referral of ["open", "any"] as const) assert.deepStrictEqual(yield* found({ referral }), ids([a]))
        for (const text of ["0%ANN_B", "re: ünits", "RAIL"]) assert.deepStrictEqual(yield* found({ text }), ids([a]))
        for (const text of ["1%a", "annxb", "\\"]) assert.deepStrictEqual(yield* found({ text }), [])
        assert.deepStrictEqual(yield* found({ text: "re:", isOpen: true }), ids([b]))
        yield* handle({ handledAtMillis: null, ownerUserId: null, referral: "declined" })
        assert.deepStrictEqual(yield* found({ isOpen: true }), ids([b, a]))
        assert.deepStrictEqual(yield* found({ referral: "open" }), [])
        assert.deepStrictEqual(yield* found({ referral: "any" }), ids([a]))
        assert.deepStrictEqual(yield* found({ referral: "any", campaignId: a.campaignId }), ids([a]))
        assert.deepStrictEqual(yield* found({ referral: "any", campaignId: freshId() }), [])
        const other = (yield* givenLead()).workspaceId
        assert.isFalse(yield* handle({ handledAtMillis: NOON }, other))
        assert.isFalse(yield* handle({ handledAtMillis: NOON }, workspaceId, freshId()))
        assert.strictEqual((yield* handling(other)).size, 0)
      })
    )

    it.effect("a reply in a body that fails never came", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const lead = yield* givenLead()
        yield* Effect.result(atomically(Effect.andThen(givenReply(lead), Effect.fail("refused"))))
        assert.deepStrictEqual(yield* page(lead.workspaceId), [])
      })
    )
  })
}
