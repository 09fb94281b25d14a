import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Effect } from "effect"
import type { Surface } from "../http/Exchange.js"
import { pages, text } from "../http/Pages.js"
import { openApiDocument } from "./Document.js"
import { referencePage } from "./Reference.js"

/** The OpenAPI document and the reference page, made when the server starts. */
export const openApiSurface = (verbs: ReadonlyArray<AnyVerb>, baseUrl: string): Surface => {
  const document = openApiDocument(verbs, baseUrl)
  const json = text(200, JSON.stringify(document), "application/json")
  return pages("openapi", {
    "/openapi.json": Effect.succeed({ ...json, headers: { ...json.headers, "access-control-allow-origin": "*" } }),
    "/docs": Effect.succeed(referencePage(document))
  })
}
