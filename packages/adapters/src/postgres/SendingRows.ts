/** Rows of mailboxes and messages. */
import {
  MAILBOX_KINDS,
  MAILBOX_PAUSE_REASONS,
  MailboxMachine
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"

export const MailboxRow = Schema.Struct({
  workspaceId: Schema.String,
  mailboxId: Schema.String,
  kind: Schema.Literal(...MAILBOX_KINDS),
  operationId: Schema.NullOr(Schema.String),
  domain: Schema.String,
  address: Schema.String,
  displayName: Schema.String,
  state: Schema.Literal(...MailboxMachine.states),
  pauseReason: Schema.NullOr(Schema.Literal(...MAILBOX_PAUSE_REASONS)),
  activeAtMillis: Schema.NullOr(Millis),
  upkeepPaidUntilMillis: Schema.NullOr(Millis),
  restsUntilMillis: Schema.NullOr(Millis),
  createdAtMillis: Millis
})

/** The columns of `MailboxRow`, of `mailboxes b`. */
export const MAILBOX_COLUMNS = `
  b.workspace_id AS "workspaceId", b.mailbox_id AS "mailboxId", b.kind, b.operation_id AS "operationId", b.domain,
  b.address, b.display_name AS "displayName", b.state, b.pause_reason AS "pauseReason",
  b.active_at AS "activeAtMillis", b.upkeep_paid_until AS "upkeepPaidUntilMillis", b.rests_until AS "restsUntilMillis",
  b.created_at AS "createdAtMillis"
`

export const MessageRow = Schema.Struct({
  workspaceId: Schema.String,
  messageId: Schema.String,
  campaignId: Schema.String,
  campaignLeadId: Schema.String,
  mailboxId: Schema.String,
  stepIndex: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  state: Schema.Literal(...MessageMachine.states),
  claimedAtMillis: Millis,
  sentAtMillis: Schema.NullOr(Millis)
})

/** The columns of `MessageRow`, of `messages m`. */
export const MESSAGE_COLUMNS = `
  m.workspace_id AS "workspaceId", m.message_id AS "messageId", m.campaign_id AS "campaignId",
  m.campaign_lead_id AS "campaignLeadId", m.mailbox_id AS "mailboxId", m.step_index AS "stepIndex", m.variant, m.state,
  m.claimed_at AS "claimedAtMillis", m.sent_at AS "sentAtMillis"
`
