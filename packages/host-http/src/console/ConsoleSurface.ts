import type { Console } from "@outbound/domain/console/Console.js"
import type { Crypto } from "@outbound/domain/ports/Crypto.js"
import { isUuid } from "@outbound/domain/ports/Ids.js"
import type { StoreUnavailable } from "@outbound/domain/ports/UnitOfWork.js"
import { Clock, type Context, Effect, Option } from "effect"
import type { Body } from "../http/Body.js"
import type { Exchange } from "../http/Exchange.js"
import { LIMITS } from "../http/Limits.js"
import type { Reply } from "../http/Reply.js"
import { isUnder, type Surface } from "../http/Surface.js"
import { ICON_PATH, seeOther } from "../web/Page.js"
import { icon, style, STYLE_PATH } from "../web/Style.js"
import { approvalPage, type Notice } from "./ApprovalPage.js"
import { approvalsPage } from "./ApprovalsPage.js"
import { csrfToken, isCsrfToken, isFromOwnPage, nextCookie, ownPath, sessionCookie } from "./Session.js"
import { messagePage, missingPage, type Viewer } from "./Shell.js"
import { linkOverPage, signInHelpPage, signInPage } from "./SignInPage.js"

export const CONSOLE_ROOT = "/console"
const SIGN_IN = "/console/sign-in"

export interface ConsoleServices {
  readonly console: Context.Tag.Service<typeof Console>
  readonly crypto: Context.Tag.Service<typeof Crypto>
  readonly baseUrl: string
}

/** What a page is made from. */
interface Visit {
  readonly path: string
  readonly query: URLSearchParams
  /** Empty for a `GET`. */
  readonly form: URLSearchParams
  readonly cookies: string | undefined
}

type Page = Effect.Effect<Reply, StoreUnavailable>
type Methods = { readonly GET?: (visit: Visit) => Page; readonly POST?: (visit: Visit) => Page }

const unverified = (): Reply =>
  messagePage({
    status: 403,
    title: "Not done",
    text: "This form did not come from a page of this console that is still good. Open the page again, and repeat it there."
  })

const asset = (type: string, body: string): Page =>
  Effect.succeed({
    status: 200,
    headers: { "content-type": type, "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" },
    body
  })

/** What a link's form is bound to before there is a session: the link itself. */
const linkSecret = (token: string): string => `link ${token}`

const makePages = ({ baseUrl, console, crypto }: ConsoleServices) => {
  const toSignIn = (next: string): Reply => {
    const path = ownPath(next)
    return seeOther(`${SIGN_IN}?next=${encodeURIComponent(path)}`, { "set-cookie": nextCookie.set(baseUrl, path) })
  }

  /** For those who are signed in; everyone else is asked to sign in, and brought back to `next`. */
  const signedIn = (visit: Visit, next: string, use: (viewer: Viewer, secret: string) => Page): Page => {
    const secret = sessionCookie.read(baseUrl, visit.cookies)
    if (secret === null) return Effect.succeed(toSignIn(next))
    return Effect.flatMap(
      console.session(secret),
      Option.match({
        onNone: () => Effect.succeed(toSignIn(next)),
        onSome: (session) => use({ signedIn: session, csrf: csrfToken(crypto, secret) }, secret)
      })
    )
  }

  /** A form's work, once its token is the session's. */
  const submitted = (visit: Visit, next: string, use: (viewer: Viewer, secret: string) => Page): Page =>
    signedIn(visit, next, (viewer, secret) =>
      isCsrfToken(crypto, secret, visit.form.get("csrf") ?? undefined)
        ? use(viewer, secret)
        : Effect.succeed(unverified())
    )

  const signIn: Methods = {
    GET: (visit) => {
      const token = visit.query.get("token")
      if (token === null) {
        const asked = visit.query.get("next")
        const headers = asked === null ? {} : { "set-cookie": nextCookie.set(baseUrl, ownPath(asked)) }
        return Effect.succeed(signInHelpPage(headers))
      }
      const next = ownPath(visit.query.get("next") ?? nextCookie.read(baseUrl, visit.cookies))
      return Effect.map(console.isLinkOpen(token), (isOpen) =>
        isOpen ? signInPage({ token, csrf: csrfToken(crypto, linkSecret(token)), next }) : linkOverPage()
      )
    },
    POST: (visit) => {
      const token = visit.form.get("token") ?? ""
      if (!isCsrfToken(crypto, linkSecret(token), visit.form.get("csrf") ?? undefined)) {
        return Effect.succeed(unverified())
      }
      return Effect.map(
        console.signIn(token),
        Option.match({
          onNone: linkOverPage,
          onSome: ({ secret }) =>
            seeOther(ownPath(visit.form.get("next")), { "set-cookie": sessionCookie.set(baseUrl, secret) })
        })
      )
    }
  }

  const signOut: Methods = {
    POST: (visit) =>
      submitted(visit, CONSOLE_ROOT, (_viewer, secret) =>
        Effect.as(console.signOut(secret), seeOther(SIGN_IN, { "set-cookie": sessionCookie.clear(baseUrl) }))
      )
  }

  const approvals: Methods = {
    GET: (visit) =>
      signedIn(visit, visit.path, (viewer) =>
        Effect.gen(function* () {
          const { workspaceId } = viewer.signedIn.session
          const pending = yield* console.approvals(workspaceId, "pending")
          const closed = yield* console.approvals(workspaceId, "closed")
          return approvalsPage({ viewer, pending, closed, nowMillis: yield* Clock.currentTimeMillis })
        })
      )
  }

  const showApproval = (viewer: Viewer, approvalId: string, notice?: Notice): Page =>
    Effect.gen(function* () {
      const found = yield* console.approval(viewer.signedIn.session.workspaceId, approvalId)
      if (Option.isNone(found)) return missingPage(viewer)
      const nowMillis = yield* Clock.currentTimeMillis
      return approvalPage({ viewer, of: found.value, nowMillis, ...(notice === undefined ? {} : { notice }) })
    })

  const approval = (approvalId: string): Methods => ({
    GET: (visit) => signedIn(visit, visit.path, (viewer) => showApproval(viewer, approvalId))
  })

  const decide = (approvalId: string, decision: "approve" | "decline"): Methods => {
    const path = `/console/approvals/${approvalId}` as const
    return {
      POST: (visit) =>
        submitted(visit, path, (viewer) =>
          Effect.flatMap(
            console.decide(viewer.signedIn, approvalId, decision, visit.form.get("digest") ?? ""),
            Option.match({
              onNone: () => Effect.succeed(missingPage(viewer)),
              onSome: (result) =>
                result === "approved" || result === "declined"
                  ? Effect.succeed(seeOther(path))
                  : showApproval(viewer, approvalId, result)
            })
          )
        )
    }
  }

  const fixed: Readonly<Record<string, Methods>> = {
    [CONSOLE_ROOT]: { GET: () => Effect.succeed(seeOther("/console/approvals")) },
    [STYLE_PATH]: { GET: () => asset("text/css; charset=utf-8", style) },
    [ICON_PATH]: { GET: () => asset("image/svg+xml", icon) },
    [SIGN_IN]: signIn,
    "/console/sign-out": signOut,
    "/console/approvals": approvals
  }

  /** The page at a path, and what the metrics call it. */
  return (path: string): { readonly label: string; readonly methods: Methods } | null => {
    if (Object.hasOwn(fixed, path)) return { label: path.slice(1), methods: fixed[path] ?? {} }
    const [, , section, id = "", action, ...rest] = path.split("/")
    if (section !== "approvals" || !isUuid(id) || rest.length > 0) return null
    if (action === undefined) return { label: "console/approvals/id", methods: approval(id.toLowerCase()) }
    if (action !== "approve" && action !== "decline") return null
    return { label: `console/approvals/id/${action}`, methods: decide(id.toLowerCase(), action) }
  }
}

const notAllowed = (methods: Methods): Reply =>
  messagePage({
    status: 405,
    title: "Not possible",
    text: "This address is not for that. Start again from the list of approvals.",
    headers: {
      allow: methods.GET === undefined ? "POST" : methods.POST === undefined ? "GET, HEAD" : "GET, HEAD, POST"
    }
  })

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i

/** The human side, rendered here, with forms that need no script. */
export const consoleSurface = (services: ConsoleServices): Surface => {
  const find = makePages(services)

  const run = (exchange: Exchange, work: Page): void =>
    exchange.run(
      work.pipe(
        Effect.catchAll((error) =>
          Effect.as(
            Effect.logError("The console could not reach the store.", error),
            messagePage({
              status: 503,
              title: "Not available just now",
              text: "The service cannot reach its database. Nothing was changed unless a page says so. Try again in a moment.",
              headers: { "retry-after": "5" }
            })
          )
        ),
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
        Effect.annotateLogs({ requestId: exchange.requestId })
      )
    )

  const visitOf = (exchange: Exchange, form: URLSearchParams): Visit => ({
    path: exchange.path,
    query: new URLSearchParams(exchange.search),
    form,
    cookies: exchange.header("cookie")
  })

  const submit = (exchange: Exchange, handler: (visit: Visit) => Page, body: Exclude<Body, { _tag: "Gone" }>): void => {
    if (body._tag !== "Complete") {
      return exchange.send(messagePage({ status: 413, title: "Too large", text: "The form is too large." }))
    }
    const origin = exchange.header("origin")
    const headers = { origin, host: exchange.header("host"), fetchSite: exchange.header("sec-fetch-site") }
    if (!isFromOwnPage(services.baseUrl, headers)) return exchange.send(unverified())
    run(exchange, handler(visitOf(exchange, new URLSearchParams(body.bytes.toString("utf8")))))
  }

  const handle = (exchange: Exchange): void => {
    exchange.label = "console"
    const found = find(exchange.path)
    if (found === null) return exchange.send(missingPage(null))
    exchange.label = found.label
    const { GET: get, POST: post } = found.methods
    if (get !== undefined && (exchange.method === "GET" || exchange.method === "HEAD")) {
      return run(
        exchange,
        Effect.suspend(() => get(visitOf(exchange, new URLSearchParams())))
      )
    }
    if (post === undefined || exchange.method !== "POST") return exchange.send(notAllowed(found.methods))
    if (!FORM_TYPE.test(exchange.header("content-type") ?? "")) {
      return exchange.send(messagePage({ status: 415, title: "Not understood", text: "Send the page's own form." }))
    }
    exchange.readBody(LIMITS.formBytesMax, (body) => submit(exchange, post, body))
  }

  return { name: "console", owns: (path) => isUnder(CONSOLE_ROOT, path), handle }
}
