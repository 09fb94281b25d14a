import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { grouped, Moment } from "../web/Words.js"
import { STATE_WORDS } from "./ApprovalWords.js"
import { fieldWords } from "./Parts.js"
import { changesBetween, type SnapshotChange } from "./snapshotChanges.js"

/** How many added, and how many removed, items are named. */
const NAMED_MAX = 20

const WORDS: Readonly<Record<string, string>> = {
  leads: "Leads",
  leads_removed: "Leads left out",
  recipients: "Leads listed",
  setup_credits: "Cost now",
  upkeep_credits_per_month: "Cost per month",
  credits: "Cost",
  identity: "Sender"
}

const Named = (props: { readonly words: string; readonly of: ReadonlyArray<string> }) =>
  props.of.length === 0 ? null : (
    <div>
      {props.words}: {props.of.slice(0, NAMED_MAX).join("; ")}
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
            <del>{of.before}</del> <span aria-hidden="true">→</span> <ins>{of.after}</ins>
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
                <ins key={index}>{text}</ins>
              ) : kind === "gone" ? (
                <del key={index}>{text}</del>
              ) : (
                <span key={index}>{text === "" ? "\u00A0" : text}</span>
              )
            )}
          </dd>
        </>
      )
  }
}

/** What changed since an earlier request for the same thing. */
export const ApprovalChanges = (props: { readonly earlier: ApprovalSummary | null; readonly now: ApprovalSummary }) => {
  if (props.earlier === null) return null
  const { approval } = props.earlier
  const changes = changesBetween(approval.snapshot, props.now.approval.snapshot)
  if (changes === null) return null
  return (
    <section class="card changes" aria-labelledby="changes">
      <h2 id="changes">{changes.length === 0 ? "Nothing changed" : "What changed"}</h2>
      <p class="soft">
        Compared with <a href={`/console/approvals/${approval.approvalId}`}>the earlier request</a> of{" "}
        <Moment atMillis={approval.createdAtMillis} /> ({STATE_WORDS[approval.state].toLowerCase()}).
      </p>
      {changes.length === 0 ? null : (
        <dl class="facts">
          {changes.map((of) => (
            <Change key={of.what} of={of} />
          ))}
        </dl>
      )}
    </section>
  )
}
