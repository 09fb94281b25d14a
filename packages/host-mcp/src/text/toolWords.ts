import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { routesOf } from "@outbound/domain/verbs/Verb.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { isObject } from "../http/Messages.js"

/** Tools by their REST route, with every path parameter as `:id`. */
const TOOLS = new Map<string, string>(
  verbList
    .filter(({ tool }) => tool !== null)
    .flatMap((verb) =>
      routesOf(verb).map(({ method, path }) => [`${method} ${path.replaceAll(/:\w+/g, ":id")}`, verb.name] as const)
    )
)

const ARGUMENTS: Readonly<Record<string, string>> = { "Idempotency-Key": "idempotency_key", "Svc-Run-Id": "run_id" }

/** Rewrites a text about REST for callers of tools: routes become tools, headers become arguments. */
export const toolWords = (text: string): string =>
  text
    .replaceAll(/(?:GET|POST|PATCH) \/v1\/[\w/:]+/g, (route) => TOOLS.get(route) ?? route)
    .replaceAll("the header ", "the argument ")
    .replaceAll(/Idempotency-Key|Svc-Run-Id/g, (header) => ARGUMENTS[header] ?? header)

type Refusal = JsonObject & { readonly message: string }

const issueInToolWords = (issue: Json): Json =>
  isObject(issue)
    ? Object.fromEntries(
        Object.entries(issue).map(([name, value]) => [name, typeof value === "string" ? toolWords(value) : value])
      )
    : issue

/** A refusal whose message and issues name tools and arguments. What else is in its details stays as it is. */
export const refusalInToolWords = <R extends Refusal>(refusal: R): R => {
  const { details, message } = refusal
  const said = { ...refusal, message: toolWords(message) }
  if (!isObject(details) || !Array.isArray(details["issues"])) return said
  return { ...said, details: { ...details, issues: details["issues"].map((issue) => issueInToolWords(issue as Json)) } }
}
