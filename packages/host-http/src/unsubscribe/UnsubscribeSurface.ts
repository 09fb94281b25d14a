import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Effect } from "effect"
import type { Exchange, Surface } from "../http/Exchange.js"
import type { Reply } from "../http/Reply.js"
import { askPage, donePage, laterPage, notPossiblePage, unknownPage } from "./UnsubscribePages.js"

const PATH = /^\/u\/([^/]{1,64})\/([^/]{1,256})$/

/**
 * `/u/<workspace>/<token>`, the unsubscribe link of every message. A `POST` unsubscribes at once, whatever its body and
 * without a credential (RFC 8058). A `GET` shows a button and changes nothing, because programs open links too.
 */
export const unsubscribeSurface = (service: Unsubscribe["Service"]): Surface => {
  const unsubscribe = (workspaceId: string, token: string): Effect.Effect<Reply> =>
    service.unsubscribe({ workspaceId, token }).pipe(
      Effect.map((isDone) => (isDone ? donePage() : unknownPage())),
      Effect.catch((error) =>
        Effect.as(Effect.logError("unsubscribe: failed, the database is unavailable", error), laterPage())
      )
    )

  return {
    name: "unsubscribe",
    owns: (path) => path.startsWith("/u/"),
    handle: (exchange: Exchange) => {
      exchange.label = "unsubscribe"
      const { method, path } = exchange
      const [, workspaceId = "", token = ""] = PATH.exec(path) ?? []
      if (method === "POST") return exchange.run(unsubscribe(workspaceId, token))
      if (method !== "GET" && method !== "HEAD") return exchange.send(notPossiblePage())
      exchange.send(service.isGenuine({ workspaceId, token }) ? askPage(path) : unknownPage())
    }
  }
}

export const surface = Effect.map(Unsubscribe, unsubscribeSurface)
