import { ChangeRequestMachine, type ChangeRequestState } from "@outbound/domain/control/ChangeRequestMachine.js"
import type { ChangeRequestSummary } from "@outbound/domain/control/ChangeRequestStore.js"
import type { KeyOverview } from "@outbound/domain/control/Control.js"
import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, count, creditWords, Moment } from "../../web/Words.js"
import { formPage, mayLoosen, MayNote, secretPage } from "../control/acting.js"
import { Cards, Facts, Field, Form, Pager, type Problem, Section, StateBadge, type StateWords } from "../Parts.js"
import { titledPage } from "../Shell.js"
import { useViewer, type Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { capWords, changeWords, STATE_WORDS } from "./keyWords.js"
import { History } from "../control/History.js"
import { PolicyFields } from "./PolicyFields.js"

export const newKeyPage = (options: { readonly viewer: Viewer; readonly problem?: Problem | undefined }): Reply => {
  const { problem, viewer } = options
  return formPage(
    {
      viewer,
      problem,
      title: "New key",
      lead: "Give each agent its own key, with only the scopes it needs. The secret is shown once.",
      at: "keys",
      path: "/console/keys/new",
      loosening: "create a key"
    },
    <Form class="card" action="/console/keys" button="Create key" tone="go">
      <Field label="Name" name="name" required maxLength={120} hint="For example, the agent that will use it." />
      <PolicyFields
        of={{ scopes: DEFAULT_SCOPES, cap: "", dailyCap: "", autonomous: true, runRequired: false, allowance: null }}
      />
    </Form>
  )
}

export const keyMadePage = (viewer: Viewer, keyId: string, apiKey: string): Reply =>
  secretPage({
    viewer,
    title: "Your new key",
    at: "keys",
    says: "We don’t store it and can’t show it again.",
    label: "The key’s secret",
    secret: apiKey,
    links: (
      <>
        <a href={`/console/keys/${keyId}`}>Go to the key</a> · <a href="/console/keys">All keys</a>
      </>
    )
  })

const State = (props: { readonly of: KeyOverview; readonly path: string }) => {
  const { path } = props
  const { state } = props.of.key
  if (KeyMachine.is.revoked(state)) return null
  const isOwner = mayLoosen(useViewer())
  return (
    <Section id="state" title="Pause or revoke" isCard>
      <p class="soft">
        {KeyMachine.is.active(state)
          ? "A paused key can do nothing until it is resumed. Revoking a key is permanent and cancels its open requests."
          : "This key is paused: it can do nothing until it is resumed."}
      </p>
      <div class="actions">
        {KeyMachine.is.active(state) ? <Form action={`${path}/pause`} button="Pause" /> : null}
        {KeyMachine.is.paused(state) && isOwner ? <Form action={`${path}/resume`} button="Resume" tone="go" /> : null}
        {isOwner ? (
          <a class="button stop" href={`${path}/revoke`}>
            Revoke permanently…
          </a>
        ) : null}
      </div>
    </Section>
  )
}

export const keyPage = (options: {
  readonly viewer: Viewer
  readonly of: KeyOverview
  readonly history: Listing<ControlLogEntry>
  readonly problem?: Problem | undefined
}): Reply => {
  const { history, of, problem, viewer } = options
  const { key, spentThisMonth } = of
  const path = `/console/keys/${key.keyId}`
  return titledPage(
    {
      title: key.name,
      viewer,
      at: "keys",
      isNarrow: true,
      beside: <StateBadge of={STATE_WORDS[key.state]} />,
      problem
    },
    <>
      <Facts
        of={[
          ["Prefix", <code>{key.prefix}…</code>],
          ["Spent this month", creditWords(spentThisMonth)],
          ["Monthly cap", capWords(key.monthlySpendCap)],
          ["Daily cap", capWords(key.dailySpendCap)],
          ["Rate limit", <>{count(key.ratePerMinute, "call")} per minute</>],
          key.capabilitiesOff.length === 0 ? null : ["Switched off", key.capabilitiesOff.join(", ")],
          ["Created", <Moment atMillis={key.createdAtMillis} />]
        ]}
      />
      {KeyMachine.is.revoked(key.state) ? null : (
        <Section id="policy" title="Policy">
          <MayNote path={path} loosening="loosen the policy or resume the key" />
          <Form class="card" action={`${path}/policy`} button="Save policy" tone="go">
            <PolicyFields
              of={{
                scopes: key.scopes,
                cap: key.monthlySpendCap === null ? "" : format(key.monthlySpendCap),
                dailyCap: key.dailySpendCap === null ? "" : format(key.dailySpendCap),
                autonomous: key.autonomousExternalActions,
                runRequired: key.runRequired,
                allowance: format(key.premiumAllowance)
              }}
            />
          </Form>
        </Section>
      )}
      <State of={of} path={path} />
      <Section id="history" title="History">
        <History of={history.shown} ofKey />
        <Pager path={path} name="before" of={history} />
      </Section>
    </>
  )
}

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
          : `${amountWords(spentThisMonth)} of ${creditWords(key.monthlySpendCap)} this month`}
        {key.dailySpendCap === null ? "" : `, at most ${creditWords(key.dailySpendCap)} a day`} · created{" "}
        <Moment atMillis={key.createdAtMillis} />
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
