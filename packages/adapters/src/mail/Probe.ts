import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import {
  MailProbe,
  type ProbeReport,
  type ProbeStep,
  type SeenSignature
} from "@outbound/domain/outreach/mail/MailProbe.js"
import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  smtpAnswerOf
} from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { MailHead } from "@outbound/domain/outreach/mail/mail.js"
import { Clock, Effect, Layer, Result, type Scope } from "effect"
import type { ImapFlow } from "imapflow"
import { randomBytes } from "node:crypto"
import { COMMAND_MILLIS, command, connect, type Failing, type ImapOptions } from "./ImapConnection.js"
import { inboundFolders } from "./inboundFolders.js"
import { readHead } from "./received.js"
import { codeOf } from "../platform/errors.js"

export interface ProbeOptions extends ImapOptions {
  /** How long we wait for the message, then for its copy, and how often we look. */
  readonly arrivalMillis: number
  readonly copyMillis: number
  readonly pollMillis: number
}

export const PROBE_TIMES = { arrivalMillis: 60_000, copyMillis: 10_000, pollMillis: 1_000 }

const TOKEN_BYTES = 12
const HEAD_OCTETS_MAX = 64 * 1024

const SELECTOR = /^[a-z0-9._-]{1,63}$/

const OK: ProbeStep = { state: "ok" }
const NOT_TRIED: ProbeStep = { state: "not_tried" }

const failed = (says: string): ProbeStep => ({ state: "failed", says })

const saidBy = (failure: ProviderFailure): string => {
  const answer = smtpAnswerOf(failure)
  if (answer !== null) return answer.text
  const { cause } = failure
  const told = typeof cause === "object" && cause !== null && "responseText" in cause ? cause.responseText : undefined
  const text =
    typeof told === "string" && told !== "" ? told : cause instanceof Error ? cause.message : String(cause ?? "")
  return (
    text
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, 300) || "no reason given"
  )
}

const isDistrusted = (failure: ProviderFailure): boolean => {
  const code = codeOf(failure.cause)
  return smtpAnswerOf(failure)?.phase === "tls" || /CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)
}

const doorWords = (failure: ProviderFailure): string => {
  if (failure.reason === "rate_limited") return "asks us to try later"
  if (isDistrusted(failure)) return "has a certificate that can't be trusted"
  return failure.reason === "account" ? "refuses this user name and secret" : "failed"
}

const loginFailed = (what: string, failure: ProviderFailure): ProbeStep =>
  failed(`The ${what} server ${doorWords(failure)}: ${saidBy(failure)}`)

interface Probe {
  /** In the subject, so that we find the message even if a server changes its id. */
  readonly token: string
  readonly mail: OutgoingMail
}

const makeProbe = ({ address, displayName }: MailAccount): Probe => {
  const token = randomBytes(TOKEN_BYTES).toString("hex")
  return {
    token,
    mail: {
      messageId: `${token}@${address.slice(address.lastIndexOf("@") + 1)}`,
      from: { address, name: displayName },
      to: { address, name: null },
      subject: `Mailbox check ${token}`,
      text: "outbound sent this message to test that your mailbox can send and receive. You can delete it.\n",
      mark: null,
      references: [],
      html: null,
      unsubscribeUrl: null
    }
  }
}

interface Found {
  readonly folder: string
  readonly messageId: string | null
  readonly signatures: ReadonlyArray<SeenSignature>
}

/** Most signatures of one message that are looked at. */
const SIGNATURES_MAX = 20

const signaturesIn = ({ headers }: MailHead): ReadonlyArray<SeenSignature> =>
  headers
    .flatMap(({ name, value }) => {
      if (name !== "dkim-signature") return []
      const tag = (key: string) =>
        new RegExp(`(?:^|;)\\s*${key}\\s*=\\s*([^;\\s]+)`, "i").exec(value)?.[1]?.toLowerCase()
      const [signer, selector] = [tag("d"), tag("s")]
      const isUsable =
        signer !== undefined && selector !== undefined && SELECTOR.test(selector) && hostOf(signer) === signer
      return isUsable ? [{ signer, selector }] : []
    })
    .slice(0, SIGNATURES_MAX)

/** Looks once for the message in a folder. */
const lookIn = (client: ImapFlow, folder: string, { token }: Probe): Failing<Found | null> =>
  Effect.gen(function* () {
    yield* command(client, "examine", COMMAND_MILLIS, () => client.mailboxOpen(folder, { readOnly: true }))
    const uids = yield* command(client, "search", COMMAND_MILLIS, () =>
      client.search({ subject: token }, { uid: true })
    )
    const uid = Array.isArray(uids) ? uids.at(-1) : undefined
    if (uid === undefined) return null
    const parts = [{ key: "header", start: 0, maxLength: HEAD_OCTETS_MAX }]
    const mail = yield* command(client, "fetch", COMMAND_MILLIS, () =>
      client.fetchOne(String(uid), { uid: true, bodyParts: parts }, { uid: true })
    )
    const header = (mail === false || mail === undefined ? undefined : mail.headers) ?? Buffer.alloc(0)
    const head = yield* Effect.promise(() => readHead(header.subarray(0, HEAD_OCTETS_MAX)))
    const id = head.headers.find(({ name }) => name === "message-id")?.value ?? ""
    return { folder, messageId: /<([^<>]+)>/.exec(id)?.[1] ?? null, signatures: signaturesIn(head) }
  })

/** Searches the folders repeatedly until the message is found or time is up. */
const lookFor = (
  client: ImapFlow,
  folders: ReadonlyArray<string>,
  probe: Probe,
  options: { readonly millis: number; readonly pollMillis: number }
): Failing<Found | null> =>
  Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + options.millis
    for (;;) {
      for (const folder of folders) {
        const found = yield* lookIn(client, folder, probe)
        if (found !== null) return found
      }
      if ((yield* Clock.currentTimeMillis) + options.pollMillis > until) return null
      yield* Effect.sleep(options.pollMillis)
    }
  })

const listed = (client: ImapFlow): Failing<{ readonly sent: string | null; readonly inbound: ReadonlyArray<string> }> =>
  Effect.map(
    command(client, "list", COMMAND_MILLIS, () => client.list()),
    (folders) => {
      const pathOf = (use: string) => folders.find(({ specialUse }) => specialUse === use)?.path ?? null
      return { sent: pathOf("\\Sent"), inbound: inboundFolders(folders) }
    }
  )

/** A report before any step. */
export const EMPTY: ProbeReport = {
  smtpLogin: NOT_TRIED,
  imapLogin: NOT_TRIED,
  send: NOT_TRIED,
  read: NOT_TRIED,
  isJunk: false,
  sentFolder: null,
  keepsSent: false,
  keepsMessageIds: false,
  dkimSelectors: []
}

export const layer = (options: ProbeOptions = PROBE_TIMES): Layer.Layer<MailProbe, never, MailTransport> =>
  Layer.effect(
    MailProbe,
    Effect.map(MailTransport, (transport) => {
      const readBack = (client: ImapFlow, account: MailAccount, probe: Probe, report: ProbeReport) =>
        Effect.gen(function* () {
          const { copyMillis, pollMillis } = options
          const domain = account.address.slice(account.address.lastIndexOf("@") + 1)
          const { inbound, sent } = yield* listed(client)
          const arrived = yield* lookFor(client, inbound, probe, { millis: options.arrivalMillis, pollMillis })
          if (arrived === null) {
            const seconds = Math.round(options.arrivalMillis / 1000)
            return {
              ...report,
              sentFolder: sent,
              read: failed(
                `The test message was not found in ${inbound.join(" or ")} within ${seconds} seconds. Check whether it was filtered or delayed, then add the mailbox again.`
              )
            }
          }
          const copy = sent === null ? null : yield* lookFor(client, [sent], probe, { millis: copyMillis, pollMillis })
          const ids = [arrived, copy].flatMap((found) => (found === null ? [] : [found.messageId]))
          const signatures = [...arrived.signatures, ...(copy?.signatures ?? [])]
          return {
            ...report,
            read: OK,
            isJunk: arrived.folder !== inbound[0],
            sentFolder: sent,
            keepsSent: copy !== null,
            keepsMessageIds: ids.every((id) => id === probe.mail.messageId),
            signatures: signatures.filter(
              (one, index) =>
                index ===
                signatures.findIndex((other) => other.signer === one.signer && other.selector === one.selector)
            ),
            dkimSelectors: [
              ...new Set(signatures.filter(({ signer }) => signer === domain).map(({ selector }) => selector))
            ]
          }
        })

      const probeIn = (account: MailAccount): Effect.Effect<ProbeReport, never, Scope.Scope> =>
        Effect.gen(function* () {
          // We store no copy ourselves: the probe asks whether the server does.
          const [smtp, imap] = yield* Effect.all(
            [
              Effect.result(transport.session({ ...account, keepsSent: true })),
              Effect.result(connect(account, options))
            ],
            { concurrency: 2 }
          )
          const report: ProbeReport = {
            ...EMPTY,
            smtpLogin: Result.match(smtp, {
              onFailure: (failure) => loginFailed("SMTP", failure),
              onSuccess: () => OK
            }),
            imapLogin: Result.match(imap, { onFailure: (failure) => loginFailed("IMAP", failure), onSuccess: () => OK })
          }
          if (Result.isFailure(smtp) || Result.isFailure(imap)) return report
          const probe = makeProbe(account)
          const sent = yield* Effect.result(smtp.success.send(probe.mail, Effect.succeed(true)))
          if (Result.isFailure(sent)) {
            return { ...report, send: failed(`The SMTP server did not accept a message: ${saidBy(sent.failure)}`) }
          }
          return yield* readBack(imap.success, account, probe, { ...report, send: OK }).pipe(
            Effect.catch((failure) =>
              Effect.succeed({
                ...report,
                send: OK,
                read: failed(`The IMAP server can't be read: ${saidBy(failure)}`)
              })
            )
          )
        })

      return MailProbe.of({ probe: (account) => Effect.scoped(probeIn(account)) })
    })
  )
