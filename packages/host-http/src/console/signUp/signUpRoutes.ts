import { SIGN_UP } from "@outbound/domain/control/signUp/letters.js"
import { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { Effect, Option } from "effect"
import { csrfToken, isCsrfToken, nextCookie, ownPath, sessionCookie } from "../Session.js"
import { unverified } from "../signInRoutes.js"
import { TOO_MANY } from "../SignInPage.js"
import { maybe, pages } from "../pages.js"
import type { Page, Visit } from "../Visit.js"
import { seeOther } from "../../web/Page.js"
import { askPage, fullWords, madePage, openPage, overPage, refusedPage, sentPage } from "./SignUpPages.js"

/** The CSRF secret of a link's form, before there is a session. */
const linkSecret = (token: string): string => `sign up ${token}`

const FIELDS: Readonly<Record<string, string>> = { email: "This address", name: "The name" }

const NEEDS = { settings: Settings, crypto: Crypto, signUp: maybe(SignUp) }

/** Where people make a workspace of their own. Where sign-up is closed, there is no such page. */
export const signUpPages = pages(NEEDS, ({ crypto, settings: { baseUrl }, signUp }) => {
  if (signUp === null || !signUp.isOpen) return []
  const { isMailOn } = signUp

  const show = (visit: Visit): Page => {
    const token = visit.query.get("token")
    if (token === null) return Effect.succeed(askPage({ isMailOn }))
    return Effect.map(
      signUp.find(token),
      Option.match({
        onNone: overPage,
        onSome: ({ workspaceName }) =>
          openPage({ token, csrf: csrfToken(crypto, linkSecret(token)), name: workspaceName })
      })
    )
  }

  const ask = ({ client, form }: Visit): Page => {
    const [email, name] = [form.get("email") ?? "", form.get("name") ?? ""]
    const again = (status: number, ...problems: ReadonlyArray<string>) =>
      askPage({ isMailOn, status, problems, email, name })
    if (!isMailOn) return Effect.succeed(again(409, "This service sends no mail."))
    return Effect.map(signUp.ask({ email, workspaceName: name }, client), (asked) => {
      if (asked._tag === "Taken") return sentPage()
      if (asked._tag === "TooMany") return again(429, TOO_MANY)
      if (asked._tag === "Full") return again(429, fullWords(asked.because))
      return again(400, ...asked.issues.map(({ message, path }) => `${FIELDS[path] ?? path} ${message}.`))
    })
  }

  const open = (visit: Visit, token: string): Page => {
    if (!isCsrfToken(crypto, linkSecret(token), visit.form.get("csrf") ?? undefined)) {
      return Effect.succeed(unverified())
    }
    const next = ownPath(nextCookie.read(baseUrl, visit.cookies))
    return Effect.map(signUp.open(token), (opened) => {
      if (opened._tag === "Over") return overPage()
      if (opened._tag === "Refused") return refusedPage(opened.because)
      const cookie = sessionCookie.set(baseUrl, opened.sessionSecret)
      if (opened._tag === "SignedIn") return seeOther(next, { "set-cookie": cookie })
      return madePage({ made: opened, baseUrl, next, cookie })
    })
  }

  return [
    {
      access: "open",
      path: SIGN_UP,
      get: show,
      post: (visit) => {
        const token = visit.form.get("token")
        return token === null ? ask(visit) : open(visit, token)
      }
    }
  ]
})
