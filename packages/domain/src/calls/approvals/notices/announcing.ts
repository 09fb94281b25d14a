import type { ApprovalSnapshot } from "../Snapshot.js"
import type { NoticeTopic } from "./NoticeStore.js"

const MINUTE_MILLIS = 60_000

/** A reminder comes when this part of the time is left, and not later than five minutes before the end. */
const REMINDER_PART = 12
const REMINDER_MILLIS_MIN = 5 * MINUTE_MILLIS

/** When approvers are reminded: two hours before a day is over, five minutes before a quarter of an hour is. */
export const remindAtMillis = (nowMillis: number, expiresAtMillis: number): number =>
  expiresAtMillis - Math.max(REMINDER_MILLIS_MIN, Math.floor((expiresAtMillis - nowMillis) / REMINDER_PART))

export const topicOf = ({ kind }: ApprovalSnapshot): NoticeTopic => (kind === "add_leads" ? "launch" : kind)
