import { DAY_MILLIS } from "../../kernel/durations.js"
import type { Handling, Reply } from "../../outreach/replies/ReplyStore.js"
import { type Triage, triageOf } from "../../outreach/replies/triage.js"

/** How soon a person is answered. */
export const ANSWER_WITHIN_MILLIS = DAY_MILLIS

/** What needs a person, and until when. */
export type DayItem<A, R> =
  | { readonly kind: "approval"; readonly dueMillis: number; readonly of: A }
  | { readonly kind: "reply"; readonly dueMillis: number; readonly of: R; readonly triage: Triage }
  /** It names somebody to write to instead. */
  | { readonly kind: "referral"; readonly dueMillis: number; readonly of: R }

interface Waiting {
  readonly of: { readonly approval: { readonly approvalId: string; readonly expiresAtMillis: number } }
}

interface Answer {
  readonly reply: Reply
  readonly handling: Handling
}

/**
 * What needs a person today, soonest deadline first: a request that waits, until it lapses; a reply that asks for an answer,
 * for a day. What is for later, or asks for nothing, is left out.
 */
export const dayListOf = <A extends Waiting, R extends Answer>(
  approvals: ReadonlyArray<A>,
  replies: ReadonlyArray<R>,
  nowMillis: number
): ReadonlyArray<DayItem<A, R>> => {
  const items: Array<DayItem<A, R>> = approvals.map((of) => ({
    kind: "approval",
    dueMillis: of.of.approval.expiresAtMillis,
    of
  }))
  for (const of of replies) {
    const { handling, reply } = of
    const dueMillis = reply.receivedAtMillis + ANSWER_WITHIN_MILLIS
    if (handling.referral === "open") {
      items.push({ kind: "referral", dueMillis, of })
      continue
    }
    const triage = triageOf(reply, handling, nowMillis)
    if (triage !== "later" && triage !== "closed") items.push({ kind: "reply", dueMillis, of, triage })
  }
  return items.toSorted((a, b) => a.dueMillis - b.dueMillis || (idOf(a) < idOf(b) ? -1 : 1))
}

const idOf = (item: DayItem<Waiting, Answer>): string =>
  item.kind === "approval" ? item.of.of.approval.approvalId : item.of.reply.replyId
