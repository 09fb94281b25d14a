import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { OutgoingMessage } from "../../sources/ports/SendingProvider.js"

/** From the first byte, after an upgrade without which nothing is said, or not at all (loopback hosts only). */
export const MAIL_SECURITIES = ["tls", "starttls", "none"] as const
export type MailSecurity = (typeof MAIL_SECURITIES)[number]

/**
 * A password; an OAuth 2 access token by SASL XOAUTH2; or the same with what such tokens are renewed by (`MailGrant`), so
 * that the service has a fresh one each time.
 */
export const MAIL_AUTHS = ["password", "xoauth2", "oauth"] as const
export type MailAuth = (typeof MAIL_AUTHS)[number]

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
}

/** How an own mailbox is reached, its secret opened. It lives no longer than the session it is for. */
export interface MailAccount {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly address: string
  readonly displayName: string
  readonly smtp: MailServer
  readonly imap: MailServer
  readonly username: string
  readonly auth: MailAuth
  /** The password, the access token, or the grant as it is kept (`grantSecret`). */
  readonly secret: Redacted.Redacted
  /** The folder of sent mail, as the server names it; null where none was found. */
  readonly sentFolder: string | null
  /** Whether the server puts what is submitted into that folder by itself. */
  readonly keepsSent: boolean
  /** Whether a message arrives under the `Message-ID` that it was submitted with. */
  readonly keepsMessageIds: boolean
}

/** A message for an own mailbox to send: plain text always, HTML beside it where it is given. */
export interface OutgoingMail extends Pick<
  OutgoingMessage,
  "messageId" | "from" | "to" | "subject" | "text" | "references"
> {
  readonly html: string | null
  /** Named in `List-Unsubscribe`, one-click (RFC 8058). Null: an answer to a person, who is on no list. */
  readonly unsubscribeUrl: string | null
}

/** Where in its session a server said no. */
export type SmtpPhase = "connection" | "tls" | "login" | "sender" | "recipient" | "content"

/** What a server answered: the `cause` of a `ProviderFailure` of `SmtpSession.send`. */
export interface SmtpAnswer {
  readonly _tag: "SmtpAnswer"
  readonly phase: SmtpPhase
  /** The reply code; null where the server said nothing that is one. */
  readonly code: number | null
  /** The enhanced status code (RFC 3463), like `5.1.1`; null where it gave none. */
  readonly status: string | null
  /** The server's words, bounded. Third-party text. */
  readonly text: string
}

/** The answer behind a failure, where there was one. */
export const smtpAnswerOf = ({ cause }: ProviderFailure): SmtpAnswer | null =>
  typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "SmtpAnswer"
    ? (cause as SmtpAnswer)
    : null

/** An authenticated connection to the mailbox's server. Messages go through it one after the other. */
export interface SmtpSession {
  /**
   * Sends one message, if `claim` lets it. The claim is asked once, as late as can be: when the server has accepted
   * sender and recipient and waits for the content. False, or its failure: the connection is dropped before the
   * content is complete, so that nothing is sent. True: the content goes, and the claim is spent.
   *
   * Failures, with what the server answered as their cause (`smtpAnswerOf`):
   * - `invalid`: it refuses this message or recipient for good (5xx); nothing left.
   * - `account`: it minds the mailbox and not the recipient: it does not let it in, refuses it as a sender (5.1.7,
   *   5.1.8), or its policy refuses what it sends (5.7.x), or its certificate is not to be trusted; nothing left.
   * - `rate_limited`, `transient`: not now (4xx, enough for the day, unreachable, silent before the content began);
   *   nothing left.
   * - `unknown_outcome`: the connection was lost, or silent, when the content had begun to go. Never sent again.
   *
   * After a lost or dropped connection the next message opens another.
   */
  readonly send: <E, R>(
    message: OutgoingMail,
    claim: Effect.Effect<boolean, E, R>
  ) => Effect.Effect<"sent" | "withdrawn", ProviderFailure | E, R>
}

/** Sends from own mailboxes, by SMTP submission (RFC 6409). */
export class MailTransport extends Context.Tag("@outbound/domain/outreach/mail/MailTransport")<
  MailTransport,
  {
    /**
     * Connects and signs in; the connection closes with the scope. Where the server keeps no copy of what is sent, one
     * is put into the sent folder after each message, as far as that can be done.
     */
    readonly session: (account: MailAccount) => Effect.Effect<SmtpSession, ProviderFailure, Scope.Scope>
  }
>() {}
