import type { ContentFlag, Intent } from "@outbound/domain/verbs/Replies.js"
import type { ClassCount } from "@outbound/domain/control/console/ConsoleReads.js"
import { AUTOMATIC, type Classification } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { StateWords } from "../Parts.js"

export const CLASSIFICATION_WORDS: Readonly<Record<Classification, StateWords>> = {
  interested: ["Interested", "good"],
  not_interested: ["Not interested", "bad"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Unsubscribed", "bad"],
  bounce: ["Bounced", "bad"],
  other: ["Other", undefined]
}

export const INTENT_WORDS: Readonly<Record<Intent, StateWords>> = {
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

/** Which replies the list shows: those of a class, those that people wrote, or all. */
export type Shown = Classification | "people" | "all"

/** What else a list of replies is narrowed by. */
export interface ReplySearch {
  readonly text: string | null
  readonly isOpen: boolean
  readonly ownerUserId: string | null
}

/** The tabs, what needs an answer first. */
export const TABS: ReadonlyArray<readonly [shown: Shown, words: string]> = [
  ["people", "From people"],
  ["interested", "Interested"],
  ["other", "Other"],
  ["not_interested", "Not interested"],
  ["unsubscribe", "Unsubscribed"],
  ["out_of_office", "Out of office"],
  ["bounce", "Bounced"],
  ["all", "All"]
]

export const shownOf = (text: string | null): Shown => TABS.find(([shown]) => shown === text)?.[0] ?? "people"

/** How many replies a tab has. */
export const countIn = (counts: ReadonlyArray<ClassCount>, shown: Shown): number =>
  counts
    .filter(({ classification }) => {
      if (shown === "people") return classification === null || !AUTOMATIC.includes(classification)
      return shown === "all" || classification === shown
    })
    .reduce((sum, { count }) => sum + count, 0)
