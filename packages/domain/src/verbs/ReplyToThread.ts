import { Schema } from "effect"
import { ConfirmationToken, DryRun, Timestamp, Uuid, wordy, needsConfirmation } from "./fields.js"
import { CONFIRMATION_ERRORS, defineVerb } from "./Verb.js"

const preview = {
  to_email: Schema.String,
  from_email: Schema.String,
  subject: Schema.String,
  body_text: Schema.String
} as const

export const REPLY_BODY_CHARS_MAX = 20_000

export const ReplyToThread = defineVerb({
  name: "reply_to_thread",
  route: { method: "POST", path: "/v1/reply_to_thread" },
  summary: "Reply to a lead, once a human has approved the text.",
  description:
    "Free. Without a token, returns a preview and a single-use `confirmation_token` (24 hours). Once a human has approved it in the console, " +
    "the same call with the token and an Idempotency-Key sends a real email in the thread, from the mailbox that received the reply. " +
    "Sender and subject come from the thread; the body is plain text. You can reply once to each message. " +
    "On `operation_unknown_state` do not retry: poll `GET /v1/operations/:id` or read `our_replies` of the reply.",
  mode: "act",
  scope: "reply:send",
  idempotency: "required_when_confirmed",
  approval: "reply",
  planVersion: 1,
  request: Schema.Struct({
    reply_id: Uuid,
    body_text: wordy(1, REPLY_BODY_CHARS_MAX).annotate({
      description: "Plain text, sent unchanged.",
      examples: ["Thursday at 10 works for me. Shall I send an invitation?"]
    }),
    confirmation_token: Schema.optional(ConfirmationToken),
    dry_run: Schema.optional(DryRun)
  }),
  result: Schema.Union([
    needsConfirmation(preview),
    Schema.Struct({
      status: Schema.Literal("sent"),
      sent_reply_id: Uuid,
      thread_id: Schema.NullOr(Uuid),
      from_email: Schema.String,
      to_email: Schema.String,
      sent_at: Timestamp
    })
  ]),
  would: Schema.Struct({
    to_email: Schema.String,
    from_email: Schema.NullOr(Schema.String),
    subject: Schema.String,
    needs_confirmation: Schema.Boolean
  }),
  errors: [
    ...CONFIRMATION_ERRORS,
    "suppressed_recipient",
    "reply_intent_pending",
    "reply_already_sent",
    "reply_content_unavailable",
    "reply_send_disabled",
    "mailbox_unavailable",
    "contact_history_unavailable",
    "operation_unknown_state",
    "provider_unavailable"
  ],
  tool: { title: "Reply to a lead", destructive: true, idempotent: false, openWorld: true }
})
