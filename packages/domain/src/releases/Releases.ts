import { Context, Either } from "effect"
import { type AnyWireError, refuse } from "../errors/Wire.js"

/**
 * The parts of verbs that are released each on its own (interface.md §4.2): kinds of search, datasets, briefs, scopes
 * and platforms.
 */
export const GATES = {
  find_companies: ["hiring", "technologies", "similar", "query", "firmographic", "local"],
  enrich_company: ["profile", "technologies", "funding", "relationships", "brief_fast", "brief_deep"],
  find_posts: ["keyword", "profile", "company", "social", "x", "reddit", "youtube"]
} as const

type Gates = typeof GATES
export type GatedVerb = keyof Gates
export type PartOf<V extends GatedVerb> = Gates[V][number]
/** `<verb>.<part>`. */
export type Gate = { readonly [V in GatedVerb]: `${V}.${PartOf<V>}` }[GatedVerb]

export const GATE_NAMES: ReadonlyArray<Gate> = Object.entries(GATES).flatMap(([verb, parts]) =>
  parts.map((part) => `${verb}.${part}` as Gate)
)

/** The gates that are closed, each with the reason that callers are told: what follows "is not available:". */
export type ClosedGates = Partial<Readonly<Record<Gate, string>>>

/** What is not released anywhere yet. */
export const NOT_RELEASED: ClosedGates = {
  "find_posts.company": "the search by company domain is not released until its identity resolver is"
}

/** What is closed on this host. A host that closes more than is closed by default provides its own. */
export class Releases extends Context.Reference<Releases>()("@outbound/domain/releases/Releases", {
  defaultValue: (): ClosedGates => NOT_RELEASED
}) {}

/** Why a part may not be used here; null where it may. */
export const closedReason = <V extends GatedVerb>(closed: ClosedGates, verb: V, part: PartOf<V>): string | null =>
  closed[`${verb}.${part}` as Gate] ?? null

/** Refuses a call that needs a part that is closed; the first one closed is named. */
export const released = <V extends GatedVerb>(
  closed: ClosedGates,
  verb: V,
  parts: ReadonlyArray<PartOf<V>>
): Either.Either<void, AnyWireError> => {
  const reason = parts.map((part) => closedReason(closed, verb, part)).find((found) => found !== null)
  return reason === undefined ? Either.void : Either.left(refuse("tool_unavailable", { tool: verb, reason }))
}
