import { EVIDENCE_MARKS } from "@outbound/domain/kernel/sequences/evidence.js"
import type { MarkCounts, MarkedValue } from "@outbound/domain/outreach/evidence/marks.js"
import { MarksTable, MARK_WORDS } from "../approvals/EvidenceSection.js"
import { variableWords } from "../approvals/contentWords.js"
import { Marked } from "../approvals/Marked.js"
import { Section } from "../Parts.js"

/** How many merged values of everybody in the campaign are proven today, as its approval marks them. */
export const EvidenceSection = (props: { readonly of: MarkCounts | null }) =>
  props.of === null ? null : (
    <Section id="evidence" title="Where the values come from">
      <p class="soft">What is merged into the messages, by its mark today. Each person’s are in the list of leads.</p>
      <MarksTable of={props.of} />
    </Section>
  )

/** The merged values of one person, by mark: what is not proven first. */
export const PersonMarks = (props: { readonly of: ReadonlyArray<MarkedValue> }) => {
  const found = EVIDENCE_MARKS.toReversed().flatMap((mark) => {
    const variables = props.of.filter((one) => one.mark === mark).map(({ variable }) => variableWords(variable))
    return variables.length === 0 ? [] : [{ mark, variables: variables.join(", ") }]
  })
  if (found.length === 0) return <>–</>
  return (
    <>
      {found.map(({ mark, variables }) => (
        <div key={mark} class={mark === "proven" ? "soft" : undefined}>
          {MARK_WORDS[mark].short}: <Marked text={variables} />
        </div>
      ))}
    </>
  )
}
