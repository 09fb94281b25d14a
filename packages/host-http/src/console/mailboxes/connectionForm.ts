import type { MailboxConnection } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { serverOf } from "@outbound/domain/outreach/sending/connection.js"
import { grantPlace, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Either, Redacted } from "effect"
import { allOf, type Typed } from "../control/fields.js"

const EXAMPLES = {
  smtp: "smtps://host:465 or smtp+starttls://host:587",
  imap: "imaps://host:993 or imap+starttls://host:143"
} as const

const text = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim()

const server = (form: URLSearchParams, name: keyof typeof EXAMPLES): Typed<MailServer> => {
  const given = serverOf(name, text(form, name))
  return given === null ? Either.left([{ path: name, message: `must be ${EXAMPLES[name]}` }]) : Either.right(given)
}

type SignIn = Pick<MailboxConnection, "auth" | "secret">

/** With a refresh token: at Google, at Microsoft, or wherever its address says. */
const grant = (form: URLSearchParams, provider: "google" | "microsoft" | null): Typed<SignIn> => {
  const tokenUrl = text(form, "token_url")
  const place = grantPlace(provider, tokenUrl === "" ? null : tokenUrl)
  if (place === null) return Either.left([{ path: "token-url", message: "is missing" }])
  const clientSecret = form.get("client_secret") ?? ""
  return Either.right({
    auth: "oauth",
    secret: grantSecret({
      ...place,
      clientId: text(form, "client_id"),
      clientSecret: clientSecret === "" ? null : Redacted.make(clientSecret),
      refreshToken: Redacted.make(form.get("secret") ?? "")
    })
  })
}

const signIn = (form: URLSearchParams): Typed<SignIn> => {
  const given = form.get("auth")
  switch (given) {
    case "password":
    case "xoauth2":
      return Either.right({ auth: given, secret: Redacted.make(form.get("secret") ?? "") })
    case "google":
    case "microsoft":
      return grant(form, given)
    case "oauth":
      return grant(form, null)
    default:
      return Either.left([{ path: "auth", message: "must be a password, a refresh token or an access token" }])
  }
}

/** A mailbox as its form describes it; what it holds is judged where it is added. */
export const connectionOf = (form: URLSearchParams): Typed<MailboxConnection> => {
  const typed = allOf({ smtp: server(form, "smtp"), imap: server(form, "imap"), signIn: signIn(form) })
  const address = text(form, "address")
  const username = text(form, "username")
  return Either.map(typed, ({ signIn, ...servers }) => ({
    ...servers,
    ...signIn,
    address,
    displayName: text(form, "name"),
    username: username === "" ? address : username,
    dkimSelectors: text(form, "dkim_selectors")
      .split(/[\s,]+/)
      .filter((one) => one !== "")
  }))
}
