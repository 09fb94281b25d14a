import { Effect } from "effect"
import { type OAuthRefused, refused, resourceOf } from "./OAuth.js"

/** Refuses a repeated parameter. An empty one counts as missing (RFC 6749 §3.1 and §3.2). */
export const parameter = (given: URLSearchParams, name: string): Effect.Effect<string | null, OAuthRefused> => {
  const [first = "", ...more] = given.getAll(name)
  if (more.length > 0) return Effect.fail(refused("invalid_request", `${name} is sent more than once`))
  return Effect.succeed(first === "" ? null : first)
}

export const required = (given: URLSearchParams, name: string): Effect.Effect<string, OAuthRefused> =>
  Effect.flatMap(parameter(given, name), (value) =>
    value === null ? Effect.fail(refused("invalid_request", `${name} is missing`)) : Effect.succeed(value)
  )

/**
 * Whether an address means our resource, however it is spelled: scheme and host in any case, the default port, slashes at
 * the end, or the service without the path of its tools (RFC 8707 §2; the service has no other resource).
 */
const meansUs = (named: string, baseUrl: string): boolean => {
  if (!URL.canParse(named)) return false
  const own = [baseUrl, resourceOf(baseUrl)].map((url) => new URL(url).href.replace(/\/+$/, ""))
  return own.includes(new URL(named).href.replace(/\/+$/, ""))
}

/** Refuses any other resource. A client that names none (RFC 8707) means ours; one may name several. */
export const onlyFor = (given: URLSearchParams, baseUrl: string): Effect.Effect<void, OAuthRefused> =>
  given.getAll("resource").every((named) => named === "" || meansUs(named, baseUrl))
    ? Effect.void
    : Effect.fail(refused("invalid_target", `resource must be ${resourceOf(baseUrl)}`))
