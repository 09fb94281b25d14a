/** An error in how the criteria of `find_companies` are combined. */
export interface CriteriaIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: string
}

/** The kinds of search. Only `hiring` and `technologies` can be combined. */
const KINDS = ["hiring", "technologies", "similar_to", "query", "mode"] as const
const LONE: ReadonlySet<string> = new Set(["similar_to", "query", "mode"])

const CITY_WITH_COUNTRY = /[^\s,][^,]*,.*[^\s,]/

/** Whether a field is set; an empty list counts as unset. */
const says = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0)

const listed = (names: ReadonlyArray<string>): string => names.join(", ")

const issue = (path: PropertyKey | null, message: string): CriteriaIssue => ({
  path: path === null ? [] : [path],
  issue: message
})

const kindIssues = (said: (name: string) => boolean): ReadonlyArray<CriteriaIssue> => {
  const kinds = KINDS.filter(said)
  if (kinds.length === 0) return [issue(null, `needs one of ${listed(KINDS)}`)]
  if (kinds.length === 1) return []
  return kinds
    .filter((kind) => LONE.has(kind))
    .map((kind) => issue(kind, `can't be combined with ${listed(kinds.filter((other) => other !== kind))}`))
}

const modeIssues = (mode: unknown, said: (name: string) => boolean): ReadonlyArray<CriteriaIssue> => {
  const only = (names: ReadonlyArray<string>, fits: boolean, where: string) =>
    fits ? [] : names.filter(said).map((name) => issue(name, `is accepted only with mode ${where}`))
  return [
    ...only(["locations"], mode === "firmographic" || mode === "local", "firmographic or local"),
    ...only(["categories"], mode === "local", "local"),
    ...only(["keywords", "exclude_keywords"], mode === "firmographic", "firmographic")
  ]
}

const localIssues = (locations: unknown): ReadonlyArray<CriteriaIssue> => {
  if (!says(locations)) return [issue("locations", "is required with mode local")]
  if (!Array.isArray(locations)) return []
  return locations.flatMap((location, index) =>
    typeof location !== "string" || CITY_WITH_COUNTRY.test(location)
      ? []
      : [{ path: ["locations", index], issue: "must be a city with its country, such as Berlin, Germany" }]
  )
}

/**
 * How the criteria of a request combine (contract: data, find companies). It checks the request as sent, so that these
 * errors are returned together with those of single fields.
 */
export const criteriaIssues = (input: unknown): ReadonlyArray<CriteriaIssue> => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return []
  const request = input as Readonly<Record<string, unknown>>
  const said = (name: string) => says(request[name])
  const { mode, query } = request
  return [
    ...kindIssues(said),
    ...modeIssues(mode, said),
    ...(mode === "local" ? localIssues(request["locations"]) : []),
    ...(mode === "firmographic" && !said("industries") && !said("keywords")
      ? [issue("industries", "is required with mode firmographic, unless keywords is set")]
      : []),
    ...(typeof query === "string" && query.trim() === "" ? [issue("query", "must not be blank")] : [])
  ]
}
