import type { KeyOverview } from "@outbound/domain/control/Control.js"
import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { count, creditWords, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { History } from "../control/History.js"
import { Badge, Csrf, Pager, type Problem, ProblemNote } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { capWords, STATE_WORDS } from "./keyWords.js"
import { PolicyFields } from "./PolicyFields.js"

const Act = (props: {
  readonly viewer: Viewer
  readonly action: string
  readonly words: string
  readonly tone?: "go" | "stop"
}) => (
  <form method="post" action={props.action}>
    <Csrf viewer={props.viewer} />
    <button class={props.tone} type="submit">
      {props.words}
    </button>
  </form>
)

const State = (props: { readonly viewer: Viewer; readonly of: KeyOverview; readonly path: string }) => {
  const { path, viewer } = props
  const { state } = props.of.key
  if (KeyMachine.is.revoked(state)) return null
  const isOwner = mayLoosen(viewer)
  return (
    <section class="card" aria-labelledby="state">
      <h2 id="state">Pause or revoke</h2>
      <p class="soft">
        {KeyMachine.is.active(state)
          ? "A paused key can do nothing until it is resumed. Revoking a key is permanent and cancels its open requests."
          : "This key is paused: it can do nothing until it is resumed."}
      </p>
      <div class="actions">
        {KeyMachine.is.active(state) ? <Act viewer={viewer} action={`${path}/pause`} words="Pause" /> : null}
        {KeyMachine.is.paused(state) && isOwner ? (
          <Act viewer={viewer} action={`${path}/resume`} words="Resume" tone="go" />
        ) : null}
        {isOwner ? <Act viewer={viewer} action={`${path}/revoke`} words="Revoke permanently" tone="stop" /> : null}
      </div>
    </section>
  )
}

export const keyPage = (options: {
  readonly viewer: Viewer
  readonly of: KeyOverview
  readonly history: ReadonlyArray<ControlLogEntry>
  readonly next: string | null
  readonly isLater: boolean
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { history, nowMillis, of, problem, viewer } = options
  const { key, spentThisMonth } = of
  const path = `/console/keys/${key.keyId}`
  const [words, tone] = STATE_WORDS[key.state]
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: key.name,
    viewer,
    at: "keys",
    isNarrow: true,
    children: (
      <>
        <div class="title">
          <h1>{key.name}</h1>
          <Badge tone={tone}>{words}</Badge>
        </div>
        <ProblemNote of={problem} />
        <dl class="facts card">
          <dt>Prefix</dt>
          <dd>
            <code>{key.prefix}…</code>
          </dd>
          <dt>Spent this month</dt>
          <dd>{creditWords(spentThisMonth)}</dd>
          <dt>Monthly cap</dt>
          <dd>{capWords(key.monthlySpendCap)}</dd>
          <dt>Rate limit</dt> <dd>{count(key.ratePerMinute, "call")} per minute</dd>
          {key.capabilitiesOff.length === 0 ? null : (
            <>
              <dt>Switched off</dt>
              <dd>{key.capabilitiesOff.join(", ")}</dd>
            </>
          )}
          <dt>Created</dt>
          <dd>
            <Moment atMillis={key.createdAtMillis} />
          </dd>
        </dl>
        {KeyMachine.is.revoked(key.state) ? null : (
          <section aria-labelledby="policy">
            <h2 id="policy">Policy</h2>
            <MayNote
              viewer={viewer}
              nowMillis={nowMillis}
              path={path}
              loosening="loosen the policy or resume the key"
            />
            <form class="card" method="post" action={`${path}/policy`}>
              <Csrf viewer={viewer} />
              <PolicyFields
                of={{
                  scopes: key.scopes,
                  cap: key.monthlySpendCap === null ? "" : format(key.monthlySpendCap),
                  autonomous: key.autonomousExternalActions,
                  runRequired: key.runRequired,
                  allowance: format(key.premiumAllowance)
                }}
                problem={problem}
              />
              <button class="go" type="submit">
                Save policy
              </button>
            </form>
          </section>
        )}
        <State viewer={viewer} of={of} path={path} />
        <section aria-labelledby="history">
          <h2 id="history">History</h2>
          <History of={history} ofKey />
          <Pager path={path} name="before" isLater={options.isLater} next={options.next} />
        </section>
      </>
    )
  })
}
