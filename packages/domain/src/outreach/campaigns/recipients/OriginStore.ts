import { Context } from "effect"
import { DIRECTORY_IMPORT, type LeadOrigin, originKindOf } from "../../../kernel/people/origins.js"
import { readCountry } from "../../../kernel/people/Countries.js"
import type { FromStore } from "../../../kernel/ports/UnitOfWork.js"

/** A call that named a person. */
export interface NamingCall {
  readonly verb: string
  readonly at: string
  /** The key's name. */
  readonly by: string | null
  readonly request_id: string
  /** The line of the table that a person uploaded; null: they uploaded none. */
  readonly line: number | null
  /** What its file is called; null: it has no name, or it was not kept. */
  readonly file: string | null
  /** Vendors that were paid for its answer. */
  readonly sources: ReadonlyArray<string>
}

/** What is kept of how a person's address came into the workspace. */
export interface OriginFacts {
  /** Of the verbs that bring addresses (`originKindOf`), at least the first call. */
  readonly calls: ReadonlyArray<NamingCall>
  /** Their row in the workspace's own directory. */
  readonly directory: {
    readonly imported_at: string
    readonly country: string | null
    readonly file: string | null
    readonly line: number | null
  } | null
  /** The origin of their first lead, in any campaign. */
  readonly lead: LeadOrigin | null
}

/** Of the same millisecond, the call whose id was made first. */
const earlier = (one: LeadOrigin, other: LeadOrigin): LeadOrigin => {
  if (one.at !== other.at) return other.at < one.at ? other : one
  return one.request_id !== null && other.request_id !== null && other.request_id < one.request_id ? other : one
}

/** Where an address came from first, by everything that is kept; else from the call that names it now. */
export const firstOrigin = (facts: OriginFacts | undefined, now: LeadOrigin): LeadOrigin => {
  if (facts === undefined) return now
  const country = readCountry(facts.directory?.country ?? null)?.code ?? facts.lead?.country ?? null
  const found: ReadonlyArray<LeadOrigin> = [
    ...(facts.lead === null ? [] : [facts.lead]),
    ...facts.calls.flatMap(({ at, by, file, line, request_id, sources, verb }) => {
      const kind = line === null ? originKindOf(verb) : "listed"
      return kind === null ? [] : [{ kind, how: verb, at, by, request_id, line, file, sources, country: null }]
    }),
    ...(facts.directory === null
      ? []
      : [
          {
            kind: "listed" as const,
            how: DIRECTORY_IMPORT,
            at: facts.directory.imported_at,
            by: null,
            request_id: null,
            line: facts.directory.line,
            file: facts.directory.file,
            sources: [],
            country: null
          }
        ])
  ]
  // What is kept came before the call, even in the same millisecond.
  return { ...[...found, now].reduce(earlier), country }
}

/** Reads how people's addresses came into the workspace. `firstOrigin` decides what it means. */
export class OriginStore extends Context.Service<
  OriginStore,
  {
    /** By the keyed hash of the address. Omits those of whom nothing is kept. */
    readonly facts: (
      workspaceId: string,
      addressHashes: ReadonlyArray<string>
    ) => FromStore<ReadonlyMap<string, OriginFacts>>
  }
>()("@outbound/domain/outreach/campaigns/recipients/OriginStore") {}
