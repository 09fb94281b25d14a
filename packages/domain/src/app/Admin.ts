import { Clock, Context, Effect, Layer } from "effect"
import { TRAIL_EMAIL_MONTHS } from "../kernel/trail/retention.js"
import { type AnyWireError, invalid, refuse } from "../kernel/errors/Wire.js"
import type { Capability, Scope } from "../verbs/Policy.js"
import type { Credits } from "../kernel/money/Credits.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { type Retention, WorkspaceStore, type WorkspaceSummary } from "../kernel/workspaces/WorkspaceStore.js"
import { available } from "../calls/decideAdmission.js"
import { CreditStore } from "../calls/credits/CreditStore.js"
import type { Actor } from "../control/ControlLog.js"
import { makeKeyChanges, nameIssues } from "../control/KeyControl.js"
import { makeLog, shownRun } from "../control/access.js"
import { orFail } from "../kernel/orFail.js"
import { type ApiKey, KeyStore } from "../calls/keys/KeyStore.js"
import { usableEmail } from "../kernel/people/EmailAddress.js"
import { Ids } from "../kernel/ports/Ids.js"
import { type Run, RunStore } from "../calls/runs/RunStore.js"
import { makeNewWorkspace, type NewWorkspace } from "../control/NewWorkspace.js"

/** The most workspaces that a list names. */
const WORKSPACES_LISTED_MAX = 1_000

/** A month is sealed 35 days after its end, so that a shorter time would keep no less. */
export const CALL_MONTHS_MIN = 2
/** An event names its person for so long (contract: trail, retention). */
export const TRAIL_MONTHS_MIN = TRAIL_EMAIL_MONTHS
export const MONTHS_MAX = 1_200

type Answer<A> = FromStore<A, AnyWireError>

/** What the operator's program can do. It has the rights of anyone who can read the database, and approves nothing. */
export class Admin extends Context.Service<
  Admin,
  {
    readonly createWorkspace: (workspace: NewWorkspace) => Answer<{ readonly workspaceId: string }>
    /** Oldest first, at most `WORKSPACES_LISTED_MAX`. */
    readonly listWorkspaces: Answer<ReadonlyArray<WorkspaceSummary>>
    /** For how long its calls and its trail stay in the database. Null: what the archiving command says; 0 for ever. */
    readonly setRetention: (workspaceId: string, retention: Retention) => Answer<Retention>
    readonly createKey: (key: {
      readonly workspaceId: string
      readonly name: string
      /** Empty: the default ones. */
      readonly scopes: ReadonlyArray<Scope>
      readonly monthlySpendCap: Credits | null
      readonly dailySpendCap?: Credits | null
      readonly autonomousExternalActions: boolean
    }) => Answer<{ readonly keyId: string; readonly apiKey: string }>
    readonly grantCredits: (workspaceId: string, amount: Credits) => Answer<{ readonly available: Credits }>
    readonly changeKeyState: (keyId: string, event: "pause" | "resume" | "revoke") => Answer<{ readonly state: string }>
    readonly setKey: (
      keyId: string,
      settings: {
        readonly ratePerMinute?: number
        readonly capabilities?: ReadonlyArray<{ readonly name: Capability; readonly on: boolean }>
        readonly premiumAllowance?: Credits
        readonly runRequired?: boolean
        /** Null removes it. */
        readonly dailySpendCap?: Credits | null
      }
    ) => Answer<void>
    readonly createRun: (run: {
      readonly workspaceId: string
      readonly name: string
      readonly budget: Credits
      readonly expiresInMillis: number
    }) => Answer<{ readonly runId: string }>
  }
>()("@outbound/domain/app/Admin") {}

const OPERATOR: Actor = { kind: "operator" }

const notFound = (what: string): AnyWireError =>
  refuse("not_found", {}, `${what[0]?.toUpperCase() ?? ""}${what.slice(1)} not found.`)

const withCapabilities = (
  off: ReadonlyArray<Capability>,
  changes: ReadonlyArray<{ readonly name: Capability; readonly on: boolean }>
): ReadonlyArray<Capability> => {
  const set = new Set(off)
  for (const { name, on } of changes) {
    if (on) set.delete(name)
    else set.add(name)
  }
  return [...set]
}

const keptWell = (path: string, months: number | null, min: number) =>
  months === null || months === 0 || (Number.isInteger(months) && months >= min && months <= MONTHS_MAX)
    ? []
    : [{ path, message: `must be from ${min} to ${MONTHS_MAX} months, or for ever` }]

export const layer = Layer.effect(
  Admin,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const keys = yield* KeyStore
    const ledger = yield* CreditStore
    const runs = yield* RunStore
    const newWorkspace = yield* makeNewWorkspace
    const changes = yield* makeKeyChanges
    const log = yield* makeLog
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    const workspaceOf = (workspaceId: string) => workspaces.get(workspaceId).pipe(orFail(notFound("workspace")))

    return Admin.of({
      createWorkspace: (wanted) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const email = usableEmail(wanted.ownerEmail)
          const issues = [
            ...nameIssues(wanted.name),
            ...(email === null ? [{ path: "owner-email", message: "must be an email address" }] : [])
          ]
          if (issues.length > 0 || email === null) return yield* Effect.fail(invalid(issues))
          const { workspace } = yield* atomically(newWorkspace({ ...wanted, ownerEmail: email }, nowMillis))
          return { workspaceId: workspace.workspaceId }
        }),
      listWorkspaces: workspaces.list(WORKSPACES_LISTED_MAX),
      setRetention: (workspaceId, wanted) =>
        Effect.gen(function* () {
          const issues = [
            ...keptWell("calls", wanted.callMonths, CALL_MONTHS_MIN),
            ...keptWell("trail", wanted.trailMonths, TRAIL_MONTHS_MIN)
          ]
          if (issues.length > 0) return yield* Effect.fail(invalid(issues))
          yield* workspaceOf(workspaceId)
          yield* atomically(workspaces.setRetention(workspaceId, wanted))
          return wanted
        }),
      createKey: (wanted) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const issues = nameIssues(wanted.name)
          if (issues.length > 0) return yield* Effect.fail(invalid(issues))
          const workspace = yield* workspaceOf(wanted.workspaceId)
          return yield* atomically(changes.create({ ...wanted, workspace, runRequired: false }, OPERATOR, nowMillis))
        }),
      grantCredits: (workspaceId, amount) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          yield* workspaceOf(workspaceId)
          if (amount <= 0n) return yield* Effect.fail(invalid([{ path: "amount", message: "must be more than 0" }]))
          const balance = yield* atomically(
            ledger.add({
              entryId: ids.next(nowMillis),
              workspaceId,
              kind: "grant",
              amount,
              countsAsPaymentMethod: true,
              requestId: null,
              atMillis: nowMillis
            })
          )
          return { available: available(balance) }
        }),
      changeKeyState: (keyId, event) =>
        Effect.gen(function* () {
          const found = yield* keys.get(keyId).pipe(orFail(notFound("key")))
          const changed = yield* changes.move(keyId, event, OPERATOR, yield* Clock.currentTimeMillis)
          if (changed !== null) return { state: changed.state }
          return yield* Effect.fail(invalid([{ path: "key", message: `is ${found.state}, so you can't ${event} it` }]))
        }).pipe(atomically),
      setKey: (keyId, settings) =>
        Effect.gen(function* () {
          const key = yield* keys.lock(keyId).pipe(orFail(notFound("key")))
          if (settings.ratePerMinute !== undefined && settings.ratePerMinute < 1) {
            return yield* Effect.fail(invalid([{ path: "rate", message: "must be at least 1" }]))
          }
          const after: ApiKey = {
            ...key,
            ratePerMinute: settings.ratePerMinute ?? key.ratePerMinute,
            capabilitiesOff: withCapabilities(key.capabilitiesOff, settings.capabilities ?? []),
            premiumAllowance: settings.premiumAllowance ?? key.premiumAllowance,
            runRequired: settings.runRequired ?? key.runRequired,
            dailySpendCap: settings.dailySpendCap === undefined ? key.dailySpendCap : settings.dailySpendCap
          }
          yield* changes.setPolicy(key, after, OPERATOR)
        }).pipe(atomically),
      createRun: (run) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const issues = [
            ...nameIssues(run.name),
            ...(run.expiresInMillis > 0 ? [] : [{ path: "expires-in", message: "must be in the future" }])
          ]
          if (issues.length > 0) return yield* Effect.fail(invalid(issues))
          const workspace = yield* workspaceOf(run.workspaceId)
          const runId = ids.next(nowMillis)
          const made: Run = {
            runId,
            workspaceId: workspace.workspaceId,
            name: run.name.trim(),
            budget: run.budget,
            expiresAtMillis: nowMillis + run.expiresInMillis,
            createdAtMillis: nowMillis
          }
          yield* atomically(
            Effect.andThen(
              runs.insert(made),
              log(made.workspaceId, OPERATOR, "create_run", "none", { after: shownRun(made) })
            )
          )
          return { runId }
        })
    })
  })
)
