import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import type { Effect } from "effect"
import type { Exchange, Surface } from "./Exchange.js"
import { failure, type Reply } from "./Reply.js"

/** Plain text that is not cached. */
export const text = (status: number, body: string, contentType = "text/plain; charset=utf-8"): Reply => ({
  status,
  headers: { "content-type": contentType, "cache-control": "no-store", "x-content-type-options": "nosniff" },
  body
})

/** Fixed pages at exact paths, for `GET` and `HEAD`; every other method is refused. */
export const pages = (name: string, table: Readonly<Record<string, Effect.Effect<Reply>>>): Surface => ({
  name,
  owns: (path) => Object.hasOwn(table, path),
  handle: (exchange: Exchange) => {
    const page = table[exchange.path]
    exchange.label = exchange.path.slice(1)
    if (page !== undefined && (exchange.method === "GET" || exchange.method === "HEAD")) return exchange.run(page)
    const refusal = refuse("invalid_request", { reason: "method_not_allowed" })
    exchange.send(failure(refusal, exchange.requestId, { allow: "GET, HEAD" }))
  }
})
