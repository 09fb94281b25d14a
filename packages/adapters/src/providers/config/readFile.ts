import { issuesOf } from "@outbound/domain/calls/issues.js"
import { Result, Schema } from "effect"
import { isJsonObject } from "../VendorHttp.js"
import { knownInstead } from "./near.js"
import { LISTED_PORT_NAMES } from "./ports.js"
import { MEMBERS, type ProvidersFile, SECTIONS } from "./ProvidersFile.js"
import { type Salvaged, salvaged } from "./salvage.js"

const PORTS = [...LISTED_PORT_NAMES, "sending"]

/** Comments are whole lines, blanked so that positions stay. A text in JSON never spans lines. */
const withoutComments = (text: string): string => text.replace(/^[ \t]*\/\/.*$/gm, (line) => " ".repeat(line.length))

const parsed = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: () => JSON.parse(withoutComments(text)) as unknown,
    // The text near the mistake may be a secret.
    catch: (error) => {
      const at = /position \d+(?: \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : "")?.[0]
      return `it is not JSON${at === undefined ? "" : `, at ${at}`}`
    }
  })

/** Decodes a part of the file, or reports its mistakes and returns their places. */
const readWhole = <A, I>(
  schema: Schema.Codec<A, I>,
  at: string,
  value: unknown,
  mistakes: Array<string>
): Result.Result<A, ReadonlySet<string>> =>
  Result.mapError(Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value), (error) => {
    const issues = issuesOf(error)
    for (const { message, path } of issues) mistakes.push(`${path === "" ? at : `${at}.${path}`}: ${message}`)
    return new Set(issues.map(({ path }) => path))
  })

/** Decodes a part of the file, leaving out what is wrong, so that one mistake hides no other. */
const read = <A>(
  schema: Schema.Codec<A>,
  at: string,
  value: unknown,
  mistakes: Array<string>
): A | Salvaged<A> | undefined =>
  value === undefined
    ? undefined
    : Result.getOrElse(
        readWhole(schema, at, value, mistakes),
        (places) => salvaged(value, places) as Salvaged<A> | undefined
      )

/** Drops unknown names and reports them. */
const knownOf = (what: string, at: string, given: unknown, known: ReadonlyArray<string>, mistakes: Array<string>) => {
  if (!isJsonObject(given)) return given
  const isKnown = (name: string) => known.includes(name)
  for (const name of Object.keys(given).filter((one) => !isKnown(one))) {
    mistakes.push(`${at}${name}: there is no such ${what}. ${knownInstead(name, known)}`)
  }
  return Object.fromEntries(Object.entries(given).filter(([name]) => isKnown(name)))
}

const readEach = <A>(
  schema: Schema.Codec<A>,
  at: string,
  value: unknown,
  mistakes: Array<string>
): Readonly<Record<string, A | Salvaged<A> | undefined>> => {
  if (value === undefined) return {}
  if (!isJsonObject(value)) {
    mistakes.push(`${at}: must be an object`)
    return {}
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, read(schema, `${at}.${name}`, entry, mistakes)])
  )
}

/** Parses and checks the file's form. Null: unusable, as `mistakes` tells. */
export const readFile = (text: string, mistakes: Array<string>): ProvidersFile | null => {
  const json = parsed(text)
  if (Result.isFailure(json) || !isJsonObject(json.success)) {
    mistakes.push(Result.isFailure(json) ? json.failure : "it must be an object")
    return null
  }
  const given = json.success
  knownOf("member", "", given, MEMBERS, mistakes)
  return {
    ports: read(SECTIONS.ports, "ports", knownOf("port", "ports.", given["ports"], PORTS, mistakes), mistakes),
    vendors: readEach(SECTIONS.vendors, "vendors", given["vendors"], mistakes),
    prober:
      given["prober"] === undefined
        ? undefined
        : Result.getOrUndefined(readWhole(SECTIONS.prober, "prober", given["prober"], mistakes)),
    upstreams: readEach(SECTIONS.upstreams, "upstreams", given["upstreams"], mistakes),
    chat: read(SECTIONS.chat, "chat", given["chat"], mistakes) ?? [],
    judge: read(SECTIONS.judge, "judge", given["judge"], mistakes)
  }
}
