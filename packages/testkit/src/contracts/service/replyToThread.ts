import { SUPPRESSION_SOURCES } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { type Client, decide, makeKey } from "../../service/Client.js"
import {
  answer,
  answered,
  answeredBy,
  answerer,
  approved,
  BODY,
  ourReplies,
  pauseMailboxes,
  sentAnswers,
  suppressAs
} from "./replyStories.js"
import {
  deliveries,
  freshKey,
  kindsOf,
  launched,
  ok,
  pass,
  refused,
  SCOPES,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf,
  work
} from "./stories.js"

const NO_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const approvalOf = (client: Client, approvalUrl: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const approvalId = approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)
    return Option.getOrThrow(yield* console.approval(client.workspaceId, approvalId)).approval
  }).pipe(Effect.orDie)

const switchReplies = (client: Client, enabled: boolean) =>
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(workspaces.setReplySend(client.workspaceId, enabled))
  }).pipe(Effect.orDie)

/** Answering in a thread (contract: replies, replying in a thread). */
export const replyToThreadContract = <E>(
  name: string,
  service: Layer.Layer<ServiceOnStores | Inbound | WorkspaceStore, E>
) => {
  describeLayer(service, SUITE)(`reply_to_thread (${name})`, (it) => {
    it.effect("asks a human, who sees what is sent and what it answers; then it is sent, once, in the thread", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const reply = yield* answered(client)
        const [message] = yield* deliveries(reply.campaign_id)
        const preview = {
          to_email: "interested@magic.test",
          from_email: message?.from.address ?? assert.fail("nobody wrote first"),
          subject: "Re: Hello",
          body_text: BODY
        }
        const { body_text: _, ...would } = preview
        const dry = ok(yield* answer(client, reply.reply_id, { dry_run: true })).result.plan
        assert.deepStrictEqual([dry.would, dry.would_exceed], [{ ...would, needs_confirmation: true }, []])
        const key = freshKey()
        const asked = ok(yield* answer(client, reply.reply_id, {}, key))
        assert.deepInclude(asked.result, { status: "needs_confirmation", preview })
        assert.strictEqual(asked.svc.credits_charged, "0")
        const { snapshot } = yield* approvalOf(client, asked.result.approval_url)
        const read = ok(yield* client.call("get_reply", { reply_id: reply.reply_id })).result
        assert.deepStrictEqual(snapshot, {
          kind: "reply",
          ...preview,
          reply_id: reply.reply_id,
          answers: {
            from_email: "interested@magic.test",
            subject: reply.subject,
            received_at: read.received_at,
            text: read.body_text,
            truncated: false
          }
        })

        const confirmation_token = asked.result.confirmation_token as string
        refused(yield* answer(client, reply.reply_id, { confirmation_token }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        refused(yield* answer(client, reply.reply_id, { confirmation_token }, key), 428, "confirmation_required")
        yield* decide(client, asked.result.approval_url, "approve")
        refused(
          yield* answer(client, reply.reply_id, { confirmation_token, body_text: "Other words." }, freshKey()),
          409,
          "approval_changed"
        )
        assert.isEmpty(yield* sentAnswers(client))
        const sent = ok(yield* answer(client, reply.reply_id, { confirmation_token }, key))
        const { result, svc } = sent
        assert.deepInclude(result, {
          status: "sent",
          thread_id: read.thread_id,
          from_email: preview.from_email,
          to_email: preview.to_email
        })
        assert.strictEqual(svc.credits_charged, "0")
        const [outgoing, ...others] = yield* sentAnswers(client)
        assert.isEmpty(others)
        assert.deepInclude(outgoing, { to: preview.to_email, subject: preview.subject, text: BODY })
        assert.strictEqual(outgoing?.from.address, preview.from_email)
        assert.deepStrictEqual([...(outgoing?.references ?? [])], [message?.messageId])
        assert.match(outgoing?.messageId ?? "", new RegExp(`^${result.sent_reply_id}@`))

        assert.deepStrictEqual(yield* ourReplies(client, reply.reply_id), [
          {
            sent_reply_id: result.sent_reply_id,
            reply_id: reply.reply_id,
            status: "sent",
            from_email: preview.from_email,
            to_email: preview.to_email,
            subject: preview.subject,
            body_text: BODY,
            sent_at: result.sent_at
          }
        ])
        const operation = ok(yield* client.call("get_operation", { operation_id: svc.request_id })).result
        assert.deepInclude(operation, { kind: "reply", status: "succeeded", progress: { done: 1, total: 1 } })
        const { replies } = ok(yield* client.call("get_me")).result
        assert.deepStrictEqual(replies, {
          workspace_daily_cap: 100,
          workspace_sent_today: 1,
          mailbox_daily_cap: 20
        })
        assert.strictEqual((yield* approvalOf(client, asked.result.approval_url)).state, "used")

        const again = ok(yield* answer(client, reply.reply_id, { confirmation_token }, key))
        assert.deepStrictEqual([again.result, again.svc.replayed], [result, true])
        refused(yield* answer(client, reply.reply_id, { confirmation_token }, freshKey()), 409, "approval_superseded")
        refused(yield* answer(client, reply.reply_id), 409, "reply_already_sent", {
          sent_reply_id: result.sent_reply_id
        })
        const second = ok(yield* answer(client, reply.reply_id, { dry_run: true })).result.plan
        assert.deepStrictEqual(second.would_exceed, ["reply_already_sent"])
        yield* pass("5 seconds")
        assert.lengthOf(ok(yield* client.call("get_replies")).result.replies, 1, "the persona answers no answer")
        const events = yield* trailOf(client, {
          kind: "reply_requested,approval_requested,approved,approval_cancelled,reply_sent"
        })
        const ofReply = events.filter(({ reply_id }) => reply_id === reply.reply_id)
        assert.deepStrictEqual(kindsOf(ofReply), ["reply_requested", "approval_requested", "reply_sent"])
        const [told] = events.slice(-1)
        assert.deepStrictEqual(
          [told?.source, told?.email, told?.request_id, told?.campaign_id],
          ["api", "interested@magic.test", svc.request_id, reply.campaign_id]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("an answer to our answer belongs to the same conversation", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const reply = yield* answered(client)
        ok(yield* (yield* approved(client, reply.reply_id)).send())
        const [outgoing] = yield* sentAnswers(client)
        const inbound = yield* Inbound
        yield* inbound.receive([
          {
            workspaceId: client.workspaceId,
            provider: "test",
            providerEventId: outgoing?.messageId ?? "",
            kind: "reply",
            source: "provider_poll",
            inReplyTo: outgoing?.messageId ?? "",
            messageId: "second@mail.magic.test",
            fromEmail: "interested@magic.test",
            toEmail: outgoing?.from.address ?? null,
            subject: "Re: Hello",
            bodyText: "See you then.",
            bodyHtml: null,
            classification: "interested",
            bounce: null,
            receivedAtMillis: yield* Clock.currentTimeMillis
          }
        ])
        yield* work
        const { replies } = ok(yield* client.call("get_replies", { campaign_id: reply.campaign_id })).result
        assert.lengthOf(replies, 2)
        const [newest] = replies
        const read = ok(yield* client.call("get_reply", { reply_id: newest.reply_id })).result
        const first = ok(yield* client.call("get_reply", { reply_id: reply.reply_id })).result
        assert.strictEqual(read.thread_id, first.thread_id)
        assert.deepStrictEqual(read.our_replies, first.our_replies)
        ok(yield* (yield* approved(client, newest.reply_id, "Great.")).send())
        const [, second] = yield* sentAnswers(client)
        assert.deepStrictEqual([...(second?.references ?? [])], [outgoing?.messageId, "second@mail.magic.test"])
        assert.lengthOf(yield* ourReplies(client, reply.reply_id), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("needs its scope and its autonomy, and knows no other workspace's reply", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { ownerEmail, workspaceId } = client
        const poor = yield* makeKey(workspaceId, ownerEmail, { scopes: SCOPES })
        refused(yield* answer(poor, reply_id), 403, "forbidden", { required_scope: "reply:send" })
        const dry = ok(yield* answer(poor, reply_id, { dry_run: true })).result.plan
        assert.deepStrictEqual(dry.would_exceed, ["forbidden"])
        const meek = yield* makeKey(workspaceId, ownerEmail, { scopes: ["reply:send"], autonomy: false })
        refused(yield* answer(meek, reply_id), 403, "forbidden", { reason: "autonomy_off" })
        const stranger = yield* answerer()
        for (const id of [reply_id, NO_ID]) {
          refused(yield* answer(stranger, id), 404, "not_found")
          refused(yield* answer(stranger, id, { dry_run: true }), 404, "not_found")
        }
        refused(yield* answer(client, "no uuid"), 400, "invalid_request")
        refused(yield* answer(client, reply_id, { body_text: "" }), 400, "invalid_request")
        refused(yield* answer(client, reply_id, { body_text: " \n" }), 400, "invalid_request")
        refused(yield* answer(client, reply_id, { body_text: "x".repeat(20_001) }), 400, "invalid_request")
        refused(yield* answer(client, reply_id, { to_email: "a@b.test" }), 400, "invalid_request")
        const token = { confirmation_token: `svc_confirm_${"A".repeat(43)}` }
        refused(yield* answer(client, reply_id, token, freshKey()), 404, "not_found")
        refused(yield* answer(client, reply_id, { ...token, dry_run: true }), 400, "invalid_request", {
          reason: "dry_run_with_token"
        })
        assert.isEmpty(yield* sentAnswers(client))
      })
    )

    it.effect("the person's own answer does not forbid it, whatever else suppressed them does", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        for (const email of ["not_interested@magic.test", "other@magic.test", "out_of_office@magic.test"]) {
          ok(yield* (yield* approved(client, (yield* answered(client, email)).reply_id)).send())
        }
        for (const email of ["unsubscribe@magic.test", "bounce@magic.test"]) {
          const { reply_id } = yield* answered(client, email)
          refused(yield* answer(client, reply_id), 409, "suppressed_recipient", { suppressed_reason: "opted_out" })
          const dry = ok(yield* answer(client, reply_id, { dry_run: true })).result.plan
          assert.include(dry.would_exceed, "suppressed_recipient")
        }
        const sources = SUPPRESSION_SOURCES.filter((source) => source !== "reply")
        const people = sources.map((source) => `interested+${source}@magic.test`)
        const replies = yield* answeredBy(client, ...people)
        for (const [index, source] of sources.entries()) {
          const email = people[index] ?? ""
          const { reply_id } = replies.find(({ from_email }) => from_email === email) ?? assert.fail(email)
          const confirmed = yield* approved(client, reply_id)
          yield* suppressAs(client, email, source)
          const suppressed_reason = source === "owner_import" ? "platform_blocked" : "opted_out"
          refused(yield* confirmed.send(), 409, "suppressed_recipient", { suppressed_reason })
          refused(yield* answer(client, reply_id), 409, "suppressed_recipient", { suppressed_reason })
          assert.strictEqual((yield* approvalOf(client, confirmed.approvalUrl)).state, "approved")
        }
        assert.lengthOf(yield* sentAnswers(client), 3)
      })
    )

    it.effect("where a colleague answered, nobody is answered if either of the two is suppressed", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const inbound = yield* Inbound
        for (const who of ["writer", "lead"] as const) {
          const lead = `silent+${who}@magic.test`
          const writer = `colleague+${who}@elsewhere.test`
          const sequence = [{ subject: "Hello", body: "Hi" }]
          const campaign_id = yield* launched(client, { recipients: to(lead), sequence })
          yield* work
          const [message] = yield* deliveries(campaign_id)
          const receivedAtMillis = yield* Clock.currentTimeMillis
          yield* inbound.receive([
            {
              workspaceId: client.workspaceId,
              provider: "test",
              providerEventId: `colleague ${who}`,
              kind: "reply",
              source: "provider_poll",
              inReplyTo: message?.messageId ?? "",
              messageId: `${who}@elsewhere.test`,
              fromEmail: writer,
              toEmail: message?.from.address ?? null,
              subject: "Re: Hello",
              bodyText: "I look after this. Tell me more.",
              bodyHtml: null,
              classification: "interested",
              bounce: null,
              receivedAtMillis
            }
          ])
          yield* work
          const [reply] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
          assert.strictEqual(reply?.from_email, writer)
          const confirmed = yield* approved(client, reply.reply_id)
          yield* suppressAs(client, who === "writer" ? writer : lead, "added")
          const forbidden = { suppressed_reason: "opted_out" }
          refused(yield* confirmed.send(), 409, "suppressed_recipient", forbidden)
          refused(yield* answer(client, reply.reply_id), 409, "suppressed_recipient", forbidden)
        }
        assert.isEmpty(yield* sentAnswers(client))
      }).pipe(Effect.orDie)
    )

    it.effect("what is no message of a person's has no answer", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { campaign_id } = yield* answered(client, "out_of_office@magic.test")
        const [message] = yield* deliveries(campaign_id)
        const inbound = yield* Inbound
        const event = {
          workspaceId: client.workspaceId,
          provider: "test",
          source: "provider_poll" as const,
          inReplyTo: message?.messageId ?? "",
          messageId: null,
          subject: "?",
          bodyText: "?",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis: yield* Clock.currentTimeMillis
        }
        yield* inbound.receive([
          {
            ...event,
            providerEventId: "soft",
            kind: "bounce",
            fromEmail: "mailer-daemon@magic.test",
            toEmail: message?.from.address ?? null,
            bounce: { type: "soft", status: "4.2.2" }
          },
          { ...event, providerEventId: "nobody", kind: "reply", fromEmail: "nobody", toEmail: event.inReplyTo },
          { ...event, providerEventId: "nowhere", kind: "reply", fromEmail: "a@magic.test", toEmail: null }
        ])
        yield* work
        const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
        const odd = replies.filter((reply: { subject: string }) => reply.subject === "?")
        assert.lengthOf(odd, 3)
        for (const { reply_id } of odd) refused(yield* answer(client, reply_id), 409, "reply_content_unavailable")
        yield* inbound.receive([
          { ...event, providerEventId: "else", kind: "reply", fromEmail: "a@magic.test", toEmail: "b@elsewhere.test" }
        ])
        yield* work
        const [{ reply_id }] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
        refused(yield* answer(client, reply_id), 409, "mailbox_unavailable")
      }).pipe(Effect.orDie)
    )

    it.effect("a paused mailbox, or the owner's switch, forbids it before and after the approval", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        yield* switchReplies(client, false)
        refused(yield* answer(client, reply_id), 403, "reply_send_disabled")
        refused(yield* confirmed.send(), 403, "reply_send_disabled")
        const dry = ok(yield* answer(client, reply_id, { dry_run: true })).result.plan
        assert.deepStrictEqual(dry.would_exceed, ["reply_send_disabled"])
        yield* switchReplies(client, true)
        yield* pauseMailboxes(client)
        refused(yield* answer(client, reply_id), 409, "mailbox_unavailable")
        refused(yield* confirmed.send(), 409, "mailbox_unavailable")
        assert.isEmpty(yield* sentAnswers(client))
      })
    )

    it.effect("a newer question takes the older one's place; a declined one is not sent", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const older = yield* approved(client, reply_id)
        const newer = ok(yield* answer(client, reply_id, { body_text: "Better words." }))
        refused(yield* older.send(), 409, "approval_superseded")
        yield* decide(client, newer.result.approval_url, "decline")
        const { confirmation_token } = newer.result
        refused(
          yield* answer(client, reply_id, { body_text: "Better words.", confirmation_token }, freshKey()),
          409,
          "approval_declined"
        )
        assert.isEmpty(yield* sentAnswers(client))
      })
    )
  })
}
