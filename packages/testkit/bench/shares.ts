/** The table of shares that `npm run bench -- reading` prints beside those of the intents. */
import { readBlind } from "@outbound/testkit/reading/Corpus.js"
import { requestsAsked, sharesOf } from "@outbound/testkit/reading/Shares.js"
import { n, row } from "./Report.js"

/** Every so many texts stand above every notice, signature and quotation. */
const EACH = 4
const NAMED_MAX = 40

export const sharesTable = (docs: string): string => {
  const shares = sharesOf(docs, EACH)
  for (const { not, what } of shares)
    if (not.length > 0)
      console.log(`Not so: ${what}: ${not.slice(0, NAMED_MAX).join(", ")}${not.length > NAMED_MAX ? ", ..." : ""}`)
  const blind = readBlind(docs)
  const { precision, recall } = requestsAsked(blind)
  const asked = (what: string, score: number, goal: number): string =>
    row([what, "", String(blind.length), n(score, 3), `≥ ${goal}`, score >= goal ? "met" : "missed"])
  return [
    row(["what", "texts", "of", "share", "goal", ""]),
    row(["---", "---:", "---:", "---:", "---:", "---"]),
    ...shares.map(({ count, goal, isMet, of, what }) =>
      row([
        what,
        String(count),
        String(of),
        `${n((100 * count) / Math.max(1, of), 2)} %`,
        goal,
        isMet ? "met" : "missed"
      ])
    ),
    asked("requests to stop, precision", precision, 0.99),
    asked("requests to stop, recall", recall, 0.97)
  ].join("\n")
}
