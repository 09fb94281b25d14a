import { Clock, Effect, Either, Layer, Option } from "effect"
import { Admin, WORKSPACES_LISTED_MAX } from "./Admin.js"
import { available } from "./calls/decideAdmission.js"
import { CreditStore } from "./credits/CreditStore.js"
import { type AnyWireError, invalid, type Issue, refuse } from "./errors/Wire.js"
import { KeyMachine } from "./keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "./keys/KeyStore.js"
import { type Capability, DEFAULT_SCOPES, PREMIUM_ALLOWANCE_DEFAULT, RATE_PER_MINUTE_DEFAULT } from "./keys/Policy.js"
import { step } from "./machine.js"
import { credits } from "./money/Credits.js"
import { usableEmail } from "./people/EmailAddress.js"
import { Crypto } from "./ports/Crypto.js"
import { Ids } from "./ports/Ids.js"
import { UnitOfWork } from "./ports/UnitOfWork.js"
import { RunStore } from "./runs/RunStore.js"
import { UserStore } from "./users/UserStore.js"
import { DEFAULT_CAPS, WorkspaceStore } from "./workspaces/WorkspaceStore.js"

const API_KEY_PREFIX = "svc_key_"

/** How much of a key's secret stays visible, for a person to recognise it by. */
const SHOWN_CHARS = API_KEY_PREFIX.length + 6

const NAME_CHARS_MAX = 120

/** What a sandbox workspace starts with, so that the loop can be tried at once. */
export const SAMPLE_POSTAL_ADDRESS = "Sandbox Ltd, 1 Example Street, Sampletown"

const notFound = (what: string): AnyWireError => refuse("not_found", {}, `There is no such ${what}.`)

const namedWell = (name: string): ReadonlyArray<Issue> =>
  name.trim() === "" || name.length > NAME_CHARS_MAX
    ? [{ path: "name", message: `must have 1 to ${NAME_CHARS_MAX} characters` }]
    : []

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

export const layer = Layer.effect(
  Admin,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const keys = yield* KeyStore
    const ledger = yield* CreditStore
    const runs = yield* RunStore
    const users = yield* UserStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    const workspaceOf = (workspaceId: string) =>
      Effect.flatMap(
        workspaces.get(workspaceId),
        Option.match({ onNone: () => Effect.fail(notFound("workspace")), onSome: Effect.succeed })
      )

    const changeKey = <A>(
      keyId: string,
      change: (key: ApiKey, nowMillis: number) => Either.Either<readonly [ApiKey, A], AnyWireError>
    ) =>
      atomically(
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const locked = yield* keys.lock(keyId)
          if (Option.isNone(locked)) return yield* Effect.fail(notFound("key"))
          const [key, answer] = yield* change(locked.value, nowMillis)
          yield* keys.update(key)
          return answer
        })
      )

    return Admin.of({
      createWorkspace: (wanted) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const email = usableEmail(wanted.ownerEmail)
          const issues = [
            ...namedWell(wanted.name),
            ...(email === null ? [{ path: "owner-email", message: "is not an email address" }] : [])
          ]
          if (issues.length > 0 || email === null) return yield* Effect.fail(invalid(issues))
          const workspaceId = ids.next(nowMillis)
          const sample = wanted.kind === "sandbox" ? SAMPLE_POSTAL_ADDRESS : null
          yield* atomically(
            Effect.gen(function* () {
              yield* workspaces.insert({
                workspaceId,
                name: wanted.name.trim(),
                kind: wanted.kind,
                postalAddress: wanted.postalAddress ?? sample,
                caps: DEFAULT_CAPS,
                createdAtMillis: nowMillis
              })
              const member = { userId: ids.next(nowMillis), email, workspaceId, role: "owner" as const }
              yield* users.ensureMember({ ...member, atMillis: nowMillis })
              if (wanted.credits > 0n) {
                yield* ledger.add({
                  entryId: ids.next(nowMillis),
                  workspaceId,
                  kind: "grant",
                  amount: wanted.credits,
                  countsAsPaymentMethod: false,
                  requestId: null,
                  atMillis: nowMillis
                })
              }
            })
          )
          return { workspaceId }
        }),
      listWorkspaces: workspaces.list(WORKSPACES_LISTED_MAX),
      createKey: (wanted) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const issues = namedWell(wanted.name)
          if (issues.length > 0) return yield* Effect.fail(invalid(issues))
          const workspace = yield* workspaceOf(wanted.workspaceId)
          const apiKey = `${API_KEY_PREFIX}${crypto.randomToken()}`
          const keyId = ids.next(nowMillis)
          const key: ApiKey = {
            keyId,
            workspaceId: workspace.workspaceId,
            workspaceKind: workspace.kind,
            name: wanted.name.trim(),
            prefix: apiKey.slice(0, SHOWN_CHARS),
            state: KeyMachine.initial,
            pausedAtMillis: null,
            scopes: wanted.scopes.length === 0 ? DEFAULT_SCOPES : [...new Set(wanted.scopes)],
            capabilitiesOff: [],
            autonomousExternalActions: wanted.autonomousExternalActions,
            monthlySpendCap: wanted.monthlySpendCap,
            premiumAllowance: credits(PREMIUM_ALLOWANCE_DEFAULT),
            ratePerMinute: RATE_PER_MINUTE_DEFAULT,
            runRequired: false,
            createdAtMillis: nowMillis
          }
          yield* atomically(keys.insert(key, crypto.sha256Hex(apiKey)))
          return { keyId, apiKey }
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
        changeKey(keyId, (key, nowMillis) =>
          Either.match(step(KeyMachine, key.state, event), {
            onLeft: () => Either.left(invalid([{ path: "key", message: `is ${key.state} and can't ${event}` }])),
            onRight: (state) =>
              Either.right([
                {
                  ...key,
                  state,
                  pausedAtMillis: state === "paused" ? (key.pausedAtMillis ?? nowMillis) : null
                },
                { state }
              ] as const)
          })
        ),
      setKey: (keyId, settings) =>
        changeKey(keyId, (key) =>
          settings.ratePerMinute !== undefined && settings.ratePerMinute < 1
            ? Either.left(invalid([{ path: "rate", message: "must be at least 1" }]))
            : Either.right([
                {
                  ...key,
                  ratePerMinute: settings.ratePerMinute ?? key.ratePerMinute,
                  capabilitiesOff: withCapabilities(key.capabilitiesOff, settings.capabilities ?? []),
                  premiumAllowance: settings.premiumAllowance ?? key.premiumAllowance,
                  runRequired: settings.runRequired ?? key.runRequired
                },
                undefined
              ] as const)
        ),
      createRun: (run) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const issues = [
            ...namedWell(run.name),
            ...(run.expiresInMillis > 0 ? [] : [{ path: "expires-in", message: "must be in the future" }])
          ]
          if (issues.length > 0) return yield* Effect.fail(invalid(issues))
          const workspace = yield* workspaceOf(run.workspaceId)
          const runId = ids.next(nowMillis)
          yield* atomically(
            runs.insert({
              runId,
              workspaceId: workspace.workspaceId,
              name: run.name.trim(),
              budget: run.budget,
              expiresAtMillis: nowMillis + run.expiresInMillis,
              createdAtMillis: nowMillis
            })
          )
          return { runId }
        })
    })
  })
)
