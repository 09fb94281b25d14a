import type { ContentSummary } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, grouped } from "../../web/Words.js"
import { Section, Table } from "../Parts.js"
import { contentPath, variableWords } from "./contentWords.js"
import { Marked } from "./Marked.js"

/** Every variable of the messages, in numbers, with a way to all of its values. */
export const VariablesSection = (props: { readonly approvalId: string; readonly of: ContentSummary }) => {
  const { variables } = props.of
  return (
    <Section id="variables" title="What differs from message to message">
      <Table
        label="Variables"
        head={["Variable", "Different texts", "Longest", "In one message only", "Fallback"]}
        numbers={[1, 2, 3]}
        none="Nothing: the templates have no variables. Everybody is sent the same text."
        rows={variables.map(({ distinct_values, fallbacks, longest, name, only_once, without_value }) => [
          <a href={contentPath(props.approvalId, "values", { variable: name })}>
            <Marked text={variableWords(name)} />
          </a>,
          grouped(distinct_values),
          count(longest, "character"),
          grouped(only_once),
          <>
            {fallbacks.length === 0
              ? "none"
              : fallbacks.map((fallback, index) => (
                  <span key={index}>
                    {index === 0 ? "“" : ", “"}
                    <Marked text={fallback} />”
                  </span>
                ))}
            {without_value === 0 ? null : <div class="soft">sent to {count(without_value, "lead")}</div>}
          </>
        ])}
      />
    </Section>
  )
}
