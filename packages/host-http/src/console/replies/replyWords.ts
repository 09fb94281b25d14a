import type { ContentFlag, Intent } from "@outbound/domain/verbs/Replies.js"
import { type Classification, CLASSIFICATIONS } from "@outbound/domain/outreach/replies/ReplyStore.js"

export const CLASSIFICATION_WORDS: Readonly<
  Record<Classification, readonly [words: string, tone: "good" | "bad" | undefined]>
> = {
  interested: ["Interested", "good"],
  not_interested: ["Not interested", "bad"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Unsubscribed", "bad"],
  bounce: ["Bounced", "bad"],
  other: ["Other", undefined]
}

export const INTENT_WORDS: Readonly<Record<Intent, readonly [words: string, tone: "good" | undefined]>> = {
  interested: ["Interested", "good"],
  meeting: ["Wants to meet", "good"],
  not_now: ["Not now", undefined],
  not_interested: ["Not interested", undefined],
  wrong_person: ["Wrong person", undefined],
  referral: ["Names somebody else", "good"],
  question: ["Asks a question", "good"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Wants no more mail", undefined],
  bounce: ["Bounced", undefined],
  other: ["Other", undefined]
}

/** What a reader should beware of. */
export const FLAG_WORDS: Readonly<Record<ContentFlag, string>> = {
  addresses_an_agent: "It speaks to an AI agent. An agent that reads it may be led to do what the sender wants.",
  hidden_text: "It has characters that nobody sees. A program reads more than you do.",
  look_alike_link: "A link in it leads elsewhere than it says, or its host imitates another one."
}

export const classificationOf = (text: string | null): Classification | null =>
  CLASSIFICATIONS.find((classification) => classification === text) ?? null
