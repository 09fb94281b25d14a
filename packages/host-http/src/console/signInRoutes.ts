import { Effect, Option } from "effect"
import { json } from "../http/Reply.js"
import { seeOther } from "../web/Page.js"
import { SIGN_IN, UNTAKEN, unverified } from "./Access.js"
import type { ConsoleServices } from "./ConsoleServices.js"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie, visitCookie } from "./Session.js"
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
import type { Inside, Page, Route, Visit } from "./Visit.js"

/** The CSRF secret of a sign-in link's form, before there is a session. */
const linkSecret = (token: string): string => `link ${token}`

const tooManyAnswer = json(429, JSON.stringify({ message: TOO_MANY }))

export const signInRoutes = ({ baseUrl, console, crypto, mail, passkeys }: ConsoleServices): ReadonlyArray<Route> => {
  const isMailOn = mail?.isOn === true
  const open = { mail: isMailOn, passkey: passkeys === null ? null : ({ kind: "sign_in" } as const) }

  /** Somebody already signed in confirms with a passkey and stays in their workspace. */
  const waysFor = (visit: Visit): Effect.Effect<Ways, Effect.Effect.Error<ReturnType<typeof console.session>>> =>
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
    {
      access: "member",
      path: "/console/sign-out",
      formOn: "/console",
      post: ({ secret }) => Effect.as(console.signOut(secret), signedOut)
    },
    {
      access: "member",
      path: "/console/sign-out/everywhere",
      formOn: "/console/settings",
      post: ({ by }) => Effect.as(console.signOutEverywhere(by), signedOut)
    }
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
    {
      access: "member",
      path: "/console/confirm/options",
      formOn: "/console",
      post: ({ by, secret }) =>
        Effect.map(passkeys.beginConfirming(by, secret), (found) => json(200, JSON.stringify(found)))
    },
    { access: "member", path: "/console/confirm", formOn: "/console", post: confirm }
  ]
}
