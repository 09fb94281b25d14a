import { Effect } from "effect"
import { type OAuthRefused, refused } from "./OAuthRefused.js"

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

/** Refuses any other resource. A client that names none (RFC 8707) means ours. */
export const onlyFor = (given: URLSearchParams, resource: string): Effect.Effect<void, OAuthRefused> =>
  Effect.flatMap(parameter(given, "resource"), (named) =>
    named === null || named === resource
      ? Effect.void
      : Effect.fail(refused("invalid_target", `resource must be ${resource}`))
  )
