import { Schema } from "effect"
import { Count, Cursor, integerInput, MailboxStateField, Timestamp } from "./fields.js"
import { defineVerb, READ_HINTS, READS } from "./Verb.js"

export const MAILBOXES_PAGE_MAX = 200
export const MAILBOXES_PAGE_DEFAULT = 100

/** A sending mailbox, as `list_mailboxes` shows it. */
export const mailboxFields = {
  mailbox: Schema.String.annotate({ description: "Its address." }),
  domain: Schema.String,
  kind: Schema.Literals(["own", "purchased"]),
  state: MailboxStateField,
  paused_because: Schema.NullOr(
    Schema.Literals([
      "upkeep",
      "owner",
      "bounces",
      "complaints",
      "login",
      "unreachable",
      "dmarc",
      "blocklist",
      "authentication"
    ]).annotate({ identifier: "MailboxPauseReason" })
  ),
  cap_today: Count.annotate({ description: "Messages that it may send today (UTC) while it is active." }),
  sent_today: Count.annotate({ description: "What counts against the cap." }),
  sent_last_30_days: Count,
  bounced_last_30_days: Count.annotate({ description: "Of those, to addresses that proved not to exist." }),
  resting_until: Schema.NullOr(Timestamp).annotate({ description: "It sends nothing before." })
} as const

export const ListMailboxes = defineVerb({
  name: "list_mailboxes",
  route: { method: "GET", path: "/v1/sending/mailboxes" },
  summary: "List the mailboxes that campaigns send from, oldest first.",
  description: "Free. Shows what each may send today, what it sent, and why it does not send.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({
    state: Schema.optional(MailboxStateField),
    limit: Schema.optional(integerInput(1, MAILBOXES_PAGE_MAX, MAILBOXES_PAGE_DEFAULT)),
    cursor: Schema.optional(Cursor)
  }),
  result: Schema.Struct({
    mailboxes: Schema.Array(Schema.Struct(mailboxFields).annotate({ identifier: "MailboxLine" })),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  errors: [],
  tool: { title: "List sending mailboxes", ...READ_HINTS }
})
