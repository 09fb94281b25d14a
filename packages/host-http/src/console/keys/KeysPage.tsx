import { ChangeRequestMachine, type ChangeRequestState } from "@outbound/domain/control/ChangeRequestMachine.js"
import type { ChangeRequestSummary } from "@outbound/domain/control/ChangeRequestStore.js"
import type { KeyOverview } from "@outbound/domain/control/Control.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, count, creditWords, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Form } from "../Fields.js"
import { Cards, Pager, Section, StateBadge, type StateWords } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { changeWords, STATE_WORDS } from "./keyWords.js"
import { titledPage } from "../titledPage.js"

const STATE: Readonly<Record<ChangeRequestState, StateWords>> = {
  open: ["Waiting for you", "wait"],
  approved: ["Approved", "good"],
  declined: ["Declined", "bad"],
  superseded: ["Replaced by a newer request", undefined],
  cancelled: ["Cancelled", undefined]
}

/** A key's request for more, and the buttons to decide on it. */
const ChangeRequest = (props: { readonly of: ChangeRequestSummary; readonly canDecide: boolean }) => {
  const { decidedByEmail, keyName, request, requestedByName } = props.of
  const isOpen = ChangeRequestMachine.is.open(request.state)
  const at = `/console/change-requests/${request.changeRequestId}`
  return (
    <li class="card">
      <strong>
        More for <a href={`/console/keys/${request.keyId}`}>{keyName}</a>
      </strong>
      <StateBadge of={STATE[request.state]} />
      <div class="values">
        {changeWords(request.change, request.before).map(({ after, before, what }) => (
          <p key={`${what} ${after ?? before ?? ""}`}>
            {what}: {before === null ? null : <del>{before}</del>}
            {before === null || after === null ? null : <span aria-hidden="true"> → </span>}
            {after === null ? null : <ins>{after}</ins>}
          </p>
        ))}
      </div>
      <p class="soft">
        Requested by the key “{requestedByName}”, <Moment atMillis={request.createdAtMillis} />
        {request.decidedAtMillis === null ? null : (
          <>
            {" · decided"}
            {decidedByEmail === null ? "" : ` by ${decidedByEmail}`}, <Moment atMillis={request.decidedAtMillis} />
          </>
        )}
      </p>
      {isOpen && props.canDecide ? (
        <div class="actions">
          <Form action={`${at}/decline`} button="Decline" tone="stop" />
          <Form action={`${at}/approve`} button="Approve" tone="go" />
        </div>
      ) : null}
    </li>
  )
}

const Key = (props: { readonly of: KeyOverview }) => {
  const { key, spentThisMonth } = props.of
  return (
    <li class="card">
      <a href={`/console/keys/${key.keyId}`}>{key.name}</a>
      <StateBadge of={STATE_WORDS[key.state]} />
      <p>
        <code>{key.prefix}…</code> · {count(key.scopes.length, "scope")}
        {key.autonomousExternalActions ? "" : " · can’t ask for approvals"}
        {key.runRequired ? " · must name a run" : ""}
      </p>
      <p class="soft">
        {key.monthlySpendCap === null
          ? `${creditWords(spentThisMonth)} this month, no cap`
          : `${amountWords(spentThisMonth)} of ${creditWords(key.monthlySpendCap)} this month`}{" "}
        · created <Moment atMillis={key.createdAtMillis} />
      </p>
    </li>
  )
}

export const keysPage = (
  options: Listing<KeyOverview> & {
    readonly viewer: Viewer
    readonly open: ReadonlyArray<ChangeRequestSummary>
    readonly closed: ReadonlyArray<ChangeRequestSummary>
  }
): Reply => {
  const { closed, isLater, open, shown, viewer } = options
  const canDecide = mayLoosen(viewer)
  return titledPage(
    {
      title: "Keys",
      viewer,
      at: "keys",
      beside: canDecide ? (
        <a class="button" href="/console/keys/new">
          New key
        </a>
      ) : null,
      lead: (
        <>
          Give each agent its own key. For a budget for one piece of work, open a <a href="/console/runs">run</a>. For
          past changes, see the <a href="/console/settings/history">history</a>.
        </>
      )
    },
    <>
      {isLater ? null : (
        <Section id="asked" title="Requests from keys">
          {open.length === 0 ? (
            <p class="card soft">No open requests.</p>
          ) : (
            <>
              <MayNote path="/console/keys" loosening="approve a change" />
              <Cards of={open} each={(of) => <ChangeRequest of={of} canDecide={canDecide} />} />
            </>
          )}
        </Section>
      )}
      <Section id="keys" title="All keys">
        <Cards of={shown} none={isLater ? "No more keys." : "No keys yet."} each={(of) => <Key of={of} />} />
        <Pager path="/console/keys" of={options} />
      </Section>
      {closed.length === 0 || isLater ? null : (
        <Section id="decided" title="Recently decided">
          <Cards of={closed} each={(of) => <ChangeRequest of={of} canDecide={false} />} />
        </Section>
      )}
    </>
  )
}
