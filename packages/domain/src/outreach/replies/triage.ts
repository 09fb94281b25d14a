import type { Intent } from "../../verbs/Replies.js"
import { ASKS_NOTHING } from "../meaning/Classification.js"
import { understand } from "../meaning/understood.js"
import type { Handling, Reply } from "./ReplyStore.js"

/** What a person has to do about a reply; `later`: not yet; `closed`: nothing. */
export const TRIAGE = ["meeting", "question", "answer", "later", "closed"] as const
export type Triage = (typeof TRIAGE)[number]

/** Each kind of reply, as long as nobody has handled it. */
const OF_INTENT: Readonly<Record<Intent, Triage>> = {
  meeting: "meeting",
  question: "question",
  interested: "answer",
  referral: "answer",
  other: "answer",
  not_now: "later",
  out_of_office: "closed",
  not_interested: "closed",
  wrong_person: "closed",
  unsubscribe: "closed",
  bounce: "closed"
}

/**
 * What is left to do about a reply: what was handled is closed, and what asks for nothing is closed by itself. Who is away
 * until a day that they name, or asks for another time, is for later; from that day on they are to be answered. Pure.
 */
export const triageOf = (
  reply: Parameters<typeof understand>[0] & Pick<Reply, "classification">,
  { handledAtMillis }: Pick<Handling, "handledAtMillis">,
  nowMillis: number
): Triage => {
  if (handledAtMillis !== null) return "closed"
  const { intent, returnsOn } = understand(reply)
  const { classification } = reply
  if (intent === "other" && classification !== null && ASKS_NOTHING.includes(classification)) return "closed"
  if (returnsOn === null) return OF_INTENT[intent]
  const isBack = Date.parse(returnsOn) <= nowMillis
  return isBack && intent === "not_now" ? "answer" : isBack ? OF_INTENT[intent] : "later"
}
