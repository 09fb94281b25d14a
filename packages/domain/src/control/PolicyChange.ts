import { Effect, Schema } from "effect"
import type { ApiKey } from "../calls/keys/KeyStore.js"
import { Scope, SCOPES } from "../verbs/Policy.js"
import { type Credits, CreditsFromWire } from "../kernel/money/Credits.js"

/** What an owner sets on a key. A key with `control:manage` may tighten it on another key (contract: keys, changes). */
export type KeyPolicy = Pick<
  ApiKey,
  "monthlySpendCap" | "dailySpendCap" | "scopes" | "autonomousExternalActions" | "runRequired" | "premiumAllowance"
>

/** A change of a policy; omitted fields stay. A cap of null removes the cap. */
export interface PolicyChange {
  readonly monthlySpendCap?: Credits | null
  readonly dailySpendCap?: Credits | null
  readonly scopes?: ReadonlyArray<Scope>
  readonly autonomousExternalActions?: boolean
  readonly runRequired?: boolean
  readonly premiumAllowance?: Credits
}

/** A change as it is stored. */
export const PolicyChangeJson = Schema.Struct({
  monthlySpendCap: Schema.optionalKey(Schema.NullOr(CreditsFromWire)),
  dailySpendCap: Schema.optionalKey(Schema.NullOr(CreditsFromWire)),
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  autonomousExternalActions: Schema.optionalKey(Schema.Boolean),
  runRequired: Schema.optionalKey(Schema.Boolean),
  premiumAllowance: Schema.optionalKey(CreditsFromWire)
})

export const KeyPolicyJson = Schema.Struct({
  monthlySpendCap: Schema.NullOr(CreditsFromWire),
  // Policies that were stored before keys had it are without it.
  dailySpendCap: Schema.NullOr(CreditsFromWire).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  scopes: Schema.Array(Scope),
  autonomousExternalActions: Schema.Boolean,
  runRequired: Schema.Boolean,
  premiumAllowance: CreditsFromWire
})

export const encodePolicy: (policy: KeyPolicy) => typeof KeyPolicyJson.Encoded = Schema.encodeSync(KeyPolicyJson)

export const encodeChange: (change: PolicyChange) => typeof PolicyChangeJson.Encoded =
  Schema.encodeSync(PolicyChangeJson)

/** `loosen` if any field loosens; `none` if nothing changes. */
export const DIRECTIONS = ["tighten", "loosen", "none"] as const
export type Direction = (typeof DIRECTIONS)[number]

/** Which way a limit goes. None at all is the loosest. */
export const directionOfLimit = (before: number | bigint | null, after: number | bigint | null): Direction => {
  if (before === after) return "none"
  if (after === null) return "loosen"
  return before === null || after < before ? "tighten" : "loosen"
}

const ofScopes = (before: ReadonlyArray<Scope>, after: ReadonlyArray<Scope>): Direction => {
  if (after.some((scope) => !before.includes(scope))) return "loosen"
  return before.some((scope) => !after.includes(scope)) ? "tighten" : "none"
}

const ofSwitch = (before: boolean, after: boolean, tightIs: boolean): Direction =>
  before === after ? "none" : after === tightIs ? "tighten" : "loosen"

/** Combines directions: `loosen` wins. */
export const together = (directions: ReadonlyArray<Direction>): Direction =>
  directions.includes("loosen") ? "loosen" : directions.includes("tighten") ? "tighten" : "none"

/** Removes duplicates and sorts by `SCOPES`. */
export const inOrder = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  SCOPES.filter((scope) => scopes.includes(scope))

/** Picks the policy's fields. */
export const policyOf = (key: KeyPolicy): KeyPolicy => ({
  monthlySpendCap: key.monthlySpendCap,
  dailySpendCap: key.dailySpendCap,
  scopes: key.scopes,
  autonomousExternalActions: key.autonomousExternalActions,
  runRequired: key.runRequired,
  premiumAllowance: key.premiumAllowance
})

export const policyAfter = (before: KeyPolicy, change: PolicyChange): KeyPolicy => ({
  monthlySpendCap: change.monthlySpendCap === undefined ? before.monthlySpendCap : change.monthlySpendCap,
  dailySpendCap: change.dailySpendCap === undefined ? before.dailySpendCap : change.dailySpendCap,
  scopes: change.scopes === undefined ? before.scopes : inOrder(change.scopes),
  autonomousExternalActions: change.autonomousExternalActions ?? before.autonomousExternalActions,
  runRequired: change.runRequired ?? before.runRequired,
  premiumAllowance: change.premiumAllowance ?? before.premiumAllowance
})

export const directionOf = (before: KeyPolicy, after: KeyPolicy): Direction =>
  together([
    directionOfLimit(before.monthlySpendCap, after.monthlySpendCap),
    directionOfLimit(before.dailySpendCap, after.dailySpendCap),
    ofScopes(before.scopes, after.scopes),
    ofSwitch(before.autonomousExternalActions, after.autonomousExternalActions, false),
    ofSwitch(before.runRequired, after.runRequired, true),
    directionOfLimit(before.premiumAllowance, after.premiumAllowance)
  ])
