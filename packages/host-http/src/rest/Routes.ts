import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { type AnyVerb, type Route, routesOf } from "@outbound/domain/verbs/Verb.js"

/** The result of routing. */
export type Match =
  | {
      readonly _tag: "Verb"
      readonly verb: AnyVerb
      /** The verb's matching route. */
      readonly route: Route
      readonly parameters: Readonly<Record<string, string>>
      /** A path parameter is not a UUID, so nothing has that id (contract: calls, requests). */
      readonly namesNothing: boolean
    }
  | { readonly _tag: "NoPath" }
  /** `allow`: the path's methods. */
  | { readonly _tag: "NoMethod"; readonly allow: string }

interface Target {
  readonly verb: AnyVerb
  readonly route: Route
}

interface Pattern {
  readonly segments: ReadonlyArray<string>
  readonly methods: Map<string, Target>
}

const NO_PATH: Match = { _tag: "NoPath" }
const NO_PARAMETERS: Readonly<Record<string, string>> = {}

const isParameter = (segment: string): boolean => segment.startsWith(":")

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** The parameters of a path that matches the pattern, or null. */
const parametersOf = (pattern: Pattern, segments: ReadonlyArray<string>): Record<string, string> | null => {
  if (pattern.segments.length !== segments.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, expected] of pattern.segments.entries()) {
    const given = segments[index] ?? ""
    if (!isParameter(expected)) {
      if (given !== expected) return null
      continue
    }
    const value = given === "" ? null : decoded(given)
    if (value === null) return null
    parameters[expected.slice(1)] = value
  }
  return parameters
}

/** Whether a path parameter is no id where only ids are names. */
export const namesNothing = ({ names }: Route, parameters: ReadonlyArray<string>): boolean =>
  names !== "words" && !parameters.every(isUuid)

const verbFor = (methods: Map<string, Target>, method: string, parameters: Readonly<Record<string, string>>): Match => {
  const target = methods.get(method)
  if (target === undefined) return { _tag: "NoMethod", allow: [...methods.keys()].sort().join(", ") }
  return { _tag: "Verb", ...target, parameters, namesNothing: namesNothing(target.route, Object.values(parameters)) }
}

/** Finds the verb of a request. Paths are exact and case-sensitive. */
export const makeRoutes = (verbs: ReadonlyArray<AnyVerb>): ((method: string, path: string) => Match) => {
  const fixed = new Map<string, Map<string, Target>>()
  const patterns = new Map<string, Pattern>()
  for (const [verb, route] of verbs.flatMap((one) => routesOf(one).map((route) => [one, route] as const))) {
    const { method, path } = route
    const segments = path.split("/")
    const methods = segments.some(isParameter)
      ? (patterns.get(path) ?? { segments, methods: new Map<string, Target>() }).methods
      : (fixed.get(path) ?? new Map<string, Target>())
    methods.set(method, { verb, route })
    if (segments.some(isParameter)) patterns.set(path, { segments, methods })
    else fixed.set(path, methods)
  }

  return (method, path) => {
    const exact = fixed.get(path)
    if (exact !== undefined) return verbFor(exact, method, NO_PARAMETERS)
    const segments = path.split("/")
    for (const pattern of patterns.values()) {
      const parameters = parametersOf(pattern, segments)
      if (parameters !== null) return verbFor(pattern.methods, method, parameters)
    }
    return NO_PATH
  }
}
