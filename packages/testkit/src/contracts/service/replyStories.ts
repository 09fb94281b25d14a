import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { addressHashInput } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SUPPRESSION_SOURCES, SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { OutgoingReply } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Clock, Effect } from "effect"
import { type Client, decide, makeKey } from "../../service/Client.js"
import { Faults } from "../../service/Service.js"
import { freshKey, launched, ok, pass, SCOPES, sender, SENDING, to } from "./stories.js"

export const BODY = "Thursday at 10 works for me."

/** A key that may answer, in a workspace that sends. */
export const answerer = (dailySends = 25) =>
  Effect.flatMap(sender(dailySends), ({ ownerEmail, workspaceId }) =>
    makeKey(workspaceId, ownerEmail, { scopes: [...SCOPES, "reply:send"] })
  )

/** Replies of these people to a campaign, by their address. */
export const answeredBy = (client: Client, ...emails: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sequence = [{ subject: "Hello", body: "Hi" }]
    const campaign_id = yield* launched(client, { recipients: to(...emails), sequence })
    yield* pass("2 seconds", "500 millis")
    const { replies } = ok(yield* client.call("get_replies", { campaign_id, limit: 200 })).result
    return replies as ReadonlyArray<{ reply_id: string; from_email: string; subject: string; campaign_id: string }>
  })

/** The one reply of one person. */
export const answered = (client: Client, email = "interested@magic.test") =>
  Effect.map(answeredBy(client, email), ([reply, ...others]) => {
    assert.isEmpty(others)
    if (reply === undefined) return assert.fail(`${email} has not answered`)
    return reply
  })

export const answer = (client: Client, reply_id: string, more: JsonObject = {}, key?: string) =>
  client.call("reply_to_thread", { reply_id, body_text: BODY, ...more }, key === undefined ? {} : { key })

/** Asks, and has it approved: the confirmed call. */
export const approved = (client: Client, reply_id: string, body_text = BODY) =>
  Effect.gen(function* () {
    const asked = ok(yield* answer(client, reply_id, { body_text }))
    yield* decide(client, asked.result.approval_url, "approve")
    const confirmation_token = asked.result.confirmation_token as string
    return {
      approvalUrl: asked.result.approval_url as string,
      input: { body_text, confirmation_token },
      send: (key = freshKey()) => answer(client, reply_id, { body_text, confirmation_token }, key)
    }
  })

/** What reached the sending provider as an answer, of one workspace. */
export const sentAnswers = (client: Client, method: "reply" | "findSent" = "reply") =>
  Effect.map(
    Effect.flatMap(Faults, (faults) => faults.calls(SENDING)),
    (calls) =>
      calls.flatMap((call) => {
        const message = call.request as OutgoingReply
        return call.method === method && message.workspaceId === client.workspaceId ? [message] : []
      })
  )

export const ourReplies = (client: Client, reply_id: string) =>
  Effect.map(client.call("get_reply", { reply_id }), (read) => ok(read).result.our_replies)

export const suppressAs = (client: Client, email: string, source: (typeof SUPPRESSION_SOURCES)[number]) =>
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = client
    const addressHash = crypto.mac("suppression", addressHashInput(workspaceId, email))
    yield* atomically(suppressions.add({ workspaceId, addressHash, source, atMillis: yield* Clock.currentTimeMillis }))
  }).pipe(Effect.orDie)

export const pauseMailboxes = (client: Client) =>
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const mailboxes = yield* sendings.activeMailboxes(client.workspaceId)
    yield* atomically(
      sendings.updateMailboxes(
        mailboxes.map((mailbox) => ({ ...mailbox, state: "paused" as const, pauseReason: "owner" as const }))
      )
    )
  }).pipe(Effect.orDie)
