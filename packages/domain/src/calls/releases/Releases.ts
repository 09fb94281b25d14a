import { Context, Result } from "effect"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"

/**
 * Parts of verbs that are released separately (contract: data, releases): kinds of search, datasets, briefs, scopes and
 * platforms.
 */
export const GATES = {
  find_companies: ["hiring", "technologies", "similar", "query", "firmographic", "local"],
  enrich_company: ["profile", "technologies", "funding", "relationships", "brief_fast", "brief_deep"],
  find_posts: ["keyword", "profile", "company", "social", "x", "reddit", "youtube"]
} as const

type Gates = typeof GATES
export type GatedVerb = keyof Gates
export type PartOf<V extends GatedVerb> = Gates[V][number]

/** Verbs that depend on an outside party and can be closed as a whole. */
export const TOOLS = [
  "find_leads",
  "find_companies",
  "find_intent",
  "find_posts",
  "enrich",
  "enrich_company",
  "verify_email",
  "check_companies",
  "llm_chat",
  "setup_sending"
] as const

/** A verb, or `<verb>.<part>`. */
export type Gate = (typeof TOOLS)[number] | { readonly [V in GatedVerb]: `${V}.${PartOf<V>}` }[GatedVerb]

export const GATE_NAMES: ReadonlyArray<Gate> = [
  ...TOOLS,
  ...Object.entries(GATES).flatMap(([verb, parts]) => parts.map((part) => `${verb}.${part}` as Gate))
]

/** Closed gates, each with the reason that callers see after "is not available:". */
export type ClosedGates = Partial<Readonly<Record<Gate, string>>>

export const PAUSED_BY_OPERATOR = "paused by the operator"

/** Closed everywhere so far. */
export const NOT_RELEASED: ClosedGates = {
  "find_posts.company": "the search by company domain is not released until its identity resolver is"
}

/** What is closed on this host. A host that closes more provides its own. */
export const Releases = Context.Reference("@outbound/domain/calls/releases/Releases", {
  defaultValue: (): ClosedGates => NOT_RELEASED
})

/** Adds the gates that the operator closes to those closed everywhere. */
export const closing = (gates: ReadonlyArray<Gate>): ClosedGates => ({
  ...Object.fromEntries(gates.map((gate) => [gate, PAUSED_BY_OPERATOR])),
  ...NOT_RELEASED
})

/** The verb that each row of a list calls: a list is closed with it. */
export const CLOSED_WITH: Readonly<Record<string, Gate>> = {
  verify_emails: "verify_email",
  enrich_people: "enrich",
  find_intent_of_list: "find_intent"
}

/** Why a verb is closed here; null: it is open. */
export const closedTool = (closed: ClosedGates, verb: string): string | null =>
  closed[CLOSED_WITH[verb] ?? (verb as Gate)] ?? null

/** Refuses a call of a closed verb. */
export const releasedTool = (closed: ClosedGates, verb: string): Result.Result<void, AnyWireError> => {
  const reason = closedTool(closed, verb)
  return reason === null ? Result.void : Result.fail(refuse("tool_unavailable", { tool: verb, reason }))
}

/** Why a part is closed here; null: it is open. */
export const closedReason = <V extends GatedVerb>(closed: ClosedGates, verb: V, part: PartOf<V>): string | null =>
  closed[`${verb}.${part}` as Gate] ?? null

/** Refuses a call that needs a closed part; names the first one. */
export const released = <V extends GatedVerb>(
  closed: ClosedGates,
  verb: V,
  parts: ReadonlyArray<PartOf<V>>
): Result.Result<void, AnyWireError> => {
  const reason = parts.map((part) => closedReason(closed, verb, part)).find((found) => found !== null)
  return reason === undefined ? Result.void : Result.fail(refuse("tool_unavailable", { tool: verb, reason }))
}
