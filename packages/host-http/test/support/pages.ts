import type { Furnished } from "./Furnished.js"

export interface ConsolePage {
  readonly name: string
  readonly path: string
}

/** Every page that a member sees of a furnished workspace. */
export const pagesOf = (of: Furnished): ReadonlyArray<ConsolePage> => [
  { name: "home", path: "/console/home" },
  { name: "approvals", path: "/console/approvals" },
  { name: "approval-launch", path: `/console/approvals/${of.launchId}?q=tan` },
  { name: "approval-people", path: `/console/approvals/${of.launchId}/people?look=link` },
  { name: "approval-values", path: `/console/approvals/${of.launchId}/values?variable=company_name` },
  { name: "approval-person", path: `/console/approvals/${of.launchId}/person?of=${of.shownId}` },
  { name: "approval-purchase", path: `/console/approvals/${of.purchaseId}` },
  { name: "approval-closed", path: `/console/approvals/${of.closedId}` },
  { name: "queue", path: "/console/approvals/queue" },
  { name: "attention", path: "/console/approvals/attention" },
  { name: "campaigns", path: "/console/campaigns" },
  { name: "campaign", path: `/console/campaigns/${of.campaignId}` },
  { name: "campaign-paused", path: `/console/campaigns/${of.pausedId}` },
  { name: "campaign-draft", path: `/console/campaigns/${of.draftId}` },
  // Not after the campaign itself: a browser would not load it again.
  { name: "campaign-evidence", path: `/console/campaigns/${of.campaignId}#evidence` },
  { name: "replies", path: "/console/replies" },
  { name: "reply", path: `/console/replies/${of.replyId}` },
  { name: "reply-hostile", path: `/console/replies/${of.hostileReplyId}` },
  { name: "reply-answer", path: `/console/replies/${of.openReplyId}#answer` },
  { name: "saved-answers", path: "/console/replies/saved" },
  { name: "sending", path: "/console/sending" },
  { name: "sending-health", path: "/console/sending/health" },
  { name: "operation", path: `/console/operations/${of.listId}` },
  { name: "list-new", path: "/console/lists" },
  { name: "mailbox-new", path: "/console/mailboxes/new" },
  { name: "mailbox-table", path: "/console/mailboxes/table" },
  { name: "trail", path: "/console/trail" },
  { name: "usage", path: "/console/usage" },
  { name: "credits", path: "/console/credits" },
  { name: "keys", path: "/console/keys" },
  { name: "key", path: `/console/keys/${of.keyId}` },
  { name: "key-new", path: "/console/keys/new" },
  { name: "runs", path: "/console/runs" },
  { name: "alerts", path: "/console/alerts" },
  { name: "settings", path: "/console/settings" },
  { name: "approvers", path: "/console/settings/approvals" },
  { name: "notices", path: "/console/settings/notices" },
  { name: "words", path: "/console/settings/words" },
  { name: "words-text", path: "/console/settings/words/text?where=eea&language=de" },
  { name: "own-keys", path: "/console/settings/own-keys" },
  { name: "suppression", path: "/console/settings/suppression" },
  { name: "erase", path: "/console/settings/erase" },
  { name: "person", path: "/console/settings/person" },
  { name: "history", path: "/console/settings/history" },
  { name: "kill", path: "/console/settings/kill" },
  ...of.laid.pages
]
