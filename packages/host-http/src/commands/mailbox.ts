import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import { type AddReport, MailboxAdmin, type MailboxSummary } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { Effect, Schema } from "effect"
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
    ...(skipped === 0 ? [] : [`${skipped} messages in it could not be read`])
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
      ? `Mailbox ${address} is not added: it does not work yet.`
      : `Mailbox ${added.address} is added as ${added.mailboxId}, and ${stateWords(added)}.`,
    ...vitals.map(({ found, name, state }) => `  ${name.toUpperCase().padEnd(5)} ${state}${found ? `: ${found}` : ""}`),
    ...advice.map((text) => `- ${text}`)
  ].join("\n"),
  isBad: added === null
})

/** Own mailboxes of live workspaces. A secret comes from the environment or standard input: never as a flag. */
export const mailboxCommands = (
  actions: Pick<Actions, "operate" | "readStdin">,
  config: Effect.Effect<OutboundConfig, unknown>,
  environment: Readonly<Record<string, string | undefined>>
) => {
  const operate = (work: Effect.Effect<Outcome, unknown, MailboxAdmin>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work))

  const secretOf = secretReader(actions, environment)

  const add = command(
    "add",
    "Tries a mailbox out, and adds it where it signs in, sends and can be read. It takes up to two minutes.",
    {
      workspace,
      address: required(Schema.String, "A", "Its address"),
      name: required(Schema.String, "N", "Whom its messages are from"),
      smtp: required(Flags.SmtpServer, "URL", "Where it sends: smtps://host:465 or smtp+starttls://host:587"),
      imap: required(Flags.ImapServer, "URL", "Where it is read: imaps://host:993 or imap+starttls://host:143"),
      username: optional(Schema.String, "U", "Who signs in; its address unless said"),
      ...SECRET_FLAGS,
      "dkim-selector": repeated(Schema.String, "S", "A selector of its domain's DKIM keys; the usual ones unless said")
    },
    (flags) =>
      Effect.flatMap(secretOf(flags), ({ auth, secret }) =>
        operate(
          Effect.gen(function* () {
            const admin = yield* MailboxAdmin
            const report = yield* admin.add(
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
            )
            return addOutcome(report, flags.address)
          })
        )
      )
  )

  const list = command("list", "Lists a workspace's own mailboxes.", { workspace }, (flags) =>
    operate(
      Effect.gen(function* () {
        const all = yield* (yield* MailboxAdmin).list(flags.workspace)
        return {
          json: { mailboxes: all.map(summaryJson) },
          text:
            all.length === 0
              ? "The workspace has no mailbox of its own."
              : all
                  .map((one) =>
                    [one.mailboxId, stateWords(one).padEnd(18), one.address, serverWords(one.smtp)].join("  ")
                  )
                  .join("\n")
        }
      })
    )
  )

  const change = (event: "pause" | "resume", about: string) =>
    command(event, about, { workspace, mailbox }, (flags) =>
      operate(
        Effect.gen(function* () {
          const changed = yield* (yield* MailboxAdmin)[event](flags.workspace, flags.mailbox, "system")
          return { json: summaryJson(changed), text: `Mailbox ${changed.address} is ${stateWords(changed)}.` }
        })
      )
    )

  const remove = command(
    "remove",
    "Forgets how a mailbox is reached, and its secret, for good.",
    { workspace, mailbox },
    (flags) =>
      operate(
        Effect.gen(function* () {
          yield* (yield* MailboxAdmin).remove(flags.workspace, flags.mailbox, "system")
          return { json: { mailbox_id: flags.mailbox, removed: true }, text: `Mailbox ${flags.mailbox} is removed.` }
        })
      )
  )

  return [
    add,
    list,
    change("pause", "Sends nothing more from a mailbox; what comes in is still read."),
    change("resume", "Lets a paused mailbox go on."),
    remove
  ] as const
}
