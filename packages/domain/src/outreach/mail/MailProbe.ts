import { Context, type Effect, type Redacted } from "effect"
import type { MailAccount } from "./MailTransport.js"

/** One thing that was tried: it worked, it did not (in words for a person, the server's among them), or was not tried. */
export type ProbeStep =
  { readonly state: "ok" } | { readonly state: "failed"; readonly says: string } | { readonly state: "not_tried" }

export interface ProbeReport {
  /** Signing in to send, and to read. Both are tried, whatever the other came to. */
  readonly smtpLogin: ProbeStep
  readonly imapLogin: ProbeStep
  /** A message from the mailbox to itself: whether the server took it, and whether it was found there in time. */
  readonly send: ProbeStep
  readonly read: ProbeStep
  /** The message was found, but among junk. */
  readonly isJunk: boolean
  /** The folder of sent mail, and whether the server puts there what is submitted to it. */
  readonly sentFolder: string | null
  readonly keepsSent: boolean
  /** Whether messages keep the `Message-ID` that they are submitted with. */
  readonly keepsMessageIds: boolean
  /** The selectors of the DKIM signatures of the mailbox's domain that the message came back with. */
  readonly dkimSelectors: ReadonlyArray<string>
  /** What is to be kept in place of the account's secret, where trying it out used that up: refresh tokens change. */
  readonly secret?: Redacted.Redacted
}

/** Tries a mailbox out: signs in, sends it a message from itself, and reads that back. */
export class MailProbe extends Context.Tag("@outbound/domain/outreach/mail/MailProbe")<
  MailProbe,
  {
    /** What the account says of folders is not used; the report says what is so. */
    readonly probe: (account: MailAccount) => Effect.Effect<ProbeReport>
  }
>() {}
