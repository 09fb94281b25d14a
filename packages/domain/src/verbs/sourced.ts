import type { AnyVerb } from "./Verb.js"

/** Verbs whose answers come from sources. A chat's answer proves nothing, and a campaign's is the caller's own. */
export const SOURCED: ReadonlySet<string> = new Set([
  "find_leads",
  "find_companies",
  "find_intent",
  "find_intent_of_list",
  "find_posts",
  "check_companies",
  "enrich",
  "enrich_people",
  "enrich_company",
  "verify_email",
  "verify_emails"
])

/**
 * Whether answers of a verb are kept without an Idempotency-Key too, because evidence may name the call (contract: campaigns,
 * evidence). A verification states nothing that a message says of its reader, and is the most frequent call.
 */
export const isCitable = ({ idempotency, name }: AnyVerb): boolean =>
  idempotency === "optional" && SOURCED.has(name) && name !== "verify_email"
