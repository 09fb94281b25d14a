import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import type { AuthenticationRule } from "../../kernel/workspaces/WorkspaceRules.js"
import { type Authenticating, type DomainLook, failingOf } from "./Look.js"

export interface FailingDomain {
  readonly domain: string
  readonly failing: ReadonlyArray<Authenticating>
}

/** How many domains a refusal names in words. */
const NAMED_MAX = 3

/** Those of the looks that prove a domain not authenticated, by domain. */
export const failingDomains = (looks: ReadonlyArray<DomainLook>, nowMillis: number): ReadonlyArray<FailingDomain> =>
  looks
    .map((look) => ({ domain: look.domain, failing: failingOf(look, nowMillis) }))
    .filter(({ failing }) => failing.length > 0)
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))

const wordsOf = (looks: ReadonlyArray<DomainLook>, failing: ReadonlyArray<FailingDomain>): string => {
  const named = failing.slice(0, NAMED_MAX).flatMap(({ domain, failing: checks }) => {
    const look = looks.find((one) => one.domain === domain)
    return checks.map((check) => look?.findings[check].detail ?? "")
  })
  const others = failing.length - Math.min(failing.length, NAMED_MAX)
  return [
    "The workspace requires that every domain it sends from is authenticated.",
    ...named,
    ...(others === 0 ? [] : [`${others} more ${others === 1 ? "domain is" : "domains are"} not authenticated.`]),
    "The next call asks the DNS again."
  ].join(" ")
}

/** Null: nothing is proven against the domains, or the workspace only wants to be warned. */
export const authenticationRefusal = (
  rule: AuthenticationRule,
  looks: ReadonlyArray<DomainLook>,
  nowMillis: number
): AnyWireError | null => {
  const failing = rule === "require" ? failingDomains(looks, nowMillis) : []
  return failing.length === 0
    ? null
    : refuse(
        "invalid_request",
        { reason: "domain_not_authenticated", domains: failing.map((one) => ({ ...one })) },
        wordsOf(looks, failing)
      )
}
