import { DIRECTORY_IMPORT, type LeadOrigin, SOURCE_LICENCES } from "../../kernel/people/origins.js"
import type { PersonSections } from "./PersonRecords.js"

/** A source that was asked, and the licence under which it publishes; null: it has terms of its own. */
interface OriginSource {
  readonly name: string
  readonly licence: string | null
}

/** Where an address came from: a call, or an import of the workspace's own list. */
export interface Origin {
  readonly at: string | null
  /** The verb, or `directory_import`. */
  readonly how: string
  /** The name of the key that called; null: a person of the workspace, or the operator. */
  readonly by: string | null
  readonly request_id: string | null
  /** The line of a table that a person uploaded; null: they uploaded none. */
  readonly line: number | null
  /** What that table's file is called; null: its rows were pasted, or it was not kept. */
  readonly file: string | null
  readonly sources: ReadonlyArray<OriginSource>
}

const sourcesOf = (names: ReadonlyArray<string>): ReadonlyArray<OriginSource> =>
  names.map((name) => ({ name, licence: SOURCE_LICENCES[name] ?? null }))

const ofLead = ({ at, by, file, how, line, request_id, sources }: LeadOrigin): Origin => ({
  at,
  how,
  by,
  request_id,
  line,
  file,
  sources: sourcesOf(sources)
})

/** Where the workspace got an address from, the earliest first. What a lead keeps outlasts the records of calls. */
export const originsOf = ({
  calls,
  directory,
  leads
}: {
  readonly calls: ReadonlyArray<PersonSections["calls"]>
  readonly directory: ReadonlyArray<PersonSections["directory"]>
  readonly leads: ReadonlyArray<Pick<PersonSections["leads"], "origin">>
}): ReadonlyArray<Origin> => {
  const kept = leads.flatMap(({ origin }) => (origin === null ? [] : [ofLead(origin)]))
  const isKept = (how: string, requestId: string | null): boolean =>
    kept.some((one) => one.how === how && one.request_id === requestId)
  const nothing = { line: null, file: null, sources: [] }
  const found = [
    ...new Map(kept.map((one) => [JSON.stringify(one), one] as const)).values(),
    ...calls
      .filter(({ request_id, verb }) => !isKept(verb, request_id))
      .map(({ at, key, request_id, verb }): Origin => ({ at, how: verb, by: key, request_id, ...nothing })),
    ...directory
      .filter(() => !isKept(DIRECTORY_IMPORT, null))
      .map(({ imported_at, list_file, list_line }): Origin => ({
        at: imported_at,
        how: DIRECTORY_IMPORT,
        by: null,
        request_id: null,
        line: list_line,
        file: list_file,
        sources: []
      }))
  ]
  const timeOf = (at: string | null): number => (at === null ? 0 : Date.parse(at))
  return found.sort((one, other) => timeOf(one.at) - timeOf(other.at))
}
