import type { Console } from "@outbound/domain/control/console/Console.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, type Context, Effect, Option } from "effect"
import type { Reply } from "../http/Reply.js"
import { seeOther } from "../web/Page.js"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie } from "./Session.js"
import { messagePage } from "./Shell.js"
import type { Inside, Page, Route, Visit } from "./Visit.js"

export const SIGN_IN = "/console/sign-in"

/** Says to the sign-in page that a form was not taken, since its session was over. */
export const UNTAKEN = "form=untaken"

/** `path`: the page that the form should have come from, where that is known. */
export const unverified = (path?: string): Reply =>
  messagePage({
    status: 403,
    title: "Not done",
    text: "This form did not come from a page of this console that is still good: nothing was changed. Open the page again, and repeat it there.",
    ...(path === undefined ? {} : { to: { path, text: "Open the page again" } })
  })

/** Where to go back to after signing in: the page itself, or the one on which its form stands. */
const pageOf = (route: Extract<Route, { readonly access: "member" }>, method: "get" | "post", visit: Visit): string => {
  if (route.formOn !== undefined && method === "post") return route.formOn.replace(":id", visit.id)
  return route.get === undefined ? visit.path.slice(0, visit.path.lastIndexOf("/")) : visit.path
}

/**
 * The one door to what only members see: everyone else is asked to sign in, and brought back. A form counts only with
 * the token of the session that it is sent with.
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

  const inside = (visit: Visit, next: string, method: "get" | "post", use: (inside: Inside) => Page): Page =>
    Effect.gen(function* () {
      const secret = sessionCookie.read(baseUrl, visit.cookies)
      if (secret === null) return toSignIn(next, method)
      const session = yield* console.session(secret)
      if (Option.isNone(session)) return toSignIn(next, method)
      const by = session.value
      const { workspaceId } = by.session
      const nowMillis = yield* Clock.currentTimeMillis
      const standing = yield* reads.standing(workspaceId, nowMillis)
      const viewer = { signedIn: by, csrf: csrfToken(crypto, secret), standing }
      return yield* use({ ...visit, viewer, by, workspaceId, secret, nowMillis })
    })

  /** A route's page, or its form's work once the form is known to be the session's. */
  return (route: Route, method: "get" | "post", visit: Visit): Page | undefined => {
    if (route.access === "open") return route[method]?.(visit)
    const work = route[method]
    if (work === undefined) return undefined
    const page = pageOf(route, method, visit)
    return inside(visit, page, method, (of) =>
      method === "get" || isCsrfToken(crypto, of.secret, visit.form.get("csrf") ?? undefined)
        ? work(of)
        : Effect.succeed(unverified(ownPath(page)))
    )
  }
}
