import { Effect, Option } from "effect"
import { ApprovalStore } from "../../calls/approvals/ApprovalStore.js"
import { wordsOf } from "../../calls/approvals/Snapshot.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { type FooterWords, footerWordsOf } from "../../kernel/words/notice.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import type { CampaignLead } from "../campaigns/CampaignStore.js"

type Worded = Pick<CampaignLead, "workspaceId" | "approvalId" | "words" | "stepsSent">

const NO_TEXTS: Readonly<Record<string, string>> = {}

/** The texts that an approval binds, by their names; none if there is no approval. */
const textsOf = (
  approvals: ApprovalStore["Service"],
  workspaceId: string,
  approvalId: string | null
): FromStore<Readonly<Record<string, string>>> =>
  approvalId === null
    ? Effect.succeed(NO_TEXTS)
    : Effect.map(approvals.find(workspaceId, approvalId), (found) =>
        Option.isNone(found) ? NO_TEXTS : (wordsOf(found.value.approval.snapshot)?.texts ?? NO_TEXTS)
      )

const NOT_FOUND = new ProviderFailure({
  provider: "none",
  reason: "transient",
  cause: "the words that were approved for them are not to be found"
})

/**
 * How a lead's next message ends: in their language, and the first one with the words of their country, as they stand in
 * the approval that covers them. Whatever the workspace has set since, nobody approved for them.
 */
export const makeFooterWords = Effect.map(
  ApprovalStore,
  (approvals) =>
    ({ approvalId, stepsSent, words, workspaceId }: Worded): FromStore<FooterWords, ProviderFailure> =>
      Effect.gen(function* () {
        const plain = footerWordsOf(words, stepsSent, {})
        if (plain !== null) return plain
        const footer = footerWordsOf(words, stepsSent, yield* textsOf(approvals, workspaceId, approvalId))
        return footer === null ? yield* Effect.fail(NOT_FOUND) : footer
      })
)

/**
 * How the first message of each of many leads ends, as approved; later ones end alike, without the notice. Each approval
 * is read once.
 */
export const makeFirstFooters = Effect.map(
  ApprovalStore,
  (approvals) =>
    (leads: ReadonlyArray<Worded>): FromStore<ReadonlyArray<FooterWords>, ProviderFailure> =>
      Effect.gen(function* () {
        const read = new Map<string | null, Readonly<Record<string, string>>>()
        const footers: Array<FooterWords> = []
        for (const { approvalId, words, workspaceId } of leads) {
          const texts = read.get(approvalId) ?? (yield* textsOf(approvals, workspaceId, approvalId))
          read.set(approvalId, texts)
          const first = footerWordsOf(words, 0, texts)
          if (first === null) return yield* Effect.fail(NOT_FOUND)
          footers.push(first)
        }
        return footers
      })
)
