import type { Console } from "@outbound/domain/control/console/Console.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, type Context, Effect, Option } from "effect"
import { text } from "../http/Pages.js"
import type { Reply } from "../http/Reply.js"
import { seeOther } from "../web/Page.js"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie, zoneCookie } from "./Session.js"
import { messagePage } from "./Shell.js"
import type { Inside, Page, Route, Visit } from "./Visit.js"

export const SIGN_IN = "/console/sign-in"

/** Tells the sign-in page that a form was rejected because its session had ended. */
export const UNTAKEN = "form=untaken"

/** `path`: the page of the form, if known. */
export const unverified = (path?: string): Reply =>
  messagePage({
    status: 403,
    title: "This form has expired",
    text: "The form did not come from a current page of this console, so nothing was changed. Open the page again and resend the form.",
    ...(path === undefined ? {} : { to: { path, text: "Open the page again" } })
  })

/** Where to return after signing in: the page itself, or the page of the form. */
const pageOf = (route: Extract<Route, { readonly access: "member" }>, method: "get" | "post", visit: Visit): string => {
  if (route.formOn !== undefined && method === "post") return route.formOn.replace(":id", visit.id)
  return route.get === undefined ? visit.path.slice(0, visit.path.lastIndexOf("/")) : visit.path
}

/**
 * The one way to pages for members. Everyone else signs in first and then returns to the page. A form must carry the
 * CSRF token of its session.
 */
export const makeAccess = (options: {
  readonly console: Context.Tag.Service<typeof Console>
  readonly reads: Context.Tag.Service<typeof ConsoleReads>
  readonly crypto: Context.Tag.Service<typeof Crypto>
  readonly baseUrl: string
}) => {
  const { baseUrl, console, crypto, reads } = options

  const toSignIn = (next: string, method: "get" | "post"): Reply => {
    const path = ownPath(next)
    const untaken = method === "post" ? `&${UNTAKEN}` : ""
    return seeOther(`${SIGN_IN}?next=${encodeURIComponent(path)}${untaken}`, {
      "set-cookie": nextCookie.set(baseUrl, path)
    })
  }

  const inside = (visit: Visit, outside: () => Reply, use: (inside: Inside) => Page): Page =>
    Effect.gen(function* () {
      const secret = sessionCookie.read(baseUrl, visit.cookies)
      if (secret === null) return outside()
      const session = yield* console.session(secret)
      if (Option.isNone(session)) return outside()
      const by = session.value
      const { workspaceId } = by.session
      const nowMillis = yield* Clock.currentTimeMillis
      const standing = yield* reads.standing(workspaceId, nowMillis)
      const viewer = {
        signedIn: by,
        csrf: csrfToken(crypto, secret),
        standing,
        zone: zoneCookie.read(baseUrl, visit.cookies),
        nowMillis
      }
      return yield* use({ ...visit, viewer, by, workspaceId, secret, nowMillis })
    })

  /** Runs a route; for a form, only after its CSRF token is checked. */
  return (route: Route, method: "get" | "post", visit: Visit): Page | undefined => {
    if (route.access === "open") return route[method]?.(visit)
    const work = route[method]
    if (work === undefined) return undefined
    const page = pageOf(route, method, visit)
    const outside = () => (route.isForScripts === true ? text(401, "Sign in first.\n") : toSignIn(page, method))
    return inside(visit, outside, (of) =>
      method === "get" || isCsrfToken(crypto, of.secret, visit.form.get("csrf") ?? undefined)
        ? work(of)
        : Effect.succeed(unverified(ownPath(page)))
    )
  }
}
