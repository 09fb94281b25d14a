/** Classifies a server's answer, or its silence, as a failure of the message. */
import type { SmtpAnswer, SmtpPhase } from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { isRecipientsOwn } from "@outbound/domain/outreach/sending/refusals.js"

/** The provider name in failures. */
export const SMTP = "smtp"

/** Large providers' answer when a mailbox has reached its daily quota, and the pause that follows. */
const QUOTA_STATUS = "5.4.5"
const QUOTA_SECONDS = 3 * 60 * 60

const TEXT_CHARS_MAX = 500

/** An error as the SMTP client reports it. */
export interface SmtpError {
  readonly message: string
  readonly code?: string | undefined
  readonly originalCode?: string | undefined
  readonly command?: string | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
}

export interface SmtpTrouble {
  readonly error: SmtpError
  /** The phase that the session had reached. */
  readonly phase: SmtpPhase
  /** Whether any content had been written to the connection. */
  readonly contentBegun: boolean
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ISSUER|CRL|ALTNAME|HOSTNAME_MISMATCH/
const STATUS = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/

const isCertificate = ({ code, originalCode }: SmtpError): boolean =>
  CERTIFICATE.test(`${code ?? ""} ${originalCode ?? ""}`)

const phaseOf = ({ error, phase }: SmtpTrouble): SmtpPhase => {
  const { code, command = "" } = error
  if (code === "ETLS" || command === "STARTTLS" || isCertificate(error)) return "tls"
  if (command.startsWith("AUTH")) return "login"
  if (command === "MAIL FROM") return "sender"
  if (command === "RCPT TO") return "recipient"
  return command === "DATA" ? "content" : phase
}

const printable = (text: string): string =>
  text
    .replace(/[^\P{C}]+/gu, " ")
    .trim()
    .slice(0, TEXT_CHARS_MAX)

const answerOf = (trouble: SmtpTrouble): SmtpAnswer => {
  const { message, response, responseCode } = trouble.error
  return {
    _tag: "SmtpAnswer",
    phase: phaseOf(trouble),
    code: responseCode ?? null,
    status: STATUS.exec(response ?? "")?.[1] ?? null,
    text: printable(response ?? message)
  }
}

/** Our client refused before sending anything, because of the server's capabilities or the message itself. */
const isOurRefusal = ({ code, command, responseCode }: SmtpError): boolean =>
  responseCode === undefined && (code === "EMESSAGE" || (code === "EENVELOPE" && command === "API"))

/** The server refuses the mailbox, not the recipient. */
const isAgainstSender = ({ code, phase, status }: SmtpAnswer): boolean => {
  if (phase === "connection" || phase === "tls" || phase === "login") return true
  if (code === 530 || code === 534 || code === 535 || code === 538) return true
  if (status === null) return phase === "sender" && code !== 552 && code !== 555
  if (phase !== "sender" && isRecipientsOwn(status)) return false
  // Sender's address (5.1.7, 5.1.8) and policy; otherwise everything except the message itself (5.2.3, 5.3.4, 5.6.x).
  if (status === "5.1.7" || status === "5.1.8" || status.startsWith("5.7.")) return true
  return phase === "sender" && !/^5\.(?:2\.3|3\.4|6\.)/.test(status)
}

const reasonOf = (trouble: SmtpTrouble, answer: SmtpAnswer): ProviderFailureReason => {
  const { contentBegun, error } = trouble
  const { code, phase, status } = answer
  const isNo = code !== null && code >= 400 && code <= 599
  // A negative reply ends the transaction (RFC 5321 4.2.1): the command it answers had no effect.
  if (contentBegun && !(isNo && (error.code === "EMESSAGE" || error.code === "ECONNECTION"))) return "unknown_outcome"
  if (code === null) {
    if (isOurRefusal(error)) return "invalid"
    return isCertificate(error) || error.code === "EAUTH" ? "account" : "transient"
  }
  if (code < 400) return phase === "login" ? "account" : "transient"
  if (code < 500) return status?.startsWith("4.7.") === true ? "rate_limited" : "transient"
  if (status === QUOTA_STATUS) return "rate_limited"
  // The session is out of step; the server didn't look at the message.
  if (code === 503 && phase !== "login") return "transient"
  return isAgainstSender(answer) ? "account" : "invalid"
}

/** A failure with the server's answer as its cause. */
export const smtpFailure = (trouble: SmtpTrouble): ProviderFailure => {
  const answer = answerOf(trouble)
  const reason = reasonOf(trouble, answer)
  return new ProviderFailure({
    provider: SMTP,
    reason,
    cause: answer,
    ...(reason === "rate_limited" && answer.status === QUOTA_STATUS ? { retryAfterSeconds: QUOTA_SECONDS } : {}),
    ...(reason === "invalid" ? { said: answer.text } : {})
  })
}
