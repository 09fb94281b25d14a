import { Clock, Effect, Option } from "effect"
import { PublicHolidays } from "../../kernel/ports/PublicHolidays.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import { holidaysFor, zoneOf } from "../campaigns/recipientHours.js"
import { nextWindow, type SendingWindow } from "./planner.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { Campaign } from "../campaigns/CampaignStore.js"
import { Providers, type SendingProvider } from "../../sources/ports/Providers.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"

/** The next window of people with these hours (null: the campaign's own); null: none. */
export type NextWindow = (schedule: Schedule, hours: string | null, fromMillis: number) => SendingWindow | null

export const yearOf = (localDay: number): number => new Date(localDay * DAY_MILLIS).getUTCFullYear()

/** When a campaign may write to whom: its schedule, in the person's zone, without the holidays that it skips. */
export const nextWindowBy =
  (holidays: PublicHolidays["Service"]): NextWindow =>
  (schedule, hours, fromMillis) => {
    const countries = holidaysFor(schedule, hours)
    const isHoliday = (day: number) => countries.some((country) => holidays.of(country, yearOf(day)).has(day))
    return nextWindow({ ...schedule, timezone: zoneOf(schedule, hours) }, fromMillis, isHoliday)
  }

export const makeNextWindow = Effect.map(PublicHolidays, nextWindowBy)

/** Most windows that one round of the sweep advances. */
const SWEEP_MAX = 500

interface Hours {
  readonly schedule: Schedule
  readonly hours: string | null
}

/** The window from now on; none: this platform doesn't know the zone (any more), so nothing is sent. */
const windowFrom = (
  nextWindow: NextWindow,
  { hours, schedule }: Hours,
  nowMillis: number
): Option.Option<SendingWindow> =>
  Option.flatMapNullishOr(Option.liftThrowable(() => nextWindow(schedule, hours, nowMillis))(), (window) => window)

/** When to check a campaign with an unknown zone again. */
const UNKNOWN_ZONE_MILLIS = 3_600_000

/**
 * A window that never opens: it contains no whole millisecond. It still ends after some time. Then a platform that
 * knows the zone picks the campaign up again, and until then it doesn't block others.
 */
const never = (nowMillis: number): SendingWindow => ({
  opensAtMillis: nowMillis + UNKNOWN_ZONE_MILLIS - 0.75,
  closesAtMillis: nowMillis + UNKNOWN_ZONE_MILLIS - 0.25
})

const isWithoutWindows = (provider: SendingProvider | null): boolean =>
  provider?.schedules === "outbound" && !provider.pace.windows

/** Whether windows apply to these mailboxes. Not for a provider with its own pace, such as the sandbox. */
export const makeHoldsWindows = Effect.map(
  Providers,
  (providers) =>
    (kind: WorkspaceKind, mailboxes: ReadonlyArray<Pick<Mailbox, "kind">>): boolean =>
      mailboxes.some((mailbox) => mailbox.kind === "own") || !isWithoutWindows(providers[kind].sending)
)

/**
 * Sets the first windows of people with these hours (null: the campaign's own), in the transaction that covers them.
 */
export const makeOpenWindows = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const holdsWindows = yield* makeHoldsWindows
  const nextWindow = yield* makeNextWindow
  return (
    { campaignId, schedule, workspaceId }: Campaign,
    kind: WorkspaceKind,
    mailboxes: ReadonlyArray<Mailbox>,
    hours: ReadonlySet<string | null>,
    nowMillis: number
  ) => {
    if (!holdsWindows(kind, mailboxes) || hours.size === 0) return Effect.void
    const windows = [...hours].map((one) => ({
      workspaceId,
      campaignId,
      hours: one,
      ...Option.getOrElse(windowFrom(nextWindow, { schedule, hours: one }, nowMillis), () => never(nowMillis))
    }))
    return sendings.setWindows(windows)
  }
})

/** Moves windows that have closed to the next ones. Returns how many. */
export const makeWindowSweep = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const nextWindow = yield* makeNextWindow
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    Effect.gen(function* () {
      const past = yield* sendings.lockClosedWindows(nowMillis, SWEEP_MAX)
      const windows = past.map(({ campaignId, hours, schedule, workspaceId }) => ({
        workspaceId,
        campaignId,
        hours,
        window: windowFrom(nextWindow, { schedule, hours }, nowMillis)
      }))
      const unknown = windows.filter(({ window }) => Option.isNone(window))
      if (unknown.length > 0) {
        yield* Effect.logError("some campaigns use time zones unknown to this host; they send nothing").pipe(
          Effect.annotateLogs({
            campaigns: unknown.length,
            workspace_id: unknown[0]?.workspaceId,
            campaign_id: unknown[0]?.campaignId
          })
        )
      }
      if (windows.length > 0) {
        yield* sendings.setWindows(
          windows.map(({ window, ...campaign }) => ({
            ...campaign,
            ...Option.getOrElse(window, () => never(nowMillis))
          }))
        )
      }
      return windows.length
    }).pipe(atomically)
  )
})
