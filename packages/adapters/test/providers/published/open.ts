import { type Facts, readFacts, requestDifferences } from "./Published.js"

/** A request that a host got. */
export interface Asked {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** Who publishes what a host of the open world is asked, and what the host's base address has before the path there. */
const PUBLISHERS: ReadonlyArray<readonly [host: RegExp, name: string, base: string]> = [
  [/^greenhouse$/, "greenhouse", "/v1"],
  [/^lever(?:_eu)?$/, "lever", "/v0"],
  [/^ashby$/, "ashby", "/posting-api"],
  [/^[^.]+\.recruitee$/, "recruitee", ""],
  [/^[^.]+\.personio$/, "personio", ""],
  [/^smart_recruiters$/, "smart_recruiters", "/v1"],
  [/^workable$/, "workable", "/api/v1"],
  [/^gdelt$/, "gdelt", "/api/v2"],
  [/^search$/, "edgar_search", "/LATEST"],
  [/^data$/, "edgar_data", ""],
  [/^archives$/, "edgar_archives", "/Archives"]
]

/** Paths whose parts have a form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  edgar_data: /^\/submissions\/CIK\d{10}\.json$/,
  edgar_archives: /^\/Archives\/edgar\/data\/[1-9]\d{0,9}\/\d{18}\/primary_doc\.xml$/
}

/** What each asks of a reader's headers. The SEC refuses who names no contact. */
const CONTACT = /^outbound\/1 \([^()]*\S+@\S+\)$/

const known = new Map<string, Facts>()
const factsOf = (name: string): Facts => {
  const facts = known.get(name) ?? readFacts(name)
  known.set(name, facts)
  return facts
}

/** Where a request to a public source is not as it is published. Empty for companies' own hosts. */
export const openDifferences = ({ headers, host, path }: Asked): ReadonlyArray<string> => {
  const [, name, base] = PUBLISHERS.find(([named]) => named.test(host)) ?? []
  if (name === undefined || base === undefined) return []
  const url = new URL(`${base}${path}`, "http://source")
  const given = { method: "GET", path: url.pathname, query: url.searchParams, body: undefined }
  const found = requestDifferences(factsOf(name), given) ?? [`${name}: ${url.pathname} is not published`]
  const form = FORMS[name]
  return [
    ...found.map((one) => `${name}: ${one}`),
    ...(form === undefined || form.test(url.pathname) ? [] : [`${name}: ${url.pathname} has another form`]),
    ...(CONTACT.test(String(headers["user-agent"])) ? [] : [`${name}: the User-Agent names no contact`]),
    ...(headers["accept-encoding"] === "gzip" ? [] : [`${name}: it asks for no compression`])
  ]
}
