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

export const classificationOf = (text: string | null): Classification | null =>
  CLASSIFICATIONS.find((classification) => classification === text) ?? null
