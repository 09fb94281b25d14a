import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type ApiKey, KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { PREMIUM_ALLOWANCE_DEFAULT, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { DEFAULT_CAPS, type Workspace, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { makeTestIds } from "../memory/TestIds.js"

/** The noon at which the suites' stories begin. Stores are told the time, so that any will do. */
export const NOON = Date.UTC(2026, 2, 10, 12)
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const ids = makeTestIds(BigInt(`0x${randomBytes(6).toString("hex")}`))

/** An id that no other test has, greater than those made before it. */
export const freshId = (): string => ids.next(Date.now())

/** As one that was made at this time. */
export const idAt = (millis: number): string => ids.next(millis)

export const hashOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** As long as the keyed hash of an address is. */
export const addressHashOf = (workspaceId: string, email: string): string =>
  createHash("sha256").update(`${workspaceId} ${email}`, "utf8").digest("base64url")

export const givenWorkspace = (given: Partial<Workspace> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const workspaces = yield* WorkspaceStore
    const workspace: Workspace = {
      workspaceId: freshId(),
      name: "A workspace",
      kind: "sandbox",
      postalAddress: "1 Main Street, Springfield",
      caps: DEFAULT_CAPS,
      createdAtMillis: NOON,
      ...given
    }
    yield* atomically(workspaces.insert(workspace))
    return workspace
  })

export const givenKey = (workspaceId: string, given: Partial<ApiKey> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const keys = yield* KeyStore
    const keyId = freshId()
    const key: ApiKey = {
      keyId,
      workspaceId,
      workspaceKind: "sandbox",
      name: "A key",
      prefix: "svc_key_abcd",
      state: "active",
      pausedAtMillis: null,
      scopes: SCOPES,
      capabilitiesOff: [],
      autonomousExternalActions: true,
      monthlySpendCap: null,
      dailySpendCap: null,
      premiumAllowance: credits(PREMIUM_ALLOWANCE_DEFAULT),
      ratePerMinute: 1_000,
      runRequired: false,
      createdAtMillis: NOON,
      ...given
    }
    const keyHash = hashOf(`the secret of ${keyId}`)
    yield* atomically(keys.insert(key, keyHash))
    return { key, keyHash }
  })

/** Credits that a workspace begins with: they count as no payment method. */
export const grant = (workspaceId: string, amount: string, countsAsPaymentMethod = false) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* CreditStore
    return yield* atomically(
      store.add({
        entryId: freshId(),
        workspaceId,
        kind: "grant",
        amount: credits(amount),
        countsAsPaymentMethod,
        requestId: null,
        atMillis: NOON
      })
    )
  })

/** How often a property runs, and on which adapter; a real store is slower. */
export interface ContractOptions {
  readonly runs?: number
}

/** As if it were this time. */
export const asOf = (nowMillis: number) => {
  const clock: Clock.Clock = Object.create(Clock.Clock.defaultValue(), {
    currentTimeMillis: { value: Effect.succeed(nowMillis) }
  })
  return Effect.provideService(Clock.Clock, clock)
}

/** Suites run on the machine's own clock, since a real store may retry after a pause. */
export const SUITE = { timeout: "180 seconds", excludeTestServices: true } as const
