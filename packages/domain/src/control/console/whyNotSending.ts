import { DAY_MILLIS } from "../../kernel/durations.js"
import { CampaignMachine, type PauseReason } from "../../outreach/campaigns/CampaignMachine.js"
import { dayStart } from "../../outreach/sending/Dispatcher.js"
import { applies, endOf, type SendRule } from "../../outreach/sending/sendRule.js"
import type { NextWindow } from "../../outreach/sending/SendingCalendar.js"
import type { CampaignView, SendingView } from "./ConsoleReads.js"

/** Why a campaign is not sending, with the data a person needs to fix it. */
export type Hindrance =
  | { readonly kind: "draft" }
  | { readonly kind: "incomplete" }
  | { readonly kind: "completed" }
  | { readonly kind: "paused"; readonly reason: PauseReason }
  | { readonly kind: "suspended"; readonly reason: string | null }
  | { readonly kind: "no_postal_address" }
  | { readonly kind: "crm_unread" }
  | { readonly kind: "no_active_mailbox"; readonly provisioning: number; readonly paused: number }
  | { readonly kind: "workspace_cap"; readonly cap: number }
  | { readonly kind: "mailbox_caps"; readonly cap: number }
  | { readonly kind: "mailboxes_off"; readonly leads: number }
  | { readonly kind: "awaiting_approval"; readonly leads: number }
  | { readonly kind: "window_closed"; readonly opensAtMillis: number | null }
  | { readonly kind: "not_due"; readonly nextAtMillis: number }
  | { readonly kind: "limits"; readonly nextAtMillis: number }
  | { readonly kind: "nobody_left" }

type Kind = Hindrance["kind"]

/** The rule of sending that each speaks of; null: of none, because nothing is launched without it. */
const RULE_OF = {
  draft: "campaign_not_running",
  incomplete: "campaign_not_running",
  completed: "campaign_not_running",
  paused: "campaign_not_running",
  suspended: "suspended",
  no_postal_address: null,
  crm_unread: "crm_unread",
  no_active_mailbox: "mailbox_not_sending",
  workspace_cap: "cap_reached",
  mailbox_caps: "cap_reached",
  mailboxes_off: "mailbox_not_sending",
  awaiting_approval: "not_approved",
  window_closed: "window_closed",
  not_due: "not_due",
  limits: "receiver_limit_reached",
  nobody_left: "ended"
} as const satisfies Readonly<Record<Kind, SendRule | null>>

/** When it ends by itself; null: somebody has to act, or nobody can tell. */
export const endsAt = (why: Hindrance, nowMillis: number): number | null => {
  if ("nextAtMillis" in why) return why.nextAtMillis
  if ("opensAtMillis" in why) return why.opensAtMillis
  const rule = RULE_OF[why.kind]
  return rule !== null && endOf(rule) === "day" ? dayStart(nowMillis) + DAY_MILLIS : null
}

/** Between two messages of a campaign that sends lie minutes. A longer wait is said. */
const WAIT_MILLIS_MAX = 3_600_000

const ofState = ({ campaign }: CampaignView): ReadonlyArray<Hindrance> => {
  const { pauseReason, state } = campaign
  if (CampaignMachine.is.running(state)) return []
  return [CampaignMachine.is.paused(state) ? { kind: state, reason: pauseReason ?? "owner" } : { kind: state }]
}

const ofWorkspace = (sending: SendingView): ReadonlyArray<Hindrance> => {
  const { dailySends, isCrmUnread, mailboxesWithRoom, sendsToday } = sending
  const { active, paused, provisioning } = sending.mailboxes
  const found: Array<Hindrance> = []
  if (applies("suspended", { isSuspended: sending.suspendedAtMillis !== null })) {
    found.push({ kind: "suspended", reason: sending.suspendedReason })
  }
  if (sending.postalAddress === null) found.push({ kind: "no_postal_address" })
  if (applies("crm_unread", { isCrmUnread })) found.push({ kind: "crm_unread" })
  if (active === 0) found.push({ kind: "no_active_mailbox", provisioning, paused })
  const ofAll = { workspace: dailySends - sendsToday, mailbox: Infinity, domain: null, receiver: null }
  if (applies("cap_reached", { left: ofAll })) found.push({ kind: "workspace_cap", cap: dailySends })
  else if (active > 0 && applies("cap_reached", { left: { ...ofAll, mailbox: mailboxesWithRoom } })) {
    found.push({ kind: "mailbox_caps", cap: sending.mailboxDailySends })
  }
  return found
}

const ofPeople = (
  { waiting }: CampaignView,
  nextMessageAtMillis: number | null,
  nowMillis: number
): ReadonlyArray<Hindrance> => {
  const { covered, uncovered, withoutMailbox } = waiting
  const found: Array<Hindrance> = []
  if (covered + uncovered === 0) return [{ kind: "nobody_left" }]
  if (uncovered > 0) found.push({ kind: "awaiting_approval", leads: uncovered })
  if (withoutMailbox > 0) found.push({ kind: "mailboxes_off", leads: withoutMailbox })
  const nextAtMillis = nextMessageAtMillis ?? waiting.nextAtMillis
  if (nextAtMillis !== null && (waiting.nextAtMillis ?? 0) > nowMillis) found.push({ kind: "not_due", nextAtMillis })
  return found
}

/** The window of whom a message is due to, or else of everybody who waits; the campaign's if nobody does. */
const ofWindow = (
  { campaign, hours }: CampaignView,
  nextWindow: NextWindow,
  nowMillis: number
): ReadonlyArray<Hindrance> => {
  const due = hours.filter(({ nextAtMillis }) => nextAtMillis !== null && nextAtMillis <= nowMillis)
  const asked = due.length > 0 ? due : hours
  const opens = (asked.length > 0 ? asked : [{ hours: null }]).flatMap(
    (one) => nextWindow(campaign.schedule, one.hours, nowMillis)?.opensAtMillis ?? []
  )
  const opensAtMillis = opens.length === 0 ? null : opens.reduce((first, one) => Math.min(first, one))
  return opensAtMillis !== null && opensAtMillis <= nowMillis ? [] : [{ kind: "window_closed", opensAtMillis }]
}

/**
 * Every reason why a campaign is not sending now; empty while it sends. An ended campaign reports only that it ended.
 * `nextMessageAtMillis`: when its next message can leave (`Forecasts`).
 * The sandbox sends at any hour.
 */
export const whyNotSending = (
  view: CampaignView,
  sending: SendingView,
  nextWindow: NextWindow,
  nextMessageAtMillis: number | null,
  nowMillis: number
): ReadonlyArray<Hindrance> => {
  const state = ofState(view)
  if (CampaignMachine.is.over(view.campaign.state)) return state
  const found: ReadonlyArray<Hindrance> = [
    ...state,
    ...ofWorkspace(sending),
    ...(state.length === 0 ? ofPeople(view, nextMessageAtMillis, nowMillis) : []),
    ...(sending.kind === "live" ? ofWindow(view, nextWindow, nowMillis) : [])
  ]
  // People are due, and nothing above keeps them waiting: a limit of their company, their receiver or a mailbox's day does.
  const waits = nextMessageAtMillis !== null && nextMessageAtMillis > nowMillis + WAIT_MILLIS_MAX
  return found.length === 0 && waits ? [{ kind: "limits", nextAtMillis: nextMessageAtMillis }] : found
}
