import type { MailboxLine } from "@outbound/domain/control/console/ConsoleReads.js"
import {
  MailboxMachine,
  type MailboxPauseReason,
  type MailboxState
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { grouped } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Badge, Csrf, MomentOr } from "../Parts.js"
import type { Viewer } from "../Shell.js"

const MAILBOX_WORDS: Readonly<Record<MailboxState, readonly [words: string, tone: "good" | "bad" | "wait"]>> = {
  provisioning: ["Being set up", "wait"],
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  failed: ["Failed", "bad"]
}

const PAUSE_WORDS: Readonly<Record<MailboxPauseReason, string>> = {
  upkeep: "its upkeep could not be paid",
  owner: "by its owner",
  bounces: "too much of its mail bounced",
  complaints: "too many complained about its mail",
  login: "its server no longer lets us in",
  unreachable: "its server could not be reached for hours"
}

/** What may be done with an own mailbox that is connected. */
const Actions = (props: { readonly of: MailboxLine; readonly viewer: Viewer }) => {
  const { address, mailboxId, state } = props.of
  const isOwner = mayLoosen(props.viewer)
  const buttons = [
    ...(MailboxMachine.is.sending(state) ? [["pause", "Pause"] as const] : []),
    ...(MailboxMachine.is.paused(state) && isOwner ? [["resume", "Resume"] as const] : []),
    ...(isOwner ? [["remove", "Remove"] as const] : [])
  ]
  return (
    <div class="actions">
      {buttons.map(([event, text]) => (
        <form key={event} method="post" action={`/console/mailboxes/${mailboxId}/${event}`}>
          <Csrf viewer={props.viewer} />
          <button class={event === "remove" ? "stop" : undefined} type="submit">
            {text}
            <span class="unseen"> {address}</span>
          </button>
        </form>
      ))}
    </div>
  )
}

export const MailboxRow = (props: {
  readonly of: MailboxLine
  readonly cap: number
  readonly viewer: Viewer
  /** Null where the workspace can have no own mailboxes. */
  readonly connected: ReadonlyMap<string, { readonly skipped: number }> | null
}) => {
  const { connected } = props
  const { address, displayName, domain, kind, mailboxId, pauseReason, sendsToday, state, upkeepPaidUntilMillis } =
    props.of
  const isGivenBack = MailboxMachine.is.gone(state) && props.of.activeAtMillis !== null
  const [words, tone] = isGivenBack ? (["Given back", "wait"] as const) : MAILBOX_WORDS[state]
  const skipped = connected?.get(mailboxId)?.skipped ?? 0
  return (
    <tr>
      <td>
        {address}
        <div class="soft">{displayName}</div>
      </td>
      <td class="firm">{domain}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
        {pauseReason === null ? null : <div class="soft">{PAUSE_WORDS[pauseReason]}</div>}
        {skipped === 0 ? null : <div class="soft">{grouped(skipped)} messages in it could not be read</div>}
      </td>
      <td class="number">
        {grouped(sendsToday)} of {grouped(props.cap)}
      </td>
      <td>{kind === "own" ? "Your own" : <MomentOr atMillis={upkeepPaidUntilMillis} />}</td>
      {connected === null ? null : (
        <td>
          {kind !== "own" ? null : connected.has(mailboxId) ? (
            <Actions of={props.of} viewer={props.viewer} />
          ) : (
            <span class="soft">Removed</span>
          )}
        </td>
      )}
    </tr>
  )
}
