import type { Issue } from "@outbound/domain/errors/Wire.js"
import type { MailboxConnection } from "@outbound/domain/sending/MailboxAdmin.js"
import { serverOf } from "@outbound/domain/sending/connection.js"
import type { MailAuth, MailServer } from "@outbound/domain/ports/MailTransport.js"
import { Either, Redacted } from "effect"
import type { Typed } from "../control/fields.js"

const EXAMPLES = {
  smtp: "smtps://host:465 or smtp+starttls://host:587",
  imap: "imaps://host:993 or imap+starttls://host:143"
} as const

const text = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim()

const server = (form: URLSearchParams, name: keyof typeof EXAMPLES): Typed<MailServer> => {
  const given = serverOf(name, text(form, name))
  return given === null ? Either.left([{ path: name, message: `must be ${EXAMPLES[name]}` }]) : Either.right(given)
}

const auth = (form: URLSearchParams): Typed<MailAuth> => {
  const given = form.get("auth")
  return given === "password" || given === "xoauth2"
    ? Either.right(given)
    : Either.left([{ path: "auth", message: "must be a password or an access token" }])
}

const mistakes = (given: Typed<unknown>): ReadonlyArray<Issue> => (Either.isLeft(given) ? given.left : [])

/** A mailbox as its form describes it; what it holds is judged where it is added. */
export const connectionOf = (form: URLSearchParams): Typed<MailboxConnection> => {
  const typed = { smtp: server(form, "smtp"), imap: server(form, "imap"), auth: auth(form) }
  const issues = [...mistakes(typed.smtp), ...mistakes(typed.imap), ...mistakes(typed.auth)]
  if (issues.length > 0) return Either.left(issues)
  const address = text(form, "address")
  const username = text(form, "username")
  return Either.map(Either.all(typed), (servers) => ({
    ...servers,
    address,
    displayName: text(form, "name"),
    username: username === "" ? address : username,
    secret: Redacted.make(form.get("secret") ?? ""),
    dkimSelectors: text(form, "dkim_selectors")
      .split(/[\s,]+/)
      .filter((one) => one !== "")
  }))
}
