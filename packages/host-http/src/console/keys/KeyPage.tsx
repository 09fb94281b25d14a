import type { KeyOverview } from "@outbound/domain/control/Control.js"
import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { count, creditWords, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { History } from "../control/History.js"
import { Form, type Problem } from "../Fields.js"
import { Facts, Pager, Section, StateBadge } from "../Parts.js"
import { useViewer, type Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { capWords, STATE_WORDS } from "./keyWords.js"
import { PolicyFields } from "./PolicyFields.js"
import { titledPage } from "../titledPage.js"

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
        {isOwner ? <Form action={`${path}/revoke`} button="Revoke permanently" tone="stop" /> : null}
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
