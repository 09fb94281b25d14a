import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { OutgoingMessage } from "../../sources/ports/SendingProvider.js"
import type { MailMark } from "./mailMark.js"

/**
 * `tls`: from the first byte. `starttls`: after an upgrade, before anything else is sent. `none`: loopback hosts only.
 */
export const MAIL_SECURITIES = ["tls", "starttls", "none"] as const
export type MailSecurity = (typeof MAIL_SECURITIES)[number]

/**
 * `password`; `xoauth2`: an OAuth 2 access token by SASL XOAUTH2; `oauth`: the same, with a grant (`MailGrant`) that
 * renews the tokens.
 */
export const MAIL_AUTHS = ["password", "xoauth2", "oauth"] as const
export type MailAuth = (typeof MAIL_AUTHS)[number]

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
}

/** An own mailbox's servers with its opened secret. Keep it no longer than the session it is for. */
export interface MailAccount {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly address: string
  /** The sender's name beside the address. */
  readonly displayName: string
  readonly smtp: MailServer
  readonly imap: MailServer
  readonly username: string
  readonly auth: MailAuth
  /** The password, the access token, or the stored grant (`grantSecret`). */
  readonly secret: Redacted.Redacted
  /** The server's name of the folder of sent mail; null: none was found. */
  readonly sentFolder: string | null
  /** Whether the server itself stores submitted messages in that folder. */
  readonly keepsSent: boolean
  /** Whether messages keep the `Message-ID` they were submitted with. */
  readonly keepsMessageIds: boolean
  /** A server of the sandbox: it locks nobody out, so its logins are not counted. */
  readonly isSandbox?: true
}

/** A message for an own mailbox to send: always plain text, with HTML if given. */
export interface OutgoingMail extends Pick<
  OutgoingMessage,
  "messageId" | "from" | "to" | "subject" | "text" | "references"
> {
  /** Null: nobody reports on it. */
  readonly mark: MailMark | null
  readonly html: string | null
  /** For `List-Unsubscribe`, one-click (RFC 8058). Null: a reply to a person, who is on no list. */
  readonly unsubscribeUrl: string | null
}

/** The phase of a session in which the server refused. */
export type SmtpPhase = "connection" | "tls" | "login" | "sender" | "recipient" | "content"

/** A server's answer, the `cause` of a `ProviderFailure` of `SmtpSession.send`. */
export interface SmtpAnswer {
  readonly _tag: "SmtpAnswer"
  readonly phase: SmtpPhase
  /** The reply code; null: the server sent no valid one. */
  readonly code: number | null
  /** The enhanced status code (RFC 3463), like `5.1.1`; null: none. */
  readonly status: string | null
  /** The server's text, truncated. Third-party text. */
  readonly text: string
}

/** The server's answer behind a failure, if any. */
export const smtpAnswerOf = ({ cause }: ProviderFailure): SmtpAnswer | null =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "SmtpAnswer"
    ? (cause as SmtpAnswer)
    : null

/** An authenticated connection to the mailbox's server. It sends one message at a time. */
export interface SmtpSession {
  /**
   * Sends one message if `claim` allows it. The claim runs once, as late as possible: when the server has accepted
   * sender and recipient and waits for the content. If it returns false or fails, the connection is dropped before the
   * content is complete, so nothing is sent. If it returns true, the content is sent and the claim is spent.
   *
   * Failures, with the server's answer as their cause (`smtpAnswerOf`):
   *
   * - `invalid`: the server refuses this message or recipient permanently (5xx); nothing was sent.
   * - `account`: the server refuses the mailbox, not the recipient: its sign-in, its address as a sender (5.1.7,
   *   5.1.8), or its mail by policy (5.7.x); or its certificate is not trusted. Nothing was sent. A recipient's own
   *   restriction (`isRecipientsOwn`) is `invalid`.
   * - `rate_limited`, `transient`: not now (4xx, daily quota, unreachable, silent before the content began); nothing
   *   was sent.
   * - `unknown_outcome`: the connection was lost or silent after the content had begun. Never resend.
   *
   * After a lost or dropped connection the next message opens another.
   */
  readonly send: <E, R>(
    message: OutgoingMail,
    claim: Effect.Effect<boolean, E, R>
  ) => Effect.Effect<"sent" | "withdrawn", ProviderFailure | E, R>
}

/** Sends from own mailboxes by SMTP submission (RFC 6409). */
export class MailTransport extends Context.Service<
  MailTransport,
  {
    /**
     * Connects and signs in; the connection closes with the scope. If the server stores no copies of sent messages, we
     * try to add one to the sent folder after each message.
     */
    readonly session: (account: MailAccount) => Effect.Effect<SmtpSession, ProviderFailure, Scope.Scope>
  }
>()("@outbound/domain/outreach/mail/MailTransport") {}
