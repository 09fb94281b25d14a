/** What brought an address into a workspace: a list of its own, a search in others' data, or a call that named it. */
export const ORIGIN_KINDS = ["listed", "searched", "given"] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** An import of the workspace's own list, which is no verb. */
export const DIRECTORY_IMPORT = "directory_import"

/** Verbs whose answers bring addresses that the caller didn't have. */
const SEARCHES: ReadonlySet<string> = new Set([
  "find_leads",
  "find_posts",
  "find_intent",
  "find_intent_of_list",
  "enrich",
  "enrich_people"
])

/** Verbs that take an address from the caller. */
const NAMINGS: ReadonlySet<string> = new Set(["create_campaign", "add_leads", "verify_email", "verify_emails"])

/** The verbs whose calls bring addresses. */
export const ORIGIN_VERBS: ReadonlyArray<string> = [...SEARCHES, ...NAMINGS]

/** Of which kind a call is, or an import. Null: it brought no address, as a suppression. */
export const originKindOf = (how: string): OriginKind | null =>
  how === DIRECTORY_IMPORT ? "listed" : SEARCHES.has(how) ? "searched" : NAMINGS.has(how) ? "given" : null

/**
 * Where the workspace got a person's address from first: kept with the lead, so that it outlasts the records of calls. It
 * names nobody.
 */
export interface LeadOrigin {
  readonly kind: OriginKind
  /** The verb, or `DIRECTORY_IMPORT`. */
  readonly how: string
  /** An instant (ISO 8601, UTC). */
  readonly at: string
  /** The name of the key that called; null: a person of the workspace, or the operator. */
  readonly by: string | null
  readonly request_id: string | null
  /** The line of the table that a person uploaded; null: it came by none. */
  readonly line: number | null
  /** What that table's file is called; null: its rows were pasted, or it was not kept. */
  readonly file: string | null
  /** The sources that were paid for the call's answer. */
  readonly sources: ReadonlyArray<string>
  /** The country of the person in the workspace's own list, as its code; null: not known. */
  readonly country: string | null
}

/** Licences of sources that publish what they have under one. Others have terms of their own (docs/providers.md). */
export const SOURCE_LICENCES: Readonly<Record<string, string>> = {
  overture: "CDLA Permissive 2.0",
  brreg: "NLOD 2.0",
  prh: "CC BY 4.0",
  companies_house: "Open Government Licence 3.0",
  edgar: "public domain",
  gdelt: "open, with attribution"
}
