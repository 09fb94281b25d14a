import { LOOK_KINDS, type LookKind } from "../../calls/approvals/Snapshot.js"
import { counted, type Risk, type RiskFacts, type RiskRule } from "./Risk.js"

const contentOf = ({ snapshot }: RiskFacts) => ("content" in snapshot ? snapshot.content : undefined)

const LOOKS: Readonly<Record<LookKind, Pick<Risk, "weight" | "words">>> = {
  altered: { weight: "stop", words: ["lead with an altered value", "leads with altered values"] },
  not_found: { weight: "stop", words: ["lead with evidence not found", "leads with evidence not found"] },
  placeholder: { weight: "stop", words: ["lead with a placeholder", "leads with placeholders"] },
  old: { weight: "look", words: ["lead with old evidence", "leads with old evidence"] },
  without_proof: { weight: "note", words: ["lead with a value without proof", "leads with values without proof"] },
  unchecked: { weight: "look", words: ["lead with evidence not checked", "leads with evidence not checked"] },
  link: { weight: "look", words: ["lead brings a link of its own", "leads bring links of their own"] },
  invisible: { weight: "look", words: ["value with unseen characters", "values with unseen characters"] },
  look_alike: { weight: "look", words: ["value with look-alike letters", "values with look-alike letters"] },
  long: { weight: "look", words: ["unusually long value", "unusually long values"] },
  rare: { weight: "note", words: ["rare value", "rare values"] }
}

/** What deserves a look in the merged messages. */
export const looks: RiskRule = (facts) =>
  LOOK_KINDS.flatMap((kind) =>
    counted({ code: `look_${kind}`, anchor: `look-${kind}`, ...LOOKS[kind] }, contentOf(facts)?.looks[kind])
  )

/** The sequence has more variables than are examined. */
export const notExamined: RiskRule = (facts) =>
  contentOf(facts)?.is_complete === false
    ? [
        {
          code: "not_examined",
          weight: "look",
          count: null,
          words: ["Not all values were examined", "Not all values were examined"],
          anchor: "look"
        }
      ]
    : []

/** A fallback stands where somebody has no value: the one of the variable that most people lack. */
export const fallbacks: RiskRule = (facts) =>
  counted(
    { code: "fallback", weight: "note", words: ["lead gets a fallback", "leads get a fallback"], anchor: "variables" },
    Math.max(0, ...(contentOf(facts)?.variables ?? []).map(({ without_value }) => without_value))
  )

/** Hosts that the messages link to. */
export const hosts: RiskRule = (facts) =>
  counted(
    { code: "hosts", weight: "note", words: ["host linked to", "hosts linked to"], anchor: "look" },
    contentOf(facts)?.hosts_total
  )

/** People who are open leads of another campaign. */
export const overlapping: RiskRule = (facts) =>
  counted(
    {
      code: "overlapping",
      weight: "look",
      words: ["lead is in another campaign", "leads are in another campaign"],
      anchor: "overlap"
    },
    contentOf(facts)?.overlapping_people
  )
