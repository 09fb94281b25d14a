import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import type { Surface } from "../http/Exchange.js"
import { packed } from "../http/packed.js"
import { text } from "../http/Pages.js"
import { failure } from "../http/Reply.js"
import { openApiDocument } from "./Document.js"
import { DOCS_PATH, foundPage, referencePage, verbPage } from "./Reference.js"
import { type Described, makeSearch, operationsOf, QUERY_CHARS_MAX } from "./searching.js"

/** The OpenAPI document and the reference, made when the server starts; a call's page and the search when they are asked for. */
export const openApiSurface = (verbs: ReadonlyArray<AnyVerb>, baseUrl: string): Surface => {
  const document = openApiDocument(verbs, baseUrl)
  const json = text(200, JSON.stringify(document), "application/json")
  let search: ReturnType<typeof makeSearch> | undefined
  const fixed = new Map<string, ReturnType<typeof packed>>([
    ["/openapi.json", packed({ ...json, headers: { ...json.headers, "access-control-allow-origin": "*" } })],
    [DOCS_PATH, packed(referencePage(document))]
  ])
  const calls = new Map<string, Described>(
    operationsOf(document).map((of) => [`${DOCS_PATH}/${of.operation.operationId}`, of] as const)
  )
  const replyAt = (path: string): ReturnType<typeof packed> | undefined => {
    const call = calls.get(path)
    if (call !== undefined && !fixed.has(path)) fixed.set(path, packed(verbPage(call, document)))
    return fixed.get(path)
  }
  return {
    name: "openapi",
    owns: (path) => fixed.has(path) || calls.has(path),
    handle: (exchange) => {
      const { method, path } = exchange
      exchange.label = path.slice(1)
      if (method !== "GET" && method !== "HEAD") {
        const refusal = refuse("invalid_request", { reason: "method_not_allowed" })
        return exchange.send(failure(refusal, exchange.requestId, { allow: "GET, HEAD" }))
      }
      const query = (new URLSearchParams(exchange.search).get("q") ?? "").trim().slice(0, QUERY_CHARS_MAX)
      if (path === DOCS_PATH && query !== "") {
        search ??= makeSearch(document)
        return exchange.send(foundPage(query, search(query)))
      }
      const replyTo = replyAt(path)
      if (replyTo !== undefined) exchange.send(replyTo(exchange))
    }
  }
}
