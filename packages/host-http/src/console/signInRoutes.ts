import { Effect, Option } from "effect"
import { seeOther } from "../web/Page.js"
import { SIGN_IN, unverified } from "./Access.js"
import type { ConsoleServices } from "./Routes.js"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie } from "./Session.js"
import { linkOverPage, signInHelpPage, signInPage } from "./SignInPage.js"
import type { Route } from "./Visit.js"

/** What a link's form is bound to before there is a session: the link itself. */
const linkSecret = (token: string): string => `link ${token}`

export const signInRoutes = ({ baseUrl, console, crypto }: ConsoleServices): ReadonlyArray<Route> => [
  {
    access: "open",
    path: SIGN_IN,
    get: (visit) => {
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
    post: (visit) => {
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
  },
  {
    access: "member",
    path: "/console/sign-out",
    formOn: "/console",
    post: ({ secret }) =>
      Effect.as(console.signOut(secret), seeOther(SIGN_IN, { "set-cookie": sessionCookie.clear(baseUrl) }))
  }
]
