import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  type SmtpSession
} from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { turns } from "@outbound/domain/kernel/rounds.js"
import { WorkSignals } from "@outbound/domain/kernel/ports/WorkSignals.js"
import type { OutgoingMessage, OutgoingReply } from "@outbound/domain/sources/ports/SendingProvider.js"
import { type SandboxLetter, SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { makeReader } from "@outbound/domain/outreach/replies/readMailbox.js"
import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import type { Mailbox } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import type { ImapMailbox } from "../mail/ImapFolders.js"
import { makeMailServer, type TakenMessage } from "../mail/MailServer.js"
import { eventNamed, letterTo } from "./SandboxSending.js"

/** Who submits mail to the server. */
const SUBMITTER = "submission@sandbox.invalid"

/** How many connections for sending are kept open while nothing is sent. */
const SESSIONS_MAX = 8

/** How often letters are looked for that are due, how many are taken at once, and for how long. */
const ROUND_MILLIS = 200
const LETTERS_MAX = 100
const HOLD_MILLIS = 15_000

/** How many mailboxes are read side by side. */
const READING_MAX = 8

/** Stands for the sandbox's mailboxes where one of the workspace's own is meant: whatever comes in names what it answers. */
const NO_MAILBOX = "00000000-0000-0000-0000-000000000000"

/** The two ways by which mail leaves. */
interface Submitting {
  readonly deliver: (message: OutgoingMessage) => Effect.Effect<void, ProviderFailure>
  readonly reply: (reply: OutgoingReply) => Effect.Effect<void, ProviderFailure>
}

const messageIdIn = (raw: Buffer): string | null =>
  /^message-id:\s*<([^<>\s]+)>/im.exec(
    raw
      .subarray(0, 64 * 1024)
      .toString("latin1")
      .split("\r\n\r\n", 1)[0] ?? ""
  )?.[1] ?? null

/**
 * The sandbox's mail over the wire: what leaves is submitted by SMTP to a server within this process, on a free port of
 * the loopback; what its people write back lies in that server's mailboxes when it is due, and is read by IMAP, by what
 * reads a team's own mailboxes. On its way it is a row, so that it survives this host.
 */
export const overWire = <P extends Submitting>(direct: P) =>
  Effect.gen(function* () {
    const transport = yield* MailTransport
    const reader = yield* MailReader
    const inbound = yield* Inbound
    const letters = yield* SandboxLetters
    const { rest } = yield* WorkSignals
    const scope = yield* Effect.scope

    const underWay = new Map<string, OutgoingMessage>()

    /** It is accepted once what it brings about is certain to come. */
    const accept = ({ raw }: TakenMessage): Effect.Effect<void, unknown> =>
      Effect.gen(function* () {
        const message = underWay.get(messageIdIn(raw) ?? "")
        if (message === undefined) return
        const letter = letterTo(message, yield* Clock.currentTimeMillis)
        if (letter !== null) yield* letters.put(letter)
      })

    const server = yield* makeMailServer({ remembers: false, onSubmitted: accept })
    const password = randomBytes(24).toString("base64url")
    const reached = (port: number) => ({ host: "127.0.0.1", port, security: "none" as const })

    const boxOf = (address: string): ImapMailbox =>
      server.imap.mailboxes.get(address.toLowerCase()) ?? server.addMailbox(address, password, [["INBOX", null]])

    const accountOf = (address: string): MailAccount => {
      boxOf(address)
      return {
        workspaceId: NO_MAILBOX,
        mailboxId: NO_MAILBOX,
        address,
        displayName: "",
        smtp: reached(server.smtpPort),
        imap: reached(server.imap.port),
        username: address,
        auth: "password",
        secret: Redacted.make(password),
        sentFolder: null,
        keepsSent: true,
        keepsMessageIds: true,
        isSandbox: true
      }
    }
    const submitter = accountOf(SUBMITTER)

    const idle: Array<{ readonly session: SmtpSession; readonly end: Scope.Closeable }> = []
    yield* Effect.addFinalizer((exit) => Effect.forEach(idle, ({ end }) => Scope.close(end, exit), { discard: true }))

    const open = Effect.gen(function* () {
      const end = yield* Scope.make()
      const session = yield* Effect.onError(Scope.provide(transport.session(submitter), end), (cause) =>
        Scope.close(end, Exit.failCause(cause))
      )
      return { session, end }
    })

    const submit = (mail: OutgoingMail): Effect.Effect<void, ProviderFailure> =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const kept = idle.pop()
          return kept === undefined ? open : Effect.succeed(kept)
        }),
        ({ session }) => Effect.asVoid(session.send(mail, Effect.succeed(true))),
        (one, exit) =>
          Exit.isSuccess(exit) && idle.length < SESSIONS_MAX
            ? Effect.sync(() => void idle.push(one))
            : Scope.close(one.end, exit)
      )

    const deliver = (message: OutgoingMessage) =>
      Effect.suspend(() => {
        const { from, mark, messageId, references, subject, text, to, unsubscribeUrl } = message
        underWay.set(messageId, message)
        return Effect.ensuring(
          submit({ from, mark, messageId, references, subject, text, to, unsubscribeUrl, html: null }),
          Effect.sync(() => underWay.delete(messageId))
        )
      })

    const reply = (answer: OutgoingReply) => {
      const { from, messageId, references, subject, text, to } = answer
      const mail = { from, messageId, references, subject, text, mark: null, to: { address: to, name: null } }
      // What its words ask for happens once it is there.
      return Effect.andThen(submit({ ...mail, html: null, unsubscribeUrl: null }), direct.reply(answer))
    }

    /** Puts the letters into their mailbox, and reads it. */
    const read = (due: ReadonlyArray<SandboxLetter>) =>
      Effect.gen(function* () {
        const [first] = due
        if (first === undefined) return
        const address = first.toAddress
        const account = accountOf(address)
        const inbox = boxOf(address).inbox
        const letterOf = (event: InboundEvent) => due.find(({ messageId }) => messageId === event.inReplyTo)
        const readMailbox = yield* makeReader(
          { cursors: () => Effect.succeed([]), moveCursor: () => Effect.void },
          {
            receive: (events) =>
              inbound.receive(
                events.flatMap((event) => {
                  const letter = letterOf(event)
                  return letter === undefined ? [] : [eventNamed(event, letter)]
                })
              )
          }
        )
        const mailbox: Mailbox = {
          workspaceId: first.workspaceId,
          mailboxId: NO_MAILBOX,
          kind: "own",
          operationId: null,
          domain: address.slice(address.lastIndexOf("@") + 1),
          address,
          displayName: "",
          state: "active",
          pauseReason: null,
          activeAtMillis: null,
          upkeepPaidUntilMillis: null,
          ...UNDECLARED,
          restsUntilMillis: null,
          createdAtMillis: first.dueAtMillis - DAY_MILLIS
        }
        const reading = Effect.scoped(
          Effect.flatMap(reader.session(account), (session) => readMailbox(session, mailbox))
        )
        yield* Effect.acquireUseRelease(
          Effect.sync(() =>
            due.map(({ dueAtMillis, raw }) => inbox.add(Buffer.from(raw, "utf8"), new Date(dueAtMillis)))
          ),
          () => reading,
          (uids) => Effect.sync(() => uids.forEach((uid) => inbox.remove(uid)))
        )
        yield* letters.done(due)
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("the sandbox's letters could not be read", cause)))

    const round = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const due = yield* letters.take({ nowMillis, limit: LETTERS_MAX, holdMillis: HOLD_MILLIS })
      const boxes = new Map<string, Array<SandboxLetter>>()
      for (const letter of due) {
        const key = `${letter.workspaceId} ${letter.toAddress.toLowerCase()}`
        boxes.set(key, [...(boxes.get(key) ?? []), letter])
      }
      yield* Effect.forEach(boxes.values(), read, { concurrency: READING_MAX, discard: true })
      return due.length
    })

    const more = Effect.map(round, (found) => (found === LETTERS_MAX ? found : 0))
    yield* Effect.forkIn(turns("letters", more, rest("letters", ROUND_MILLIS)), scope)

    return { ...direct, deliver, reply }
  })
