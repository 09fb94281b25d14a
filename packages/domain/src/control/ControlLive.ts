import { Clock, Effect, Layer, Option } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import { Ids, isUuid } from "../kernel/ports/Ids.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { type Run, type RunStanding, RunStore } from "../calls/runs/RunStore.js"
import type { SignedIn } from "./users/UserStore.js"
import { type WorkspaceCaps, WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import {
  actorOf,
  difference,
  directionOfLimits,
  freshOwner,
  makeLogBy,
  may,
  mend,
  orNotFound,
  owner,
  shownRun
} from "./access.js"
import { Control, type KillResult, type RunOverview, RUNS_LISTED_MAX } from "./Control.js"
import { makeKeyControl, nameIssues } from "./KeyControl.js"
import { makeKills } from "./Kills.js"
import { type Kill, KillStore } from "./KillStore.js"
import { makeMembers } from "./Members.js"

/** Longest reason of a kill, in characters (contract: keys, kill). */
export const KILL_REASON_CHARS_MAX = 500

const POSTAL_ADDRESS_CHARS_MAX = 500

/** Highest daily cap that a workspace can set. */
export const CAP_MAX = 1_000_000

/** How many campaigns a kill preview names. */
const CAMPAIGNS_NAMED_MAX = 100

const shownCaps = (caps: WorkspaceCaps): Readonly<Record<string, number>> => ({
  daily_sends: caps.dailySends,
  daily_replies: caps.dailyReplies,
  mailbox_daily_replies: caps.mailboxDailyReplies,
  mailbox_daily_sends: caps.mailboxDailySends,
  refusals_min: caps.refusalsMin,
  mailbox_refusals_percent: caps.mailboxRefusalsPercent,
  receiver_refusals_percent: caps.receiverRefusalsPercent
})

/** The highest value of each; a cap without one here has `CAP_MAX`. */
const HIGHEST: Readonly<Partial<Record<string, number>>> = {
  mailboxRefusalsPercent: 100,
  receiverRefusalsPercent: 100
}

const capIssues = (caps: WorkspaceCaps): ReadonlyArray<Issue> =>
  Object.entries(caps).flatMap(([path, cap]: readonly [string, number]) =>
    Number.isInteger(cap) && cap >= 0 && cap <= (HIGHEST[path] ?? CAP_MAX)
      ? []
      : [{ path, message: `must be a whole number from 0 to ${HIGHEST[path] ?? CAP_MAX}` }]
  )

const textIssues = (path: string, text: string, max: number): ReadonlyArray<Issue> =>
  text.trim() === "" || text.length > max ? [{ path, message: `must have 1 to ${max} characters` }] : []

const overviewOf = (standing: RunStanding, nowMillis: number): RunOverview => ({
  ...standing,
  state: standing.closedAtMillis !== null ? "closed" : standing.run.expiresAtMillis <= nowMillis ? "expired" : "open"
})

export const killResult = (kill: Kill): KillResult => ({
  killId: kill.killId,
  suspendedAtMillis: kill.suspendedAtMillis,
  reason: kill.reason,
  campaignsPaused: kill.campaignsPaused,
  campaignsUnconfirmed: kill.unconfirmed ?? [],
  approvalsCancelled: kill.approvalsCancelled
})

export const layer = Layer.effect(
  Control,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const runs = yield* RunStore
    const kills = yield* KillStore
    const ids = yield* Ids
    const keyControl = yield* makeKeyControl
    const members = yield* makeMembers
    const { clear, stop } = yield* makeKills
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    const createRun: Control["Service"]["createRun"] = (by, wanted) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* owner(by)
        yield* mend([
          ...nameIssues(wanted.name),
          ...(wanted.expiresInMillis > 0 ? [] : [{ path: "expiresInMillis", message: "must be in the future" }])
        ])
        const run: Run = {
          runId: ids.next(nowMillis),
          workspaceId: by.session.workspaceId,
          name: wanted.name.trim(),
          budget: wanted.budget,
          expiresAtMillis: nowMillis + wanted.expiresInMillis,
          createdAtMillis: nowMillis
        }
        yield* runs.insert(run)
        yield* logBy(by, "create_run", "none", { after: shownRun(run) })
        return { runId: run.runId }
      }).pipe(atomically)

    const closeRun: Control["Service"]["closeRun"] = (by, runId) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId } = by.session
        const found = yield* orNotFound(isUuid(runId) ? runs.lock(workspaceId, runId) : Effect.succeedNone)
        if (found.closedAtMillis !== null) return
        yield* runs.close(workspaceId, runId, nowMillis)
        yield* logBy(by, "close_run", "tighten", { before: shownRun(found.run) })
      }).pipe(atomically)

    const lockedWorkspace = (by: SignedIn) =>
      Effect.map(workspaces.lock(by.session.workspaceId), (found) => Option.getOrThrow(found))

    const setCaps: Control["Service"]["setCaps"] = (by, caps) =>
      Effect.gen(function* () {
        yield* mend(capIssues(caps))
        const workspace = yield* lockedWorkspace(by)
        const [was, will] = [shownCaps(workspace.caps), shownCaps(caps)]
        const direction = directionOfLimits(was, will)
        yield* may(by, direction)
        yield* workspaces.update({ ...workspace, caps })
        const controlLogId = yield* logBy(by, "set_caps", direction, difference(was, will))
        return { controlLogId, direction }
      }).pipe(atomically)

    const setPostalAddress: Control["Service"]["setPostalAddress"] = (by, given) =>
      Effect.gen(function* () {
        yield* owner(by)
        yield* mend(textIssues("postalAddress", given, POSTAL_ADDRESS_CHARS_MAX))
        const workspace = yield* lockedWorkspace(by)
        const postalAddress = given.trim()
        yield* workspaces.update({ ...workspace, postalAddress })
        const controlLogId = yield* logBy(
          by,
          "set_postal_address",
          "none",
          difference({ postal_address: workspace.postalAddress }, { postal_address: postalAddress })
        )
        return { controlLogId, direction: "none" as const }
      }).pipe(atomically)

    const setReplySend: Control["Service"]["setReplySend"] = (by, on) =>
      Effect.gen(function* () {
        const { workspaceId } = yield* lockedWorkspace(by)
        const was = yield* workspaces.replySend(workspaceId)
        const direction = was === on ? "none" : on ? "loosen" : "tighten"
        yield* may(by, direction)
        yield* workspaces.setReplySend(workspaceId, on)
        const controlLogId = yield* logBy(
          by,
          "set_reply_send",
          direction,
          difference({ reply_send: was }, { reply_send: on })
        )
        return { controlLogId, direction } as const
      }).pipe(atomically)

    const setOverlap: Control["Service"]["setOverlap"] = (by, overlap) =>
      Effect.gen(function* () {
        const { workspaceId } = yield* lockedWorkspace(by)
        const was = yield* workspaces.overlap(workspaceId)
        const direction = was === overlap ? "none" : overlap === "queue" ? "loosen" : "tighten"
        yield* may(by, direction)
        yield* workspaces.setOverlap(workspaceId, overlap)
        const controlLogId = yield* logBy(by, "set_overlap", direction, difference({ overlap: was }, { overlap }))
        return { controlLogId, direction } as const
      }).pipe(atomically)

    return Control.of({
      ...keyControl,
      ...members,
      listRuns: (by) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const found = yield* runs.list(by.session.workspaceId, RUNS_LISTED_MAX)
          return found.map((standing) => overviewOf(standing, nowMillis))
        }),
      createRun,
      closeRun,
      setCaps,
      setPostalAddress,
      setReplySend,
      setOverlap,
      noteList: (by, { keyId, requestId, rows, verb }) =>
        atomically(logBy(by, "start_list", "none", { keyId, after: { verb, rows, request_id: requestId } })),
      previewKill: (by) =>
        Effect.gen(function* () {
          const { workspaceId } = by.session
          const sending = yield* workspaces.sending(workspaceId)
          return { sending, ...(yield* kills.reach(workspaceId, CAMPAIGNS_NAMED_MAX)) }
        }),
      kill: (by, reason) =>
        Effect.gen(function* () {
          yield* owner(by)
          yield* mend(textIssues("reason", reason, KILL_REASON_CHARS_MAX))
          const { workspaceId } = by.session
          const kill = yield* stop({ workspaceId, actor: actorOf(by), source: "console", reason, requestId: null })
          return killResult(kill)
          // Uninterruptible: closing the browser must not stop the kill.
        }).pipe(Effect.uninterruptible),
      clearSuspension: (by) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          return yield* clear(by.session.workspaceId, actorOf(by))
        })
    })
  })
)
