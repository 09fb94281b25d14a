/** Rows of mailboxes and messages. */
import {
  MAILBOX_KINDS,
  MAILBOX_PAUSE_REASONS,
  MailboxMachine
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"
import { columnsOf, texts, timesOrNull } from "./Table.js"

export const MailboxRow = Schema.Struct({
  ...texts("workspaceId", "mailboxId"),
  kind: Schema.Literals(MAILBOX_KINDS),
  operationId: Schema.NullOr(Schema.String),
  ...texts("domain", "address", "displayName"),
  state: Schema.Literals(MailboxMachine.states),
  pauseReason: Schema.NullOr(Schema.Literals(MAILBOX_PAUSE_REASONS)),
  ...timesOrNull("activeAtMillis", "upkeepPaidUntilMillis", "restsUntilMillis"),
  createdAtMillis: Millis,
  declaredSends: Schema.NullOr(Schema.Int),
  ...timesOrNull("declaredSinceMillis", "declaredAtMillis")
})

export const MAILBOX_COLUMNS = columnsOf(MailboxRow, "b")

export const MessageRow = Schema.Struct({
  ...texts("workspaceId", "messageId", "campaignId", "campaignLeadId", "mailboxId"),
  stepIndex: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  state: Schema.Literals(MessageMachine.states),
  claimedAtMillis: Millis,
  sentAtMillis: Schema.NullOr(Millis)
})

export const MESSAGE_COLUMNS = columnsOf(MessageRow, "m")
