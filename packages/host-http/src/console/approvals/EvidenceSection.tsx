import { EVIDENCE_MARKS, type EvidenceMark, type FindingReason } from "@outbound/domain/kernel/sequences/evidence.js"
import type { MarkCounts } from "@outbound/domain/outreach/evidence/marks.js"
import type { ShownEvidence, ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { grouped } from "../../web/Words.js"
import { Section, Table } from "../Parts.js"
import { contentPath, variableWords } from "./contentWords.js"
import { Marked } from "./Marked.js"
import type { Part } from "./Part.js"

/** What a mark means, in the words of the page. */
export const MARK_WORDS: Readonly<Record<EvidenceMark, { readonly short: string; readonly meaning: string }>> = {
  proven: { short: "proven", meaning: "The words stand at the source, and say what the value says." },
  old: { short: "old", meaning: "Proven, and more than a year old." },
  altered: { short: "altered", meaning: "The words stand at the source. The value says something else." },
  not_found: { short: "not found", meaning: "The words don’t stand at the source, or are about somebody else." },
  unchecked: { short: "not checked", meaning: "The source could not be read. It may be right or wrong." },
  without_proof: { short: "without proof", meaning: "Nobody said where the value comes from." }
}

const REASON_WORDS: Readonly<Record<FindingReason, string>> = {
  no_request: "there is no such data call in this workspace, or it failed",
  no_words: "the words don’t stand there",
  about_another: "the words stand there about somebody else",
  out_of_context: "the sentence around the words says otherwise",
  other_value: "the value says something that the words don’t",
  other_language: "value and words are in different languages; their names and numbers agree",
  no_outcome: "the call’s answer is not kept",
  no_reader: "no reader of pages is configured",
  too_many: "one call reads only so many pages; a new request looks again",
  too_late: "there was no time left to read it; a new request looks again",
  unreachable: "the page can’t be reached",
  forbidden: "the site asks not to be read",
  refused: "the site refuses the page",
  elsewhere: "the page leads to another site",
  unsafe: "the address is not public",
  no_text: "the page holds no text"
}

/** So many values have which mark. `hrefOf` leads to those that deserve a look. */
export const MarksTable = (props: { readonly of: MarkCounts; readonly hrefOf?: (mark: EvidenceMark) => string }) => (
  <Table
    label="Values by mark"
    head={["Mark", "Values", "What it means"]}
    numbers={[1]}
    none="Nothing of a person is merged into its messages."
    rows={EVIDENCE_MARKS.filter((mark) => props.of[mark] > 0).map((mark) => [
      mark === "proven" || props.hrefOf === undefined ? (
        MARK_WORDS[mark].short
      ) : (
        <a href={props.hrefOf(mark)}>{MARK_WORDS[mark].short}</a>
      ),
      grouped(props.of[mark]),
      MARK_WORDS[mark].meaning
    ])}
  />
)

/** How many merged values are proven by their evidence. */
export const Evidence: Part = ({ content, of }) =>
  content?.summary.evidence === undefined ? null : (
    <Section id="evidence" title="Where the values come from">
      <MarksTable
        of={content.summary.evidence}
        hrefOf={(mark) => contentPath(of.approval.approvalId, "people", { look: mark })}
      />
    </Section>
  )

const Source = ({ finding, requestId, url }: ShownEvidence) =>
  url === null ? (
    <>
      {finding?.readFrom ?? "a call"} <code>{requestId}</code>
    </>
  ) : (
    <a href={url} rel="noopener noreferrer nofollow">
      <Marked text={url} />
    </a>
  )

/** The evidence of one person's values: its words, its source, and what was found there. */
export const PersonEvidence = ({ of: { evidence } }: { readonly of: ShownPerson }) =>
  evidence === null ? null : (
    <Section id="evidence" title="Where their values come from">
      <Table
        titledBy="evidence"
        head={["Value", "Mark", "Words", "Source", "Seen"]}
        rows={evidence.map((one) => [
          <Marked text={variableWords(one.variable)} />,
          <>
            {MARK_WORDS[one.mark].short}
            {one.finding?.reason == null ? null : <span class="soft">: {REASON_WORDS[one.finding.reason]}</span>}
          </>,
          <q>
            <Marked text={one.excerpt} />
          </q>,
          <Source {...one} />,
          one.seenAt.slice(0, 10)
        ])}
      />
    </Section>
  )
