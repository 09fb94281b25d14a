import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import type { ContentSummary } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, grouped } from "../../web/Words.js"
import { SearchForm, Section, Table } from "../Parts.js"
import { contentPath, LOOK_WORDS, variableWords } from "./contentWords.js"
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

/** Most people that a request's own page lists. */
export const FIRST_PEOPLE_MAX = 25

const nameOf = ({ firstName, lastName }: ShownPerson): string | null =>
  [firstName, lastName].filter((part) => part !== null).join(" ") || null

const OrNone = (props: { readonly text: string | null }) =>
  props.text === null ? <>–</> : <Marked text={props.text} />

export const PeopleTable = (props: {
  readonly approvalId: string
  readonly label: string
  readonly of: ReadonlyArray<ShownPerson>
}) => (
  <Table
    label={props.label}
    head={["Email", "Name", "Company", "Look", "Messages"]}
    rows={props.of.map((person) => [
      <Marked text={person.email} />,
      <OrNone text={nameOf(person)} />,
      <OrNone text={person.companyName} />,
      person.looks.map((look) => LOOK_WORDS[look].short).join(", ") || "–",
      <a href={contentPath(props.approvalId, "person", { of: person.shownId })}>
        Read<span class="unseen"> the messages to {person.email}</span>
      </a>
    ])}
  />
)

/** A search among everybody, and the first of them or those found. */
export const PeopleSection = (props: {
  readonly approvalId: string
  readonly leads: number
  readonly text: string | null
  /** One more than is shown if there are more. */
  readonly people: ReadonlyArray<ShownPerson>
}) => {
  const { approvalId, leads, people, text } = props
  const shown = people.slice(0, FIRST_PEOPLE_MAX)
  const hasMore = people.length > shown.length
  return (
    <Section id="find" title="Leads">
      <SearchForm
        action={`/console/approvals/${approvalId}#find`}
        label="Email, name or company, or any text in their values"
        text={text}
      />
      {shown.length === 0 ? (
        <p class="card soft" role="status">
          {text === null ? "The leads of this request are not kept any more." : "No lead of this request matches."}
        </p>
      ) : (
        <>
          <p role="status">
            {text === null
              ? hasMore
                ? `The first ${shown.length} of ${count(leads, "lead")}`
                : count(leads, "lead")
              : hasMore
                ? `The first ${shown.length} matches`
                : count(shown.length, "match", "matches")}
          </p>
          <PeopleTable approvalId={approvalId} label={text === null ? "Leads" : "Leads found"} of={shown} />
          {hasMore ? (
            <p>
              <a href={contentPath(approvalId, "people", text === null ? {} : { q: text })}>
                {text === null ? "All leads, page by page" : "All matches, page by page"}
              </a>
            </p>
          ) : null}
        </>
      )}
    </Section>
  )
}
