import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ControlRefused } from "../../control/Control.js"
import { freshOwner, makeLogBy, mend, owner } from "../../control/access.js"
import type { SignedIn } from "../../control/users/UserStore.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { OwnMailboxStore } from "../../outreach/sending/OwnMailboxes.js"
import { type Canary, type CanarySetting, COUNTED_MILLIS } from "./Canary.js"
import { canaryJob, CanaryStore } from "./CanaryStore.js"

/** A canary with the addresses of its mailboxes; null: the mailbox is gone. */
export interface CanaryView extends Canary {
  readonly from: string | null
  readonly to: string | null
}

export interface CanaryStanding {
  /** Null: nobody ever set it, so it is off. */
  readonly setting: CanarySetting | null
  /** Of the last days, the newest first. */
  readonly canaries: ReadonlyArray<CanaryView>
  /** Own mailboxes that are connected. */
  readonly mailboxes: number
}

type Act<A> = FromStore<A, ControlRefused>

/** Whether a workspace's own mailboxes write to each other to see where mail arrives. Each change writes to the control log. */
export class CanaryAdmin extends Context.Service<
  CanaryAdmin,
  {
    readonly standing: (by: SignedIn) => FromStore<CanaryStanding>
    /** Owners, after a fresh sign-in: it sends mail. Live workspaces alone. */
    readonly turnOn: (by: SignedIn) => Act<void>
    /** Owners. What left is still looked for. */
    readonly turnOff: (by: SignedIn) => Act<void>
  }
>()("@outbound/domain/wings/canary/CanaryAdmin") {}

export const layer = Layer.effect(
  CanaryAdmin,
  Effect.gen(function* () {
    const store = yield* CanaryStore
    const owns = yield* OwnMailboxStore
    const work = yield* LongWork
    const workspaces = yield* WorkspaceStore
    const log = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    const turn = (by: SignedIn, isOn: boolean) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        const before = Option.getOrNull(yield* store.lockSetting(workspaceId))
        if ((before?.isOn ?? false) === isOn) return
        const nowMillis = yield* Clock.currentTimeMillis
        yield* store.putSetting({
          workspaceId,
          isOn,
          setBy: by.user.email,
          setAtMillis: nowMillis,
          nextAtMillis: nowMillis
        })
        const changed = { before: { canaries: !isOn }, after: { canaries: isOn } }
        yield* log(by, "set_canaries", isOn ? "loosen" : "tighten", changed)
        yield* work.announce([canaryJob(workspaceId)])
      })

    return CanaryAdmin.of({
      standing: ({ session: { workspaceId } }) =>
        Effect.gen(function* () {
          const sinceMillis = (yield* Clock.currentTimeMillis) - COUNTED_MILLIS
          const connected = yield* owns.list(workspaceId)
          const addresses = new Map(connected.map(({ mailbox }) => [mailbox.mailboxId, mailbox.address]))
          const canaries = yield* store.since(workspaceId, sinceMillis)
          return {
            setting: Option.getOrNull(yield* store.setting(workspaceId)),
            canaries: canaries.map((canary) => ({
              ...canary,
              from: addresses.get(canary.fromMailboxId) ?? null,
              to: addresses.get(canary.toMailboxId) ?? null
            })),
            mailboxes: connected.length
          }
        }),
      turnOn: (by) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const workspace = yield* workspaces.get(by.session.workspaceId)
          const isLive = Option.exists(workspace, ({ kind }) => kind === "live")
          yield* mend(
            isLive ? [] : [{ path: "canaries", message: "are for live workspaces: a sandbox has no own mailboxes" }]
          )
          yield* turn(by, true)
        }).pipe(atomically),
      turnOff: (by) => Effect.andThen(owner(by), turn(by, false)).pipe(atomically)
    })
  })
)
