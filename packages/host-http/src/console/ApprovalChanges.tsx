import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { count, grouped, Moment } from "../web/Words.js"
import { STATE_WORDS } from "./ApprovalWords.js"
import type { ContentDifference } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Marked } from "./approvals/Marked.js"
import { fieldWords } from "./Parts.js"
import type { SnapshotChange } from "./snapshotChanges.js"

/** How many added, and how many removed, items are named. */
const NAMED_MAX = 20

const WORDS: Readonly<Record<string, string>> = {
  leads: "Leads",
  leads_removed: "Leads left out",
  recipients: "Leads listed",
  setup_credits: "Cost now",
  upkeep_credits_per_month: "Cost per month",
  first_month_credits: "First month",
  credits: "Cost",
  identity: "Sender"
}

const Named = (props: { readonly words: string; readonly of: ReadonlyArray<string> }) =>
  props.of.length === 0 ? null : (
    <div>
      {props.words}: <Marked text={props.of.slice(0, NAMED_MAX).join("; ")} />
      {props.of.length > NAMED_MAX ? ` and ${grouped(props.of.length - NAMED_MAX)} more` : ""}
    </div>
  )

const Change = (props: { readonly of: SnapshotChange }) => {
  const { of } = props
  const term = <dt>{WORDS[of.what] ?? fieldWords(of.what)}</dt>
  switch (of.kind) {
    case "value":
      return (
        <>
          {term}
          <dd>
            <del>
              <Marked text={of.before} />
            </del>{" "}
            <span aria-hidden="true">→</span>{" "}
            <ins>
              <Marked text={of.after} />
            </ins>
          </dd>
        </>
      )
    case "set":
      return (
        <>
          {term}
          <dd>
            {of.added.length === 0 && of.removed.length === 0 ? "Order changed" : null}
            <Named words="Added" of={of.added} />
            <Named words="Removed" of={of.removed} />
          </dd>
        </>
      )
    case "text":
      return (
        <>
          {term}
          <dd class="diff">
            {of.lines.map(({ kind, text }, index) =>
              kind === "new" ? (
                <ins key={index}>
                  <Marked text={text} />
                </ins>
              ) : kind === "gone" ? (
                <del key={index}>
                  <Marked text={text} />
                </del>
              ) : (
                <span key={index}>
                  <Marked text={text === "" ? "\u00A0" : text} />
                </span>
              )
            )}
          </dd>
        </>
      )
  }
}

const wordsOf = ({ added, changed, removed }: ContentDifference): string =>
  [
    ...(added === 0 ? [] : [`${count(added, "lead")} added`]),
    ...(removed === 0 ? [] : [`${count(removed, "lead")} no longer there`]),
    ...(changed === 0 ? [] : [`${count(changed, "lead")} with other values`])
  ].join(", ")

/** How people changed; null: they did not, or there is nothing to compare. */
export const peopleChanged = (difference: ContentDifference | null): string | null =>
  difference === null ? null : wordsOf(difference) || null

/** What changed since an earlier request for the same thing. */
export const ApprovalChanges = (props: {
  readonly earlier: ApprovalSummary
  readonly changes: ReadonlyArray<SnapshotChange>
  /** How the people and their values differ, in words; null: they don't. */
  readonly people: string | null
}) => {
  const { changes, people } = props
  const { approval } = props.earlier
  const isSame = changes.length === 0 && people === null
  return (
    <section class="card changes" aria-labelledby="changes">
      <h2 id="changes">{isSame ? "Nothing changed" : "What changed"}</h2>
      <p class="soft">
        Compared with <a href={`/console/approvals/${approval.approvalId}`}>the earlier request</a> of{" "}
        <Moment atMillis={approval.createdAtMillis} /> ({STATE_WORDS[approval.state].toLowerCase()}).
      </p>
      {isSame ? null : (
        <dl class="facts">
          {people === null ? null : (
            <>
              <dt>Leads and their values</dt>
              <dd>{people}</dd>
            </>
          )}
          {changes.map((of) => (
            <Change key={of.what} of={of} />
          ))}
        </dl>
      )}
    </section>
  )
}
