import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import type { Body } from "../http/Body.js"
import { clientOf } from "../http/Client.js"
import type { Exchange } from "../http/Exchange.js"
import { LIMITS } from "../http/Limits.js"
import type { Reply } from "../http/Reply.js"
import { isUnder, type Surface } from "../http/Surface.js"
import { makeAccess, unverified } from "./Access.js"
import type { ConsoleServices } from "./ConsoleServices.js"
import { CONSOLE_ROOT, findRoute, routesOf } from "./Routes.js"
import { isFromOwnPage } from "./Session.js"
import { messagePage, missingPage } from "./Shell.js"
import { isPieces, type Page, type Pieces, type Route, type Visit } from "./Visit.js"

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i

const notAllowed = ({ get, post }: Route): Reply =>
  messagePage({
    status: 405,
    title: "Not possible",
    text: "This address is not for that. Start again from the list of approvals.",
    headers: { allow: get === undefined ? "POST" : post === undefined ? "GET, HEAD" : "GET, HEAD, POST" }
  })

const unavailable = (error: StoreUnavailable): Effect.Effect<Reply> =>
  Effect.as(
    Effect.logError("The console could not reach the store.", error),
    messagePage({
      status: 503,
      title: "Not available just now",
      text: "The service cannot reach its database. Nothing was changed unless a page says so. Try again in a moment.",
      headers: { "retry-after": "5" }
    })
  )

const ENDED: Reply = { status: 200, headers: {}, body: "" }

/** Sends the pieces. Where they break off the connection does too, so that nobody takes a part for the whole. */
const sendPieces = (exchange: Exchange, { headers, produce }: Pieces): Effect.Effect<Reply, StoreUnavailable> => {
  if (exchange.method === "HEAD") return Effect.succeed({ ...ENDED, headers })
  return produce((piece) => exchange.write(headers, piece)).pipe(
    Effect.as(ENDED),
    Effect.onError(() => Effect.sync(() => exchange.response.headersSent && exchange.response.destroy()))
  )
}

/** The human side, rendered here, with forms that need no script. */
export const consoleSurface = (services: ConsoleServices): Surface => {
  const routes = routesOf(services)
  const enter = makeAccess(services)

  const run = (exchange: Exchange, work: Page): void =>
    exchange.run(
      work.pipe(
        Effect.flatMap((made) => (isPieces(made) ? sendPieces(exchange, made) : Effect.succeed(made))),
        Effect.catchAll(unavailable),
        Effect.catchAllCause((cause) =>
          Effect.as(
            Effect.logError("A page of the console ended in a defect.", cause),
            messagePage({
              status: 500,
              title: "Something went wrong",
              text: `It is not your fault. Whoever runs this service can find it by the id ${exchange.requestId}.`
            })
          )
        ),
        Effect.annotateLogs({ request_id: exchange.requestId })
      )
    )

  const submit = (
    exchange: Exchange,
    handler: (form: URLSearchParams) => Page,
    body: Exclude<Body, { _tag: "Gone" }>
  ): void => {
    if (body._tag !== "Complete") {
      return exchange.send(messagePage({ status: 413, title: "Too large", text: "The form is too large." }))
    }
    const origin = exchange.header("origin")
    const headers = { origin, host: exchange.header("host"), fetchSite: exchange.header("sec-fetch-site") }
    if (!isFromOwnPage(services.baseUrl, headers)) return exchange.send(unverified())
    run(exchange, handler(new URLSearchParams(body.bytes.toString("utf8"))))
  }

  const handle = (exchange: Exchange): void => {
    exchange.label = "console"
    const found = findRoute(routes, exchange.path)
    if (found === null) return exchange.send(missingPage(null))
    exchange.label = found.label
    const { id, route } = found
    const isRead = exchange.method === "GET" || exchange.method === "HEAD"
    const method = isRead ? "get" : "post"
    if (route[method] === undefined || (!isRead && exchange.method !== "POST")) return exchange.send(notAllowed(route))
    const enterWith = (form: URLSearchParams): Page =>
      Effect.suspend(() => {
        const visit: Visit = {
          path: exchange.path,
          query: new URLSearchParams(exchange.search),
          form,
          cookies: exchange.header("cookie"),
          client: clientOf(exchange),
          id
        }
        return enter(route, method, visit) ?? Effect.succeed(notAllowed(route))
      })
    if (isRead) return run(exchange, enterWith(new URLSearchParams()))
    if (!FORM_TYPE.test(exchange.header("content-type") ?? "")) {
      return exchange.send(messagePage({ status: 415, title: "Not understood", text: "Send the page's own form." }))
    }
    const bytesMax = route.access === "member" ? route.formBytesMax : undefined
    exchange.readBody(bytesMax ?? LIMITS.formBytesMax, (body) => submit(exchange, enterWith, body))
  }

  return { name: "console", owns: (path) => isUnder(CONSOLE_ROOT, path), handle }
}
