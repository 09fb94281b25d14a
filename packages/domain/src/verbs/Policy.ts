import { Schema } from "effect"

/** What a key may do. `data:read` gates the data verbs and replies (contract: keys, scopes). */
export const SCOPES = [
  "data:read",
  "usage:read",
  "campaign:write",
  "campaign:launch",
  "assets:purchase",
  "reply:send",
  "trail:read",
  "control:manage"
] as const

export const Scope = Schema.Literals(SCOPES).annotate({ identifier: "Scope" })
export type Scope = typeof Scope.Type

/** What a new key may do unless an owner says otherwise. */
export const DEFAULT_SCOPES: ReadonlyArray<Scope> = [
  "data:read",
  "usage:read",
  "campaign:write",
  "campaign:launch",
  "assets:purchase"
]

/** Scopes that OAuth never grants, whatever the key behind the grant is given later. */
export const NEVER_GRANTED: ReadonlyArray<Scope> = ["reply:send", "trail:read", "control:manage"]

export const isGrantable = (scope: Scope): boolean => !NEVER_GRANTED.includes(scope)

/** Features that are enabled per key; all on unless an operator says otherwise. */
export const CAPABILITIES = [
  "ceilings",
  "previews",
  "route_choice",
  "modes",
  "keywords",
  "premium_offers",
  "want_handling",
  "goal_ordering"
] as const

export const Capability = Schema.Literals(CAPABILITIES).annotate({ identifier: "Capability" })
export type Capability = typeof Capability.Type

/** Requests per minute of a key unless an operator sets another rate (contract: limits, rates and sizes). */
export const RATE_PER_MINUTE_DEFAULT = 300

/** The bound of one premium step, in credits, unless an operator sets another. */
export const PREMIUM_ALLOWANCE_DEFAULT = "50"
