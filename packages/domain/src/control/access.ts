import { Clock, Effect } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import { orFail } from "../kernel/orFail.js"
import type { SignedIn } from "./users/UserStore.js"
import { type Actor, type ControlAction, ControlLog, type ControlLogEntry } from "./ControlLog.js"
import { type ControlRefusal, ControlRefused, FRESH_SIGN_IN_MILLIS } from "./Control.js"
import { type Direction, directionOf, together } from "./PolicyChange.js"
import type { ApiKey } from "../calls/keys/KeyStore.js"
import { format } from "../kernel/money/Credits.js"
import { Ids } from "../kernel/ports/Ids.js"
import type { Run } from "../calls/runs/RunStore.js"

/** Permissions in the console. */

export const refused = (reason: Exclude<ControlRefusal, "invalid">): Effect.Effect<never, ControlRefused> =>
  Effect.fail(new ControlRefused({ reason, issues: [] }))

/** What a store found, or else `not_found`. */
export const orNotFound = orFail(new ControlRefused({ reason: "not_found", issues: [] }))

export const mend = (issues: ReadonlyArray<Issue>): Effect.Effect<void, ControlRefused> =>
  issues.length === 0 ? Effect.void : Effect.fail(new ControlRefused({ reason: "invalid", issues }))

export const actorOf = ({ user }: SignedIn): Actor => ({ kind: "user", userId: user.userId, email: user.email })

export const owner = (by: SignedIn): Effect.Effect<void, ControlRefused> =>
  by.role === "owner" ? Effect.void : refused("owner_required")

/** Whether the session is the person's alone: others can read a link that a start printed. */
export const isOwnSession = ({ session }: SignedIn): boolean => session.beganBy !== "start_link"

/** For what reaches beyond the workspace, such as a person's passkeys. */
export const ownSession = (by: SignedIn): Effect.Effect<void, ControlRefused> =>
  isOwnSession(by) ? Effect.void : refused("printed_link")

/** They signed in just now. */
export const fresh = (by: SignedIn): Effect.Effect<void, ControlRefused> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    nowMillis - by.session.createdAtMillis <= FRESH_SIGN_IN_MILLIS ? Effect.void : refused("reauthentication_required")
  )

export const freshOwner = (by: SignedIn): Effect.Effect<void, ControlRefused> => Effect.andThen(owner(by), fresh(by))

/** Any member may tighten; only owners with a fresh sign-in may loosen. */
export const may = (by: SignedIn, direction: Direction): Effect.Effect<void, ControlRefused> =>
  direction === "loosen" ? freshOwner(by) : Effect.void

type Shown = Readonly<Record<string, unknown>>

/** The fields of a key that the control log shows. Never the secret. */
export const shownKey = (key: ApiKey): Shown => ({
  name: key.name,
  state: key.state,
  monthly_spend_cap: key.monthlySpendCap === null ? null : format(key.monthlySpendCap),
  daily_spend_cap: key.dailySpendCap === null ? null : format(key.dailySpendCap),
  scopes: key.scopes,
  autonomous_external_actions: key.autonomousExternalActions,
  run_required: key.runRequired,
  premium_allowance: format(key.premiumAllowance),
  rate_per_minute: key.ratePerMinute,
  capabilities_off: key.capabilitiesOff
})

export const shownRun = (run: Run): Shown => ({
  run_id: run.runId,
  name: run.name,
  budget: format(run.budget),
  expires_at: new Date(run.expiresAtMillis).toISOString()
})

/** The fields that differ, on both sides. */
export const difference = (before: Shown, after: Shown): { readonly before: Shown; readonly after: Shown } => {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )
  const only = (of: Shown): Shown =>
    Object.fromEntries(names.flatMap((name) => (Object.hasOwn(of, name) ? [[name, of[name]]] : [])))
  return { before: only(before), after: only(after) }
}

const ofCount = (before: number, after: number): Direction =>
  before === after ? "none" : after < before ? "tighten" : "loosen"

const ofList = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): Direction => {
  if (before.some((name) => !after.includes(name))) return "loosen"
  return after.some((name) => !before.includes(name)) ? "tighten" : "none"
}

/** Whether a key's change loosens, including operator-only fields. */
export const directionOfKey = (before: ApiKey, after: ApiKey): Direction =>
  together([
    directionOf(before, after),
    ofCount(before.ratePerMinute, after.ratePerMinute),
    ofList(before.capabilitiesOff, after.capabilitiesOff)
  ])

/** Whether these limits stay, fall or rise. */
export const directionOfLimits = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>
): Direction => together(Object.keys(after).map((name) => ofCount(before[name] ?? 0, after[name] ?? 0)))

/** What else a row of the log may say. */
type More = Partial<Pick<ControlLogEntry, "keyId" | "changeRequestId" | "before" | "after">>

export const ACTION_OF_EVENT = {
  pause: "pause_key",
  resume: "resume_key",
  revoke: "revoke_key"
} as const satisfies Readonly<Record<string, ControlAction>>

/** Writes a row of the control log in the transaction of the change. Returns its id. */
export const makeLog = Effect.gen(function* () {
  const log = yield* ControlLog
  const ids = yield* Ids
  return (workspaceId: string, actor: Actor, action: ControlAction, direction: Direction, more: More = {}) =>
    Effect.flatMap(Clock.currentTimeMillis, (atMillis) => {
      const controlLogId = ids.next(atMillis)
      const nothing = { keyId: null, changeRequestId: null, before: {}, after: {} }
      const entry = { ...nothing, ...more, controlLogId, workspaceId, atMillis, actor, action, direction }
      return Effect.as(log.append(entry), controlLogId)
    })
})

/** The same for what a signed-in person changes in their workspace. */
export const makeLogBy = Effect.map(
  makeLog,
  (log) =>
    (by: SignedIn, action: ControlAction, direction: Direction, more: More = {}) =>
      log(by.session.workspaceId, actorOf(by), action, direction, more)
)
