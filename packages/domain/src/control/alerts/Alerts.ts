import { Clock, Context, Effect, Layer, Option } from "effect"
import { difference, makeLogBy, owner } from "../access.js"
import type { ControlRefused } from "../Control.js"
import { type Credits, format } from "../../kernel/money/Credits.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { AlertStore, type ListedAlert } from "./AlertStore.js"

/** Page size of the list. */
export const ALERTS_PAGE_MAX = 100

/** Alerts and their threshold, for signed-in people. */
export class Alerts extends Context.Service<
  Alerts,
  {
    /** Newest first. `before`: the last alert of the previous page. */
    readonly list: (by: SignedIn, before: string | null) => FromStore<ReadonlyArray<ListedAlert>>
    /** Null: the default. */
    readonly threshold: (by: SignedIn) => FromStore<Credits | null>
    /** Owners. */
    readonly setThreshold: (by: SignedIn, threshold: Credits | null) => FromStore<void, ControlRefused>
  }
>()("@outbound/domain/control/alerts/Alerts") {}

const shown = (threshold: Credits | null) => ({ alert_below: threshold === null ? null : format(threshold) })

export const layer = Layer.effect(
  Alerts,
  Effect.gen(function* () {
    const store = yield* AlertStore
    const workspaces = yield* WorkspaceStore
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    return Alerts.of({
      list: (by, before) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          store.list(by.session.workspaceId, nowMillis, ALERTS_PAGE_MAX, before)
        ),
      threshold: (by) => store.threshold(by.session.workspaceId),
      setThreshold: (by, threshold) =>
        Effect.gen(function* () {
          yield* owner(by)
          const { workspaceId } = Option.getOrThrow(yield* workspaces.lock(by.session.workspaceId))
          const before = yield* store.threshold(workspaceId)
          yield* store.setThreshold(workspaceId, threshold)
          yield* logBy(by, "set_alert_threshold", "none", difference(shown(before), shown(threshold)))
        }).pipe(atomically)
    })
  })
)
