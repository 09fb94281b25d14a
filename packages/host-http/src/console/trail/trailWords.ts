import type { TrailEvent, TrailKind, TrailSource } from "@outbound/domain/kernel/trail/TrailEvent.js"

/** The name of an event's kind. */
export const KIND_WORDS: Readonly<Record<TrailKind, string>> = {
  admitted: "Added to a campaign",
  removed: "Removed from a campaign",
  launch_requested: "Launch requested",
  launched: "Launched",
  sent: "Message sent",
  reply: "Reply",
  bounce: "Bounce",
  unsubscribe: "Unsubscribed",
  complaint: "Complaint",
  stop: "Sequence stopped",
  status_set: "Lead status set",
  suppressed: "Suppressed",
  reply_requested: "Outgoing reply requested",
  reply_sent: "Outgoing reply sent",
  approval_requested: "Approval requested",
  approved: "Approved",
  declined: "Declined",
  approval_expired: "Approval expired",
  approval_cancelled: "Approval cancelled",
  purchase_requested: "Purchase requested",
  purchased: "Purchased",
  mailbox_active: "Mailbox active",
  mailbox_paused: "Mailbox paused",
  pause_requested: "Pause requested",
  paused: "Campaign paused",
  resumed: "Campaign resumed",
  completed: "Campaign completed",
  killed: "All sending stopped",
  suspension_cleared: "Sending resumed",
  erased: "Person erased"
}

const SOURCE_WORDS: Readonly<Record<TrailSource, string>> = {
  api: "by a call",
  console: "in the console",
  provider_webhook: "reported by the provider",
  provider_poll: "found at the provider",
  system: "by the service"
}

/** The color of an event: what a human did or should look at stands out. */
export const KIND_TONES: Readonly<Partial<Record<TrailKind, "good" | "bad" | "wait">>> = {
  approved: "good",
  launched: "good",
  purchased: "good",
  reply: "good",
  mailbox_active: "good",
  resumed: "good",
  suspension_cleared: "good",
  approval_requested: "wait",
  launch_requested: "wait",
  purchase_requested: "wait",
  reply_requested: "wait",
  pause_requested: "wait",
  paused: "wait",
  mailbox_paused: "wait",
  declined: "bad",
  bounce: "bad",
  complaint: "bad",
  unsubscribe: "bad",
  killed: "bad"
}

const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null

const spaced = (value: unknown): string | null => text(value)?.replaceAll("_", " ") ?? null

type Detail = TrailEvent["detail"]

const reasonOf = (detail: Detail): string | null =>
  spaced(detail["reason"]) === null ? null : `reason: ${spaced(detail["reason"])}`

/** What who declined wants the agent to know. */
const saidOf = (detail: Detail): string | null => {
  const said = text(detail["reason"])
  return said === null ? null : `“${said}”`
}

/** The person who did it. */
const personOf = (detail: Detail): string | null => {
  const by = text(detail["by"])
  return by !== null && by.includes("@") ? `by ${by}` : null
}

/** Whose key each call used, and what the workspace's keys are called. */
export interface Callers {
  /** The key of each call, by request id. */
  readonly calls: ReadonlyMap<string, string>
  /** The names of keys, by key id. What people do in their own name is under no key of the list. */
  readonly keys: ReadonlyMap<string, string>
}

/** How it came about: by which key, where a call did it. */
export const sourceWords = ({ detail, requestId, source }: TrailEvent, { calls, keys }: Callers): string => {
  const by = text(detail["by"]) ?? calls.get(requestId ?? "") ?? null
  if (source !== "api" || by === null) return SOURCE_WORDS[source]
  const name = keys.get(by)
  return name === undefined ? "in a person’s own name" : `by the key “${name}”`
}

/** What an owner stated of a mailbox that sends elsewhere. */
const statedOf = (detail: Detail): string | null => {
  const [sends, since] = [text(detail["sends_a_day"]), text(detail["since"])]
  return sends === null || since === null ? null : `${sends} messages a day since ${since.slice(0, 10)}`
}

/** An event's details. Only known members are shown, as text. */
export const detailWords = ({ detail, kind }: TrailEvent): string | null => {
  switch (kind) {
    case "removed":
    case "stop":
      return reasonOf(detail)
    case "killed":
      return [reasonOf(detail), personOf(detail)].filter((part) => part !== null).join(", ")
    case "paused":
    case "pause_requested":
      return [reasonOf(detail), text(detail["note"]), personOf(detail)].filter((part) => part !== null).join(", ")
    case "resumed":
    case "suspension_cleared":
      return personOf(detail)
    case "suppressed": {
      const reason = spaced(detail["reason"])
      return [text(detail["domain"]), reason === null ? null : `reason: ${reason}`]
        .filter((part) => part !== null)
        .join(", ")
    }
    case "sent":
      return [text(detail["step"]) === null ? null : `message ${text(detail["step"])}`, text(detail["mailbox"])]
        .filter((part) => part !== null)
        .join(" from ")
    case "reply":
      return spaced(detail["classification"])
    case "bounce":
      return [spaced(detail["type"]), text(detail["status"])].filter((part) => part !== null).join(", ")
    case "status_set": {
      const [status, before] = [spaced(detail["status"]), spaced(detail["previous_status"])]
      return before === null ? status : `${before} → ${status ?? ""}`
    }
    case "approval_requested":
    case "approved":
    case "declined":
    case "approval_expired":
    case "approval_cancelled": {
      return [spaced(detail["verb"]), personOf(detail), kind === "declined" ? saidOf(detail) : null]
        .filter((part) => part !== null)
        .join(" ")
    }
    case "mailbox_active":
    case "mailbox_paused":
      return [text(detail["mailbox"]), spaced(detail["reason"]), statedOf(detail)]
        .filter((part) => part !== null)
        .join(", ")
    default:
      return null
  }
}

export const approvalOf = ({ detail }: TrailEvent): string | null => text(detail["approval_id"])
