import type { PersonSections } from "./PersonRecords.js"

/** Where an address came from: a call, or an import of the workspace's own list. */
export interface Origin {
  readonly at: string | null
  /** The verb, or `directory_import`. */
  readonly how: string
  /** The name of the key that called; null: a person of the workspace, or the operator. */
  readonly by: string | null
  readonly request_id: string | null
}

/** Where the workspace got an address from, the earliest first. */
export const originsOf = ({
  calls,
  directory
}: {
  readonly calls: ReadonlyArray<PersonSections["calls"]>
  readonly directory: ReadonlyArray<PersonSections["directory"]>
}): ReadonlyArray<Origin> =>
  [
    ...calls.map(({ at, key, request_id, verb }): Origin => ({ at, how: verb, by: key, request_id })),
    ...directory.map(({ imported_at }): Origin => ({
      at: imported_at,
      how: "directory_import",
      by: null,
      request_id: null
    }))
  ].sort((one, other) => ((one.at ?? "") < (other.at ?? "") ? -1 : (one.at ?? "") > (other.at ?? "") ? 1 : 0))
