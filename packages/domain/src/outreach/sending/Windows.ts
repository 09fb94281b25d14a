import { Clock, Effect, Option } from "effect"
import type { Campaign } from "../campaigns/Campaign.js"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import { Providers, type SendingProvider } from "../../sources/ports/Providers.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import { nextWindow, type SendingWindow } from "./planner.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"

/** Most campaigns that one round of the sweep advances. */
const SWEEP_MAX = 500

/** The window from now on; none: this platform doesn't know the zone (any more), so nothing is sent. */
const windowFrom = (schedule: Schedule, nowMillis: number): Option.Option<SendingWindow> =>
  Option.flatMapNullable(Option.liftThrowable(() => nextWindow(schedule, nowMillis))(), (window) => window)

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

/** Sets a campaign's first window, in the launch's transaction. */
export const makeOpenWindow = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const holdsWindows = yield* makeHoldsWindows
  return (campaign: Campaign, kind: WorkspaceKind, mailboxes: ReadonlyArray<Mailbox>, nowMillis: number) => {
    if (!holdsWindows(kind, mailboxes)) return Effect.void
    const { campaignId, schedule, workspaceId } = campaign
    const window = Option.getOrElse(windowFrom(schedule, nowMillis), () => never(nowMillis))
    return sendings.setWindows([{ workspaceId, campaignId, ...window }])
  }
})

/** Moves campaigns whose window has closed to their next one. Returns how many. */
export const makeWindowSweep = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(
      Effect.gen(function* () {
        const past = yield* sendings.lockClosedWindows(nowMillis, SWEEP_MAX)
        const windows = past.map(({ campaignId, schedule, workspaceId }) => ({
          workspaceId,
          campaignId,
          window: windowFrom(schedule, nowMillis)
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
      })
    )
  )
})
