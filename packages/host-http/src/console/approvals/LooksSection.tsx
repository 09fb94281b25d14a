import type { Overlap } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type ContentSummary, LOOK_KINDS, type LookKind } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { count, grouped } from "../../web/Words.js"
import { fitted, LinkLine, Section, Table } from "../Parts.js"
import { contentPath, LOOK_WORDS } from "./contentWords.js"
import { Marked } from "./Marked.js"

/** The most bytes of each value in a list. A person's own page shows it in full. */
const VALUE_BYTES_MAX = 1_200

const valuesOf = ({
  companyName,
  custom,
  firstName,
  lastName
}: ShownPerson): ReadonlyArray<readonly [string, string]> =>
  [
    ["first_name", firstName] as const,
    ["last_name", lastName] as const,
    ["company_name", companyName] as const,
    ...Object.entries(custom).map(([name, value]) => [`custom.${name}`, value] as const)
  ].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

/** A person with the values that their messages are merged from. */
export const Values = (props: { readonly approvalId: string; readonly of: ShownPerson }) => {
  const { of } = props
  return (
    <div class="values">
      <p>
        <strong>
          <Marked text={of.email} />
        </strong>{" "}
        {of.looks.map((look) => (
          <span class="badge wait" key={look}>
            {LOOK_WORDS[look].short}
          </span>
        ))}{" "}
        <a href={contentPath(props.approvalId, "person", { of: of.shownId })}>
          Their messages<span class="unseen"> to {of.email}</span>
        </a>
      </p>
      <dl>
        {valuesOf(of).map(([name, value]) => {
          const { isCut, text } = fitted(value, VALUE_BYTES_MAX)
          return (
            <>
              <dt>
                <Marked text={name} />
              </dt>
              <dd class="mail">
                <Marked text={text} />
                {isCut ? "… (cut; their messages show all)" : ""}
              </dd>
            </>
          )
        })}
      </dl>
    </div>
  )
}

/** Most hosts that the page names before one asks for more, and most people of each kind. */
const HOSTS_MAX = 12
export const SAMPLES_MAX = 3

/** The first people of each kind. */
export type Samples = Readonly<Partial<Record<LookKind, ReadonlyArray<ShownPerson>>>>

const Hosts = (props: { readonly approvalId: string; readonly of: ContentSummary; readonly isAll: boolean }) => {
  const { hosts, hosts_total } = props.of
  if (hosts.length === 0) return <p>The messages hold no links or addresses but the unsubscribe link.</p>
  const shown = props.isAll ? hosts : hosts.slice(0, HOSTS_MAX)
  return (
    <>
      <Table
        label="Links and addresses by host"
        head={["Links and addresses to", "In"]}
        rows={shown.map(({ host, in_templates, people }) => [
          <strong>
            <Marked text={host} />
          </strong>,
          <>
            {in_templates ? "every message’s template" : null}
            {people === 0 ? null : (
              <a href={contentPath(props.approvalId, "people", { host })}>
                {count(people, "lead’s own values", "leads’ own values")}
              </a>
            )}
          </>
        ])}
      />
      {shown.length === hosts_total ? null : (
        <p>
          {shown.length < hosts.length ? (
            <a href={`/console/approvals/${props.approvalId}?hosts=all#look`}>Show all {grouped(hosts_total)} hosts</a>
          ) : (
            <a href={contentPath(props.approvalId, "people", { look: "link" })}>
              All leads whose own values bring one of the {grouped(hosts_total)} hosts
            </a>
          )}
        </p>
      )}
    </>
  )
}

const Kind = (props: {
  readonly approvalId: string
  readonly kind: LookKind
  readonly people: number
  readonly samples: ReadonlyArray<ShownPerson>
  /** Whom a kind before it shows already, with all their marks. */
  readonly shown: ReadonlySet<string>
}) => (
  <article
    class={props.samples.every(({ shownId }) => props.shown.has(shownId)) ? "card look brief" : "card look"}
    id={`look-${props.kind}`}
  >
    <h3>
      {LOOK_WORDS[props.kind].title}: {count(props.people, "lead")}
    </h3>
    {props.samples.map((person) =>
      props.shown.has(person.shownId) ? (
        <p key={person.shownId}>
          <Marked text={person.email} />, as above
        </p>
      ) : (
        <Values key={person.shownId} approvalId={props.approvalId} of={person} />
      )
    )}
    {props.people > props.samples.length ? (
      <LinkLine
        to={contentPath(props.approvalId, "people", { look: props.kind })}
        text={`All ${grouped(props.people)}`}
      />
    ) : null}
  </article>
)

const WHAT_OVERLAPPING_DO: Readonly<Record<Overlap, string>> = {
  refuse: "are left out",
  queue: "wait until 30 days have passed, unless they answer"
}

const shownBefore = (kinds: ReadonlyArray<LookKind>, samples: Samples): ReadonlySet<string> =>
  new Set(kinds.flatMap((kind) => samples[kind] ?? []).map(({ shownId }) => shownId))

/** First of all, what deserves a look in the merged messages. */
export const LooksSection = (props: {
  readonly approvalId: string
  readonly of: ContentSummary
  readonly samples: Samples
  readonly isAllHosts: boolean
  readonly overlap: Overlap
}) => {
  const { of, samples } = props
  const kinds = LOOK_KINDS.filter((kind) => (of.looks[kind] ?? 0) > 0)
  return (
    <Section id="look" title="Look at these first">
      {of.is_complete ? null : (
        <p class="note bad" role="status">
          The sequence has more variables than we examine. Read the values below and some whole messages.
        </p>
      )}
      <Hosts approvalId={props.approvalId} of={of} isAll={props.isAllHosts} />
      {of.overlapping_people === 0 ? null : (
        <p id="overlap">
          {count(of.overlapping_people, "lead is", "leads are")} in another active or paused campaign too. People who
          got a message of another campaign in the last 30 days {WHAT_OVERLAPPING_DO[props.overlap]}.
        </p>
      )}
      {kinds.length === 0 ? (
        <p>No value is unusually long, rare or written with characters that can’t be seen.</p>
      ) : (
        kinds.map((kind, index) => (
          <Kind
            key={kind}
            shown={shownBefore(kinds.slice(0, index), samples)}
            approvalId={props.approvalId}
            kind={kind}
            people={of.looks[kind] ?? 0}
            samples={samples[kind] ?? []}
          />
        ))
      )}
    </Section>
  )
}
