import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import { type AddReport, MailboxAdmin, type MailboxSummary } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { type Context, Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, optional, type Outcome, repeated, required } from "./Command.js"
import * as Flags from "./flags.js"
import { SECRET_FLAGS, secretReader } from "./mailboxSecret.js"

const workspace = required(Flags.Id, "ID", "The workspace")
const mailbox = required(Flags.Id, "ID", "The mailbox")

const serverWords = ({ host, port, security }: MailServer): string => `${host}:${port} (${security})`

const summaryJson = (one: MailboxSummary) => ({
  mailbox_id: one.mailboxId,
  address: one.address,
  name: one.displayName,
  state: one.state,
  pause_reason: one.pauseReason,
  smtp: one.smtp,
  imap: one.imap,
  username: one.username,
  auth: one.auth,
  sent_folder: one.sentFolder,
  keeps_sent: one.keepsSent,
  skipped_messages: one.skipped,
  created_at: new Date(one.createdAtMillis).toISOString()
})

const stateWords = ({ pauseReason, skipped, state }: MailboxSummary): string =>
  [
    pauseReason === null ? state : `${state} (${pauseReason})`,
    ...(skipped === 0 ? [] : [`${skipped} messages could not be read`])
  ].join(", ")

const stepJson = (step: ProbeStep) => ("says" in step ? { state: step.state, says: step.says } : step)

const addOutcome = ({ advice, mailbox: added, probe, vitals }: AddReport, address: string): Outcome => ({
  json: {
    added: added !== null,
    mailbox: added === null ? null : summaryJson(added),
    checks: {
      smtp_login: stepJson(probe.smtpLogin),
      imap_login: stepJson(probe.imapLogin),
      send: stepJson(probe.send),
      read: stepJson(probe.read),
      is_junk: probe.isJunk,
      sent_folder: probe.sentFolder,
      keeps_sent: probe.keepsSent,
      keeps_message_ids: probe.keepsMessageIds
    },
    dns: vitals,
    advice
  },
  text: [
    added === null
      ? `Mailbox ${address} was not added: its test failed.`
      : `Mailbox ${added.address} was added as ${added.mailboxId}. It is ${stateWords(added)}.`,
    ...vitals.map(({ found, name, state }) => `  ${name.toUpperCase().padEnd(5)} ${state}${found ? `: ${found}` : ""}`),
    ...advice.map((text) => `- ${text}`)
  ].join("\n"),
  isBad: added === null
})

/** Own mailboxes of live workspaces. Secrets come from the environment or standard input, never from a flag. */
export const mailboxCommands = (
  actions: Pick<Actions, "operate" | "readStdin">,
  config: Effect.Effect<OutboundConfig, unknown>,
  environment: Readonly<Record<string, string | undefined>>
) => {
  const operate = <E>(work: (mailboxes: Context.Tag.Service<MailboxAdmin>) => Effect.Effect<Outcome, E>) =>
    Effect.flatMap(config, (read) => actions.operate(read, Effect.flatMap(MailboxAdmin, work)))

  const secretOf = secretReader(actions, environment)

  const add = command(
    "add",
    "Tests a mailbox (sign-in, sending, reading) and adds it if the test succeeds. Takes up to two minutes.",
    {
      workspace,
      address: required(Schema.String, "A", "The mailbox's email address"),
      name: required(Schema.String, "N", "The sender name"),
      smtp: required(Flags.SmtpServer, "URL", "The SMTP server: smtps://host:465 or smtp+starttls://host:587"),
      imap: required(Flags.ImapServer, "URL", "The IMAP server: imaps://host:993 or imap+starttls://host:143"),
      username: optional(Schema.String, "U", "The user name; default: the address"),
      ...SECRET_FLAGS,
      "dkim-selector": repeated(Schema.String, "S", "A DKIM selector of its domain; default: the usual ones")
    },
    (flags) =>
      Effect.flatMap(secretOf(flags), ({ auth, secret }) =>
        operate((mailboxes) =>
          Effect.map(
            mailboxes.add(
              flags.workspace,
              {
                address: flags.address,
                displayName: flags.name,
                smtp: flags.smtp,
                imap: flags.imap,
                username: flags.username ?? flags.address,
                auth,
                secret,
                dkimSelectors: flags["dkim-selector"]
              },
              "system"
            ),
            (report) => addOutcome(report, flags.address)
          )
        )
      )
  )

  const list = command("list", "Lists a workspace's own mailboxes.", { workspace }, (flags) =>
    operate((mailboxes) =>
      Effect.map(mailboxes.list(flags.workspace), (all) => ({
        json: { mailboxes: all.map(summaryJson) },
        text:
          all.length === 0
            ? "The workspace has no own mailboxes."
            : all
                .map((one) =>
                  [one.mailboxId, stateWords(one).padEnd(18), one.address, serverWords(one.smtp)].join("  ")
                )
                .join("\n")
      }))
    )
  )

  const change = (event: "pause" | "resume", about: string) =>
    command(event, about, { workspace, mailbox }, (flags) =>
      operate((mailboxes) =>
        Effect.map(mailboxes[event](flags.workspace, flags.mailbox, "system"), (changed) => ({
          json: summaryJson(changed),
          text: `Mailbox ${changed.address} is ${stateWords(changed)}.`
        }))
      )
    )

  const remove = command(
    "remove",
    "Permanently removes a mailbox's connection and secret.",
    { workspace, mailbox },
    (flags) =>
      operate((mailboxes) =>
        Effect.as(mailboxes.remove(flags.workspace, flags.mailbox, "system"), {
          json: { mailbox_id: flags.mailbox, removed: true },
          text: `Mailbox ${flags.mailbox} was removed.`
        })
      )
  )

  return [
    add,
    list,
    change("pause", "Stops sending from a mailbox. Incoming mail is still read."),
    change("resume", "Resumes a paused mailbox."),
    remove
  ] as const
}
