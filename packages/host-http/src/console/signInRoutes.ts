import { PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { type Given, maybe, pages } from "./pages.js"
import { Clock, Effect, Option } from "effect"
import { Console } from "@outbound/domain/control/console/Console.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { json, type Reply } from "../http/Reply.js"
import { seeOther } from "../web/Page.js"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie, visitCookie, zoneCookie } from "./Session.js"
import {
  askedPage,
  FORM_UNTAKEN,
  linkOverPage,
  NO_ADDRESS,
  PASSKEY_REFUSED,
  signInPage,
  TOO_MANY,
  type Ways,
  waysInPage
} from "./SignInPage.js"
import { type Inside, member, type Page, type Route, type Visit } from "./Visit.js"
import { text } from "../http/Pages.js"
import { maySend } from "./roles.js"
import { messagePage } from "./Shell.js"
import type { Viewer } from "./Viewer.js"

export const SIGN_IN = "/console/sign-in"

/** Tells the sign-in page that a form was rejected because its session had ended. */
const UNTAKEN = "form=untaken"

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

/** What leads to the pages for members. */
export const ACCESS = { console: Console, crypto: Crypto, reads: ConsoleReads, settings: Settings }

/**
 * The one way to pages for members. Everyone else signs in first and then returns to the page. A form must carry the
 * CSRF token of its session.
 */
export const makeAccess = ({ console, crypto, reads, settings: { baseUrl } }: Given<typeof ACCESS>) => {
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
        openZone: zoneCookie.openName(baseUrl, visit.cookies),
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
      method === "post" && !isCsrfToken(crypto, of.secret, visit.form.get("csrf") ?? undefined)
        ? Effect.succeed(unverified(ownPath(page)))
        : method === "post" && !maySend(of.by.role, visit.path)
          ? Effect.succeed(notForRole(of.viewer))
          : work(of)
    )
  }
}

const notForRole = (viewer: Viewer): Reply =>
  messagePage({
    status: 403,
    title: "Nothing was changed",
    text: `Your role in this workspace is ${viewer.signedIn.role}, which may not do this. An owner can change it in Settings.`,
    viewer
  })

/** The CSRF secret of a sign-in link's form, before there is a session. */
const linkSecret = (token: string): string => `link ${token}`

const tooManyAnswer = json(429, JSON.stringify({ message: TOO_MANY }))

const NEEDS = {
  settings: Settings,
  console: Console,
  crypto: Crypto,
  mail: maybe(SignInMail),
  passkeys: maybe(PasskeyAccess),
  signUp: maybe(SignUp)
}

export const signInPages = pages(NEEDS, ({ settings: { baseUrl }, console, crypto, mail, passkeys, signUp }) => {
  const isMailOn = mail?.isOn === true
  const open = {
    mail: isMailOn,
    signUp: signUp?.isOpen === true,
    passkey: passkeys === null ? null : ({ kind: "sign_in" } as const)
  }

  /** Somebody already signed in confirms with a passkey and stays in their workspace. */
  const waysFor = (visit: Visit): Effect.Effect<Ways, Effect.Error<ReturnType<typeof console.session>>> =>
    Effect.gen(function* () {
      const secret = sessionCookie.read(baseUrl, visit.cookies)
      if (secret === null || passkeys === null || Option.isNone(yield* console.session(secret))) return open
      return { ...open, passkey: { kind: "confirm", csrf: csrfToken(crypto, secret) } }
    })

  const waysIn = (visit: Visit): Page => {
    const asked = visit.query.get("next")
    const headers: Record<string, string> =
      asked === null ? {} : { "set-cookie": nextCookie.set(baseUrl, ownPath(asked)) }
    const next = ownPath(asked ?? nextCookie.read(baseUrl, visit.cookies))
    const untaken = UNTAKEN === `form=${visit.query.get("form")}` ? { problem: FORM_UNTAKEN } : {}
    return Effect.map(waysFor(visit), (ways) => waysInPage({ ways, next, headers, ...untaken }))
  }

  const withLink = (visit: Visit, token: string): Page => {
    const next = ownPath(visit.query.get("next") ?? nextCookie.read(baseUrl, visit.cookies))
    return Effect.map(console.isLinkOpen(token), (isOpen) =>
      isOpen ? signInPage({ token, csrf: csrfToken(crypto, linkSecret(token)), next }) : linkOverPage(isMailOn)
    )
  }

  const spend = (visit: Visit): Page => {
    const token = visit.form.get("token") ?? ""
    if (!isCsrfToken(crypto, linkSecret(token), visit.form.get("csrf") ?? undefined)) {
      return Effect.succeed(unverified())
    }
    return Effect.map(
      console.signIn(token),
      Option.match({
        onNone: () => linkOverPage(isMailOn),
        onSome: ({ secret }) =>
          seeOther(ownPath(visit.form.get("next")), { "set-cookie": sessionCookie.set(baseUrl, secret) })
      })
    )
  }

  const signedOut = seeOther(SIGN_IN, { "set-cookie": sessionCookie.clear(baseUrl) })

  const signIn: ReadonlyArray<Route> = [
    {
      access: "open",
      path: SIGN_IN,
      get: (visit) => {
        const token = visit.query.get("token")
        return token === null ? waysIn(visit) : withLink(visit, token)
      },
      post: spend
    },
    member("/console/sign-out", {
      formOn: "/console",
      post: ({ secret }) => Effect.as(console.signOut(secret), signedOut)
    }),
    member("/console/sign-out/everywhere", {
      formOn: "/console/settings",
      post: ({ by }) => Effect.as(console.signOutEverywhere(by), signedOut)
    })
  ]

  const byMail: ReadonlyArray<Route> =
    mail === null || !mail.isOn
      ? []
      : [
          {
            access: "open",
            path: `${SIGN_IN}/mail`,
            get: () => Effect.succeed(seeOther(SIGN_IN)),
            post: (visit) =>
              Effect.gen(function* () {
                const email = visit.form.get("email") ?? ""
                const result = yield* mail.ask(email, visit.client)
                if (result === "taken") return askedPage()
                const next = ownPath(nextCookie.read(baseUrl, visit.cookies))
                return result === "too_many"
                  ? waysInPage({ status: 429, ways: yield* waysFor(visit), next, problem: TOO_MANY, email })
                  : waysInPage({ status: 400, ways: yield* waysFor(visit), next, problem: NO_ADDRESS, email })
              })
          }
        ]

  if (passkeys === null) return [...signIn, ...byMail]

  const refused = (visit: Visit): Page =>
    Effect.map(waysFor(visit), (ways) =>
      waysInPage({ status: 403, ways, next: ownPath(visit.form.get("next")), problem: PASSKEY_REFUSED })
    )

  const entered = (visit: Visit, secret: string) =>
    seeOther(ownPath(visit.form.get("next")), { "set-cookie": sessionCookie.set(baseUrl, secret) })

  const options = (visit: Visit): Page =>
    Effect.gen(function* () {
      const visitSecret = crypto.randomToken()
      const found = yield* passkeys.beginSignIn(visitSecret, visit.client)
      if (Option.isNone(found)) return tooManyAnswer
      return json(200, JSON.stringify(found.value), { "set-cookie": visitCookie.set(baseUrl, visitSecret) })
    })

  const byPasskey = (visit: Visit): Page =>
    Effect.gen(function* () {
      const visitSecret = visitCookie.read(baseUrl, visit.cookies)
      if (visitSecret === null) return yield* refused(visit)
      const began = yield* passkeys.signIn(visitSecret, visit.form.get("answer") ?? "")
      return Option.isNone(began) ? yield* refused(visit) : entered(visit, began.value.secret)
    })

  const confirm = (visit: Inside): Page =>
    Effect.flatMap(passkeys.confirm(visit.by, visit.secret, visit.form.get("answer") ?? ""), (began) =>
      Option.isNone(began) ? refused(visit) : Effect.succeed(entered(visit, began.value.secret))
    )

  return [
    ...signIn,
    ...byMail,
    { access: "open", path: `${SIGN_IN}/passkey/options`, post: options },
    { access: "open", path: `${SIGN_IN}/passkey`, get: () => Effect.succeed(seeOther(SIGN_IN)), post: byPasskey },
    member("/console/confirm/options", {
      formOn: "/console",
      post: ({ by, secret }) =>
        Effect.map(passkeys.beginConfirming(by, secret), (found) => json(200, JSON.stringify(found)))
    }),
    member("/console/confirm", { formOn: "/console", post: confirm })
  ]
})
