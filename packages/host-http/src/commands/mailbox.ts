import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import {
  type AddReport,
  MailboxAdmin,
  type MailboxConnection,
  type MailboxSummary
} from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { Effect, Redacted, Schema } from "effect"
import { grantPlace, type GrantProvider, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, optional, type Outcome, repeated, required, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { flagError, fromStdin, fromVariable } from "./secrets.js"

/** A mailbox's credentials. Secrets come from the environment or standard input, never from a flag. */

const SECRET_FLAGS = {
  "password-env": optional(Schema.String, "VAR", "The environment variable with the password"),
  "password-stdin": switched("Read the password from standard input"),
  oauth: optional(Flags.GrantPlace, "PROVIDER", "Sign in with OAuth 2 and a refresh token: google, microsoft or other"),
  "client-id": optional(Schema.String, "ID", "With --oauth: the client id of the refresh token"),
  "client-secret-env": optional(Schema.String, "VAR", "With --oauth: the variable with the client secret, if any"),
  "refresh-token-env": optional(Schema.String, "VAR", "With --oauth: the variable with the refresh token"),
  "refresh-token-stdin": switched("With --oauth: read the refresh token from standard input"),
  "token-url": optional(Schema.String, "URL", "With --oauth: the token endpoint; default: the provider's"),
  "xoauth2-env": optional(Schema.String, "VAR", "The variable with an OAuth 2 access token, which is not renewed")
}

interface SecretFlags {
  readonly "password-env"?: string
  readonly "password-stdin"?: "on"
  readonly "xoauth2-env"?: string
  readonly oauth?: GrantProvider | "other"
  readonly "client-id"?: string
  readonly "client-secret-env"?: string
  readonly "refresh-token-env"?: string
  readonly "refresh-token-stdin"?: "on"
  readonly "token-url"?: string
}

const PLAIN_SECRETS = ["password-env", "password-stdin", "xoauth2-env"] as const
const GRANT_SECRETS = [
  "client-id",
  "client-secret-env",
  "refresh-token-env",
  "refresh-token-stdin",
  "token-url"
] as const

const flagsOf = (names: ReadonlyArray<string>): string => names.map((name) => `--${name}`).join(", ")

type SignIn = Pick<MailboxConnection, "auth" | "secret">

/** Reads a mailbox's credentials from the flags. */
const secretReader = (
  actions: Pick<Actions, "readStdin">,
  environment: Readonly<Record<string, string | undefined>>
): ((flags: SecretFlags) => Effect.Effect<SignIn, unknown>) => {
  const inVariable = (flag: string, name: string) => fromVariable(environment, flag, name)
  const onStdin = fromStdin(actions)

  const grantIn = (oauth: NonNullable<SecretFlags["oauth"]>, flags: SecretFlags) =>
    Effect.gen(function* () {
      const { "client-id": clientId, "client-secret-env": clientSecretIn, "refresh-token-env": tokenIn } = flags
      if (PLAIN_SECRETS.some((flag) => flags[flag] !== undefined)) {
        return yield* flagError(`--oauth can't be combined with ${flagsOf(PLAIN_SECRETS)}`)
      }
      const place = grantPlace(oauth === "other" ? null : oauth, flags["token-url"] ?? null)
      if (place === null) return yield* flagError("--token-url is required with --oauth other")
      if (clientId === undefined) return yield* flagError("--client-id is required")
      if ((tokenIn === undefined) === (flags["refresh-token-stdin"] === undefined)) {
        return yield* flagError("Use either --refresh-token-env or --refresh-token-stdin")
      }
      const clientSecret =
        clientSecretIn === undefined ? null : Redacted.make(yield* inVariable("client-secret-env", clientSecretIn))
      const text: string = yield* tokenIn === undefined ? onStdin : inVariable("refresh-token-env", tokenIn)
      return {
        auth: "oauth" as const,
        secret: grantSecret({ ...place, clientId, clientSecret, refreshToken: Redacted.make(text) })
      }
    })

  return (flags: SecretFlags): Effect.Effect<SignIn, unknown> => {
    const { "password-env": password, "password-stdin": stdin, "xoauth2-env": token } = flags
    if (flags.oauth !== undefined) return grantIn(flags.oauth, flags)
    if (GRANT_SECRETS.some((flag) => flags[flag] !== undefined)) {
      return flagError(`${flagsOf(GRANT_SECRETS)} need --oauth`)
    }
    if ([password, stdin, token].filter((given) => given !== undefined).length !== 1) {
      return flagError("Use one of --password-env, --password-stdin, --oauth and --xoauth2-env")
    }
    const secret: Effect.Effect<string, unknown> =
      password !== undefined
        ? inVariable("password-env", password)
        : token !== undefined
          ? inVariable("xoauth2-env", token)
          : onStdin
    return Effect.map(secret, (text) => ({
      auth: token === undefined ? ("password" as const) : ("xoauth2" as const),
      secret: Redacted.make(text)
    }))
  }
}

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
  const operate = <E>(work: (mailboxes: MailboxAdmin["Service"]) => Effect.Effect<Outcome, E>) =>
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
