import { Clock, Effect, Option } from "effect"
import { type DomainsShown, SNAPSHOT_RECIPIENTS_MAX } from "../../calls/approvals/Snapshot.js"
import { canonicalJson, type Json } from "../../kernel/canonical.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { zero } from "../../kernel/money/Credits.js"
import { dailyLimit } from "../sending/planner.js"
import { makeBoundMailboxes } from "../sending/boundMailboxes.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import type { UseBook } from "../sending/UseBook.js"
import { mailboxesFor, makeScheduling, zoneObstacle } from "../sending/vendor/Scheduling.js"
import { type VendorCampaign, VendorStore } from "../sending/vendor/VendorStore.js"
import { isReachable, Settings } from "../../kernel/Settings.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import type { WorkspaceRules } from "../../kernel/workspaces/WorkspaceRules.js"
import { type SendingState, type Workspace, WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import type { Recipient, Schedule } from "../../kernel/sequences/Sequence.js"
import type { CampaignState } from "../campaigns/CampaignMachine.js"
import type { Campaign, LeadCover } from "../campaigns/CampaignStore.js"
import { shownRules } from "../campaigns/companyRules.js"
import { stillSent } from "../../kernel/sequences/variants.js"
import { shownWinnerRule } from "../campaigns/winnerRule.js"
import { hasOwnZone, holidaysFor, shownHours, zoneOf } from "../campaigns/recipientHours.js"
import type { LeadWords } from "../../kernel/words/notice.js"
import { makeAuthentication } from "./authentication.js"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { PublicHolidays } from "../../kernel/ports/PublicHolidays.js"
import { yearOf } from "../sending/SendingCalendar.js"
import { DAY_MILLIS } from "../../kernel/durations.js"

/** How many holidays of a country an approval names. */
const NEXT_HOLIDAYS = 5

/** The next holidays of a country, by local date, within a year and some days. */
const nextOf = (holidays: PublicHolidays["Service"], country: string, nowMillis: number) => {
  const today = Math.floor(nowMillis / DAY_MILLIS)
  const year = yearOf(today)
  return [...holidays.of(country, year), ...holidays.of(country, year + 1)]
    .filter(([day]) => day >= today)
    .sort(([one], [other]) => one - other)
    .slice(0, NEXT_HOLIDAYS)
    .map(([day, name]) => ({ date: new Date(day * DAY_MILLIS).toISOString().slice(0, 10), name }))
}

const counted = (names: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
}

/** How many people are written to in which zone, and whose holidays are skipped. Says nothing of what has no rule. */
const makeShownPeople = Effect.map(
  PublicHolidays,
  (holidays) => (schedule: Schedule, hours: ReadonlyArray<string | null>, nowMillis: number) => {
    const { recipientTimezone, skipHolidays } = schedule
    const countries = counted(hours.flatMap((one) => [...holidaysFor(schedule, one)]))
    return {
      ...(recipientTimezone === true
        ? {
            timezones: counted(hours.map((one) => zoneOf(schedule, one))).map(([timezone, people]) => ({
              timezone,
              people
            })),
            timezone_unknown: hours.filter((one) => !hasOwnZone(one)).length
          }
        : {}),
      ...(skipHolidays === undefined
        ? {}
        : {
            holidays: countries.map(([country, people]) => ({
              country,
              people,
              next: nextOf(holidays, country, nowMillis)
            }))
          })
    }
  }
)

type ShownPeople = ReturnType<Effect.Success<typeof makeShownPeople>>

/** The addresses that the approval's page showed as senders. */
export const shownMailboxes = ({ snapshot }: Approval): ReadonlyArray<string> =>
  snapshot.kind === "launch" || snapshot.kind === "add_leads" ? snapshot.mailboxes : []

/** Whether the approval's page showed every one of these mailboxes. It may have shown more. */
export const showsEach = (approval: Approval, mailboxes: ReadonlyArray<Pick<Mailbox, "address">>): boolean => {
  const shown = new Set(shownMailboxes(approval))
  return mailboxes.every(({ address }) => shown.has(address))
}

/** A campaign with everything that sending it needs. */
export interface CampaignContext {
  readonly campaign: Campaign
  readonly workspace: Workspace
  readonly sending: SendingState
  /** What the workspace asks of a launch. */
  readonly rules: WorkspaceRules
  /** The mailboxes that the campaign sends from. */
  readonly mailboxes: ReadonlyArray<Mailbox>
  /** What own mailboxes sent in the last days. */
  readonly use: UseBook
  /** Its state at the vendor that schedules it; null: outbound schedules it. */
  readonly vendorCampaign: VendorCampaign | null
  /** Why that vendor can't keep the campaign's schedule; null: it can. */
  readonly zone: AnyWireError | null
  /** What is known of the domains that it sends from, and why the workspace's rule forbids to send from them; null: it doesn't. */
  readonly authentication: {
    readonly shown: DomainsShown
    readonly refusal: AnyWireError | null
  }
  /** Whether its recipients can reach the address under which they unsubscribe. Nobody real is in a sandbox. */
  readonly canUnsubscribe: boolean
  /** What an approval shows of people with these hours. */
  readonly shownPeople: (hours: ReadonlyArray<string | null>) => ShownPeople
  readonly atMillis: number
}

/** A reason against a call, with its name in a dry run. */
export type Obstacle = readonly [name: string, error: AnyWireError]

export const makeCampaignContext = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const boundMailboxes = yield* makeBoundMailboxes
  const vendors = yield* VendorStore
  const scheduling = yield* makeScheduling
  const { baseUrl } = yield* Settings
  const peopleUnder = yield* makeShownPeople
  const { rules: rulesOf } = yield* RuleStore
  const authenticationOf = yield* makeAuthentication
  const sendings = yield* SendingStore
  return (workspaceId: string, campaign: Campaign, sending: SendingState) =>
    Effect.gen(function* () {
      const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
      const vendorCampaign = Option.getOrNull(yield* vendors.get(workspaceId, campaign.campaignId))
      const vendor = scheduling.vendorOfKind(workspace.kind)
      const at = { isAtVendor: vendorCampaign !== null, hasVendor: vendor !== null }
      const mailboxes = mailboxesFor(yield* boundMailboxes(campaign), at)
      const atMillis = yield* Clock.currentTimeMillis
      const zone = vendorCampaign === null || vendor === null ? null : zoneObstacle(vendor, campaign.schedule, atMillis)
      const canUnsubscribe = workspace.kind === "sandbox" || isReachable(baseUrl)
      const shownPeople = (hours: ReadonlyArray<string | null>) => peopleUnder(campaign.schedule, hours, atMillis)
      const rules = yield* rulesOf(workspaceId)
      const authentication = yield* authenticationOf(workspace, mailboxes, rules, atMillis)
      const known = {
        campaign,
        workspace,
        sending,
        rules,
        authentication,
        mailboxes,
        use: yield* sendings.uses(workspaceId, atMillis, "day"),
        vendorCampaign,
        zone,
        canUnsubscribe,
        shownPeople
      }
      return { ...known, atMillis } satisfies CampaignContext
    })
})

const LAUNCHING_MESSAGE = "The campaign is being launched just now. Ask again when that is over."

/** Drafts and paused campaigns can launch; they refuse only while a launch executes. */
const STATE_MESSAGES: Readonly<Record<CampaignState, string>> = {
  draft: LAUNCHING_MESSAGE,
  incomplete:
    "The sending provider has not confirmed all people of the campaign yet. It becomes a draft by itself; add_leads with finalize_incomplete asks sooner.",
  active: "The campaign is active already. People are added with add_leads.",
  paused: LAUNCHING_MESSAGE,
  completed: "The campaign is completed: nobody is left to be written to. Draft another one with create_campaign."
}

const KILLED_MESSAGE =
  "The campaign was stopped by a kill and never goes on. Draft another one with create_campaign for those who are left."

export const campaignStateObstacle = ({ pauseReason, state }: Campaign): Obstacle => [
  "campaign_state",
  refuse(
    "invalid_request",
    { reason: "campaign_state", state },
    pauseReason === "killed" ? KILLED_MESSAGE : STATE_MESSAGES[state]
  )
]

const UNBOUND_MESSAGE =
  "None of the mailboxes that the campaign sends from is active. An owner can add others on the campaign's page in the console."

/** What sending needs and the workspace lacks. */
export const capacityObstacles = ({
  authentication,
  campaign,
  canUnsubscribe,
  workspace,
  mailboxes,
  zone
}: CampaignContext): ReadonlyArray<Obstacle> => [
  ...(zone === null ? [] : [["timezone", zone] as const]),
  ...(workspace.postalAddress === null
    ? [["postal_address_missing", refuse("invalid_request", { reason: "postal_address_missing" })] as const]
    : []),
  ...(canUnsubscribe
    ? []
    : [
        [
          "unsubscribe_address_unreachable",
          refuse("invalid_request", { reason: "unsubscribe_address_unreachable" })
        ] as const
      ]),
  ...(mailboxes.length > 0
    ? []
    : [
        [
          "mailbox_unavailable",
          campaign.launchedAtMillis === null
            ? refuse("mailbox_unavailable", {})
            : refuse("mailbox_unavailable", {}, UNBOUND_MESSAGE)
        ] as const
      ]),
  ...(authentication.refusal === null ? [] : [["domain_not_authenticated", authentication.refusal] as const])
]

/** Most messages that can be sent in a day as today is, by what own mailboxes and their domains sent in the last days. */
export const dailyLimitOf = ({ atMillis, mailboxes, use, workspace }: CampaignContext): number =>
  dailyLimit(
    workspace.caps,
    mailboxes.map(({ domain, mailboxId }) => ({ domain, use: use.of(mailboxId) })),
    atMillis
  )

/** The addresses it sends from, as its preview and its approval page show them. */
export const shownSenders = ({ mailboxes }: CampaignContext): ReadonlyArray<string> =>
  mailboxes.map(({ address }) => address)

/**
 * What an approval covers for everybody, as text: the templates, the footer, the hours and the rules about companies.
 * Each person's values and own hours are bound one by one.
 */
export const bindingTextOf = ({ campaign, workspace }: CampaignContext): string =>
  canonicalJson({
    recipients_version: campaign.recipientsVersion,
    postal_address: workspace.postalAddress,
    sequence: campaign.sequence.map((one) => ({ ...one })),
    ...(campaign.chosenVariants === null ? {} : { chosen_variants: campaign.chosenVariants }),
    ...(campaign.winnerRule?.isOn === true ? { winner_rule: true } : {}),
    schedule: { ...campaign.schedule },
    ...shownRules(campaign)
  } as unknown as Json)

/** The first recipients, as an approval page shows them. */
export const shownRecipients = (recipients: ReadonlyArray<Recipient>) =>
  recipients.slice(0, SNAPSHOT_RECIPIENTS_MAX).map((one) => ({
    email: one.email,
    name: [one.firstName, one.lastName].filter((part) => part !== null).join(" ") || null,
    company_name: one.companyName
  }))

/** The texts that still leave, as an approval shows them. */
export const shownSteps = (campaign: Pick<Campaign, "sequence" | "chosenVariants">) =>
  stillSent(campaign).map(({ body, otherVariants, subject, waitDays }) => ({
    subject,
    body,
    wait_days: waitDays,
    ...(otherVariants === undefined ? {} : { other_variants: otherVariants })
  }))

/** Everything else on an approval page: the text, when and from where it is sent, the cost. */
export const shownTerms = (context: CampaignContext, hours: ReadonlyArray<string | null>) => {
  const { campaign, workspace } = context
  return {
    campaign_id: campaign.campaignId,
    campaign_name: campaign.name,
    mailboxes: shownSenders(context),
    sending_domains: context.authentication.shown,
    steps: shownSteps(campaign),
    schedule: {
      timezone: campaign.schedule.timezone,
      days: campaign.schedule.days,
      start_hour: campaign.schedule.startHour,
      end_hour: campaign.schedule.endHour,
      ...shownHours(campaign.schedule)
    },
    ...context.shownPeople(hours),
    ...shownRules(campaign),
    ...shownWinnerRule(campaign),
    daily_send_limit: dailyLimitOf(context),
    postal_address: workspace.postalAddress ?? "",
    credits: zero
  }
}

/**
 * Distributes people over the mailboxes, due at once; if a vendor schedules, nothing is due here. Requires a mailbox.
 */
export const coversOf = (
  leads: ReadonlyArray<{ readonly campaignLeadId: string; readonly addressHash: string }>,
  { mailboxes, vendorCampaign }: CampaignContext,
  words: ReadonlyMap<string, LeadWords | null>,
  nowMillis: number
): ReadonlyArray<LeadCover> =>
  leads.map(({ addressHash, campaignLeadId }, index) => ({
    campaignLeadId,
    words: words.get(addressHash) ?? null,
    mailboxId: (mailboxes[index % mailboxes.length] as Mailbox).mailboxId,
    nextAtMillis: vendorCampaign === null ? nowMillis : null
  }))
