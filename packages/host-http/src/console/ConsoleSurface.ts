import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { Body } from "../http/Body.js"
import { type Exchange, isUnder, type Surface } from "../http/Exchange.js"
import { formFlaws, formText } from "../http/FormText.js"
import { LIMITS } from "../http/Limits.js"
import { isMultipart, multipartForm } from "../http/Multipart.js"
import type { Reply } from "../http/Reply.js"
import type { OnStop } from "../HttpServer.js"
import { ACCESS, makeAccess, unverified } from "./signInRoutes.js"
import type { Given } from "./pages.js"
import { consolePages } from "./consolePages.js"
import { isFromOwnPage } from "./Session.js"
import { messagePage, missingPage } from "./Shell.js"
import { isPieces, type Page, type Pieces, type Route, type Visit } from "./Visit.js"
import { ICON_PATH, seeOther } from "../web/Page.js"
import { script, SCRIPT_PATH } from "../web/Scripted.js"
import { LIVE_PATH, liveScript } from "../web/Live.js"
import { icon, style, STYLE_PATH } from "../web/Style.js"

export const CONSOLE_ROOT = "/console"

const asset = (type: string, body: string): Page =>
  Effect.succeed({
    status: 200,
    headers: { "content-type": type, "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" },
    body
  })

const assets: ReadonlyArray<Route> = [
  { access: "open", path: CONSOLE_ROOT, get: () => Effect.succeed(seeOther("/console/home")) },
  { access: "open", path: STYLE_PATH, get: () => asset("text/css; charset=utf-8", style) },
  { access: "open", path: SCRIPT_PATH, get: () => asset("text/javascript; charset=utf-8", script) },
  { access: "open", path: LIVE_PATH, get: () => asset("text/javascript; charset=utf-8", liveScript) },
  { access: "open", path: ICON_PATH, get: () => asset("image/svg+xml", icon) }
]

export interface Found {
  readonly route: Route
  readonly id: string
  /** Its name in metrics. */
  readonly label: string
}

const ID = ":id"

/** The id in a matching path ("" without one), or null if the path does not match. */
const fit = (pattern: string, path: string): string | null => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  if (wanted.length !== given.length) return null
  let id = ""
  for (const [at, part] of wanted.entries()) {
    const actual = given[at] ?? ""
    if (part === ID && isUuid(actual)) id = actual.toLowerCase()
    else if (part !== actual) return null
  }
  return id
}

const findRoute = (routes: ReadonlyArray<Route>, path: string): Found | null => {
  for (const route of routes) {
    const id = fit(route.path, path)
    if (id !== null) return { route, id, label: route.path.slice(1).replace(ID, "id") }
  }
  return null
}

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i

const notAllowed = ({ get, post }: Route): Reply =>
  messagePage({
    status: 405,
    title: "Method not allowed",
    text: "This address doesn’t accept that kind of request. Start again from the list of approvals.",
    headers: { allow: get === undefined ? "POST" : post === undefined ? "GET, HEAD" : "GET, HEAD, POST" }
  })

const unavailable = (error: StoreUnavailable): Effect.Effect<Reply> =>
  Effect.as(
    Effect.logError("console: the database is unavailable", error),
    messagePage({
      status: 503,
      title: "Temporarily unavailable",
      text: "The service can’t reach its database. Check whether your last change was saved, then try again in a moment.",
      headers: { "retry-after": "5" }
    })
  )

const notText: Reply = messagePage({
  status: 400,
  title: "Not readable",
  text: "The address or the form holds bytes that are not text. Go back, correct it, and send it again."
})

const ENDED: Reply = { status: 200, headers: {}, body: "" }

/** Streams the pieces. On a failure it breaks the connection, so that a partial file is never taken for a whole one. */
const sendPieces = (
  exchange: Exchange,
  { headers, produce, release }: Pieces
): Effect.Effect<Reply, StoreUnavailable> =>
  Effect.suspend(() =>
    exchange.method === "HEAD"
      ? Effect.succeed({ ...ENDED, headers })
      : Effect.as(
          produce((piece) => exchange.write(headers, piece), exchange.onLeft),
          ENDED
        )
  ).pipe(
    Effect.onError(() => Effect.sync(() => exchange.response.headersSent && exchange.response.destroy())),
    Effect.ensuring(Effect.sync(() => release?.()))
  )

/** The console for humans: pages rendered on the server, with forms that need no script. */
export const consoleSurface = Effect.gen(function* () {
  const routesOf = yield* consolePages
  const access = yield* Effect.all(ACCESS)
  return (onStop: OnStop): Surface => surfaceOf([...assets, ...routesOf(onStop)], access)
})

const surfaceOf = (routes: ReadonlyArray<Route>, access: Given<typeof ACCESS>): Surface => {
  const enter = makeAccess(access)

  const run = (exchange: Exchange, work: Page): void =>
    exchange.run(
      work.pipe(
        Effect.flatMap((made) => (isPieces(made) ? sendPieces(exchange, made) : Effect.succeed(made))),
        Effect.catch(unavailable),
        Effect.catchCause((cause) =>
          Effect.as(
            Effect.logError("console: a page failed unexpectedly", cause),
            messagePage({
              status: 500,
              title: "Something went wrong",
              text: `This is a fault of the service. Give its operator this request id: ${exchange.requestId}.`
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
      return exchange.send(
        messagePage({ status: 413, title: "Too large", text: "The form is too large. Send less at once." })
      )
    }
    const origin = exchange.header("origin")
    const headers = { origin, host: exchange.header("host"), fetchSite: exchange.header("sec-fetch-site") }
    if (!isFromOwnPage(access.settings.baseUrl, headers)) return exchange.send(unverified())
    const type = exchange.header("content-type") ?? ""
    if (isMultipart(type)) {
      return run(
        exchange,
        Effect.flatMap(
          Effect.promise(() => multipartForm(type, body.bytes)),
          (form) => (form === null ? Effect.succeed(notText) : handler(form))
        )
      )
    }
    const text = formText(body.bytes)
    if (text === null) return exchange.send(notText)
    run(exchange, handler(new URLSearchParams(text)))
  }

  const handle = (exchange: Exchange): void => {
    exchange.label = "console"
    const found = findRoute(routes, exchange.path)
    if (found === null) return exchange.send(missingPage(null))
    exchange.label = found.label
    if (formFlaws(exchange.search).length > 0) return exchange.send(notText)
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
          client: exchange.client,
          id
        }
        return enter(route, method, visit) ?? Effect.succeed(notAllowed(route))
      })
    if (isRead) return run(exchange, enterWith(new URLSearchParams()))
    const type = exchange.header("content-type") ?? ""
    const takesFiles = route.access === "member" && route.takesFiles === true
    if (!FORM_TYPE.test(type) && !(takesFiles && isMultipart(type))) {
      return exchange.send(
        messagePage({ status: 415, title: "Unsupported form", text: "Send the form from the page itself." })
      )
    }
    const bytesMax = route.access === "member" ? route.formBytesMax : undefined
    exchange.readBody(bytesMax ?? LIMITS.formBytesMax, (body) => submit(exchange, enterWith, body))
  }

  return { name: "console", owns: (path) => isUnder(CONSOLE_ROOT, path), handle }
}
