import { Context, type Effect, type Redacted } from "effect"
import type { MailAccount } from "./MailTransport.js"

/** One step of the probe: it worked, failed (with an explanation that includes the server's text), or was not tried. */
export type ProbeStep =
  | { readonly state: "ok" }
  | { readonly state: "failed"; readonly says: string }
  | { readonly state: "not_tried" }

/** A DKIM signature that mail of a mailbox carried. */
export interface SeenSignature {
  /** The domain that signed (`d=`). */
  readonly signer: string
  readonly selector: string
}

export interface ProbeReport {
  /** Signing in to send and to read. Both are tried, even if one fails. */
  readonly smtpLogin: ProbeStep
  readonly imapLogin: ProbeStep
  /** A message from the mailbox to itself: whether the server accepted it, and whether it arrived in time. */
  readonly send: ProbeStep
  readonly read: ProbeStep
  /** The message arrived in the junk folder. */
  readonly isJunk: boolean
  /** The folder of sent mail, and whether the server stores submitted messages there. */
  readonly sentFolder: string | null
  readonly keepsSent: boolean
  /** Whether messages keep the `Message-ID` they were submitted with. */
  readonly keepsMessageIds: boolean
  /** Selectors of the valid DKIM signatures, by the mailbox's domain, on the received message. */
  readonly dkimSelectors: ReadonlyArray<string>
  /** Every DKIM signature on it, of any signer. Absent: it was not looked at. */
  readonly signatures?: ReadonlyArray<SeenSignature>
  /** Replaces the account's secret if the probe used it up: refresh tokens change. */
  readonly secret?: Redacted.Redacted
}

/** Tests a mailbox: signs in, sends it a message from itself, and reads that back. */
export class MailProbe extends Context.Service<
  MailProbe,
  {
    /** Ignores the account's folder settings; the report has the real ones. */
    readonly probe: (account: MailAccount) => Effect.Effect<ProbeReport>
  }
>()("@outbound/domain/outreach/mail/MailProbe") {}
