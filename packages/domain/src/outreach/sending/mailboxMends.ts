import type { ProbeReport } from "../mail/MailProbe.js"
import type { MailboxConnection } from "./MailboxAdmin.js"

/** What to do about a mailbox that can't be reached or signed in to, by what its servers said. Pure. */

type Side = "smtp" | "imap"
type Connected = Pick<MailboxConnection, "auth" | "imap" | "smtp">

/** A cause by what the server or the network said, and how to mend it. The first that matches counts. */
type Mend = readonly [says: RegExp, mend: (of: Connected, side: Side) => string]

const GOOGLE = /(?:^|\.)(?:gmail|googlemail)\.com$/i
const MICROSOFT = /(?:^|\.)(?:office365|outlook)\.com$/i
/** Providers that take only passwords made for programs. */
const APP_PASSWORDS = /(?:^|\.)(?:yahoo\.\w+|mail\.me\.com|aol\.com|fastmail\.com|zoho\.\w+|yandex\.\w+)$/i

/** Ports on which servers speak TLS from the start. */
const TLS_PORTS: ReadonlyArray<number> = [465, 993]

const MENDS: ReadonlyArray<Mend> = [
  [
    /application-specific password|app password|InvalidSecondFactor/i,
    () =>
      "This account needs an app password: switch on 2-step verification, create an app password, and enter that in place of the account's own. Or connect the mailbox by the provider's button, if the console shows one."
  ],
  [
    /SmtpClientAuthentication is disabled|SMTP_?AUTH.{0,20}disabled/i,
    () =>
      "Authenticated SMTP is switched off. In the Microsoft 365 admin centre, an administrator opens the user, Mail, “Manage email apps”, and ticks “Authenticated SMTP”. It takes effect within an hour."
  ],
  [
    /basic ?auth\w* is disabled|5\.7\.139/i,
    () =>
      "This provider takes no passwords from programs. Connect the mailbox by the provider's button, or with a refresh token."
  ],
  [
    /not enabled for IMAP|enable IMAP|IMAP (?:access )?(?:is )?(?:disabled|not enabled|turned off)/i,
    () =>
      "IMAP is switched off for this mailbox. Switch it on in the mailbox's settings (“Forwarding and POP/IMAP” or similar), or ask the administrator to allow it."
  ],
  [
    /authenticated but not connected/i,
    () =>
      "The server knows the account, but opens no mailbox for it. IMAP is switched off for the mailbox, it has no licence, or the consent was given with another account: sign in as the mailbox itself."
  ],
  [
    /web browser|WEBALERT|web login required/i,
    () =>
      "The provider blocked this sign-in as unusual. Sign in to the mailbox in a browser, confirm that it was you, and try again within ten minutes."
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EDNS|getaddrinfo|queryA/i,
    (of, side) =>
      `No server is known by the name ${of[side].host}. Correct the name of the ${side.toUpperCase()} server.`
  ],
  [
    /wrong version number|packet length too long|ssl3_get_record|SSL routines|EPROTO/i,
    (of, side) =>
      of[side].security === "tls"
        ? `The server does not speak TLS from the start on port ${of[side].port}. Use ${side}+starttls://${of[side].host}:${side === "smtp" ? 587 : 143}.`
        : `The server wants TLS from the start. Use ${side}s://${of[side].host}:${side === "smtp" ? 465 : 993}.`
  ],
  [
    /ECONNREFUSED/i,
    (of, side) =>
      `Nothing answers on port ${of[side].port} of ${of[side].host}. Usual ports: ${side === "smtp" ? "465 for smtps, 587 for smtp+starttls" : "993 for imaps, 143 for imap+starttls"}.`
  ],
  [
    /ETIMEDOUT|timed? ?out|no answer in time|EHOSTUNREACH|ENETUNREACH|greeting never received/i,
    (of, side) =>
      side === "smtp" && of.smtp.port === 25
        ? "Most networks block port 25. Use smtps on 465 or smtp+starttls on 587."
        : of[side].security === "starttls" && TLS_PORTS.includes(of[side].port)
          ? // Such a server waits for TLS, and we for its greeting.
            `Port ${of[side].port} speaks TLS from the start. Use ${side}s://${of[side].host}:${of[side].port}.`
          : `Port ${of[side].port} of ${of[side].host} did not answer. A firewall between this service and the server may block it: the operator allows outgoing connections to it, or you use another port.`
  ],
  [
    /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/i,
    (of, side) =>
      `The certificate does not prove that the server is ${of[side].host}. Use the name that the certificate has. If the authority is your own, the operator names it in OUTBOUND_MAIL_CA.`
  ],
  [
    /too many|maximum number|try again later|\[?LIMIT\]?|INUSE/i,
    () =>
      "The server allows no more sign-ins for now. Close other programs that use the mailbox, and try again in ten minutes."
  ]
]

const isRefused = (says: string): boolean =>
  /refuses this user name and secret|authenticat\w* (?:failed|unsuccessful)|AUTHENTICATIONFAILED|invalid credentials|LOGIN failed|\b5(?:34|35)\b/i.test(
    says
  )

/** The secret was refused and the server does not say why. */
const ofRefusal = (of: Connected, side: Side): string => {
  const { host } = of[side]
  if (of.auth !== "password") {
    return "The server refuses the access that was given. Consent again, signed in as the mailbox itself, and allow sending and reading."
  }
  if (GOOGLE.test(host)) {
    return "Google takes no account passwords from programs. Switch on 2-step verification and use an app password (16 letters), or connect the mailbox by the button, if the console shows one."
  }
  if (MICROSOFT.test(host)) {
    return "Microsoft takes no passwords from programs. Connect the mailbox by the button, if the console shows one, or with a refresh token."
  }
  return APP_PASSWORDS.test(host)
    ? "This provider wants an app password for programs. Create one in the account's security settings, and enter it in place of the account's own."
    : "The user name or password is wrong. Some servers want the whole address as the user name, others only the part before the @, and some an app password."
}

/** How to mend what this side said; null: we do not know it. */
export const mendOf = (side: Side, says: string, of: Connected): string | null => {
  const known = MENDS.find(([pattern]) => pattern.test(says))
  if (known !== undefined) return known[1](of, side)
  return isRefused(says) ? ofRefusal(of, side) : null
}

/** How to mend what a test of a mailbox found, each once. */
export const mendsOf = (probe: ProbeReport, of: Connected): ReadonlyArray<string> => {
  const tried = [
    ["smtp", probe.smtpLogin],
    ["imap", probe.imapLogin],
    ["smtp", probe.send],
    ["imap", probe.read]
  ] as const
  return [
    ...new Set(
      tried
        .flatMap(([side, step]) => ("says" in step ? [mendOf(side, step.says, of)] : []))
        .filter((text) => text !== null)
    )
  ]
}
