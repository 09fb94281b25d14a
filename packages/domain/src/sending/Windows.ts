import { Clock, Effect, Option } from "effect"
import type { Campaign, Schedule } from "../campaigns/Campaign.js"
import { Providers } from "../ports/providers/Providers.js"
import { UnitOfWork } from "../ports/UnitOfWork.js"
import type { WorkspaceKind } from "../workspaces/WorkspaceStore.js"
import { nextWindow, type SendingWindow } from "./planner.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"

/** How many campaigns one round of the sweep moves on. */
const SWEEP_MAX = 500

/** The window from now on; none where this platform does not know the zone (any more), so that nothing is sent. */
const windowFrom = (schedule: Schedule, nowMillis: number): Option.Option<SendingWindow> =>
  Option.flatMapNullable(Option.liftThrowable(() => nextWindow(schedule, nowMillis))(), (window) => window)

/** A window that never opens. */
const closed = (nowMillis: number): SendingWindow => ({ opensAtMillis: nowMillis - 1, closesAtMillis: nowMillis })

/** Whether windows hold for these mailboxes: not for a provider that paces by itself, as the sandbox does. */
export const makeHoldsWindows = Effect.map(
  Providers,
  (providers) =>
    (kind: WorkspaceKind, mailboxes: ReadonlyArray<Pick<Mailbox, "kind">>): boolean =>
      mailboxes.some((mailbox) => mailbox.kind === "own") || providers[kind].sending?.pace.windows !== false
)

/** Gives a campaign that is launched its first window, in the launch's transaction. */
export const makeOpenWindow = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const holdsWindows = yield* makeHoldsWindows
  return (campaign: Campaign, kind: WorkspaceKind, mailboxes: ReadonlyArray<Mailbox>, nowMillis: number) => {
    if (!holdsWindows(kind, mailboxes)) return Effect.void
    const { campaignId, schedule, workspaceId } = campaign
    const window = Option.getOrElse(windowFrom(schedule, nowMillis), () => closed(nowMillis))
    return sendings.setWindows([{ workspaceId, campaignId, ...window }])
  }
})

/** Moves campaigns whose window has closed on to the next one. How many it moved. */
export const makeWindowSweep = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(
      Effect.gen(function* () {
        const past = yield* sendings.lockClosedWindows(nowMillis, SWEEP_MAX)
        const windows = past.flatMap(({ campaignId, schedule, workspaceId }) =>
          Option.match(windowFrom(schedule, nowMillis), {
            onNone: () => [],
            onSome: (window) => [{ workspaceId, campaignId, ...window }]
          })
        )
        if (windows.length < past.length) {
          yield* Effect.logError("campaigns are in time zones that this host does not know; nothing is sent for them")
        }
        if (windows.length > 0) yield* sendings.setWindows(windows)
        return windows.length
      })
    )
  )
})
