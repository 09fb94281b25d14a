import type { Work } from "../../kernel/telemetry.js"
import type { Message } from "./SendingStore.js"

/** Log and span attributes of a message's sending. */
export const workOf = ({ campaignId, campaignLeadId, mailboxId, messageId, workspaceId }: Message): Work => ({
  workspace_id: workspaceId,
  campaign_id: campaignId,
  campaign_lead_id: campaignLeadId,
  mailbox_id: mailboxId,
  message_id: messageId
})

/** Span attributes of one sending. */
export const sendNotes = (provider: string, { stepIndex }: Message) => ({
  "messaging.system": "email",
  "messaging.operation.name": "send",
  "peer.service": provider,
  "outbound.step": stepIndex + 1
})
