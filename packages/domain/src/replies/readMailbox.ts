import { Clock, Effect, Option } from "effect"
import { addressHashInput, usableEmail } from "../people/EmailAddress.js"
import { Crypto } from "../ports/Crypto.js"
import { Inbound, type InboundEvent } from "../ports/Inbound.js"
import type { ArrivedMail, MailboxSession } from "../ports/MailReader.js"
import { OwnMailboxStore } from "../sending/OwnMailboxes.js"
import type { Mailbox } from "../sending/SendingStore.js"
import { eventIdOf, eventOf } from "./answering.js"
import type { MailContent } from "./mail.js"
import { automatic, mayBeReport, namedMessages, recognise } from "./recognise.js"
import { ReadingStore } from "./ReadingStore.js"

const DAY_MILLIS = 86_400_000

/** How many messages are looked at before what they bring is stored, and how often so in one go. */
const PAGE_MAX = 50
const PAGES_MAX = 40

/** How far back a folder is read whose UIDs mean nothing any more; never before the mailbox was added. */
const ANEW_MILLIS = 30 * DAY_MILLIS

/** For so long a message is answered by whatever its recipient writes, also where that does not name it. */
const ANSWERED_BY_ADDRESS_MILLIS = 90 * DAY_MILLIS

/** A message that can't be fetched is tried so often; then its head speaks for it, so that an answer stops all the same. */
export const CONTENT_TRIES_MAX = 3

/** For how many messages failures are remembered. */
const TRIES_KEPT_MAX = 1_000

/**
 * Reads one mailbox from where it was left to its end. What answers a message of ours goes into the inbox before the
 * cursor moves, so that a host that dies in between reads it again, and the inbox knows it. Everything else is looked
 * at by its head alone and kept nowhere.
 */
export const makeReadMailbox = Effect.gen(function* () {
  const store = yield* OwnMailboxStore
  const reading = yield* ReadingStore
  const inbound = yield* Inbound
  const crypto = yield* Crypto
  const tries = new Map<string, number>()

  /** The message of ours that these name, the most telling first; else the newest to this address. */
  const answered = (mailbox: Mailbox, named: ReadonlyArray<string>, address: string | null, nowMillis: number) =>
    Effect.gen(function* () {
      const { mailboxId, workspaceId } = mailbox
      const ours = named.length === 0 ? [] : yield* reading.ours(workspaceId, named)
      const first = named.find((id) => ours.includes(id))
      if (first !== undefined) return { messageId: first, isNamed: true }
      const from = address === null ? null : usableEmail(address)
      if (from === null) return null
      const newest = yield* reading.newestTo({
        workspaceId,
        mailboxId,
        addressHash: crypto.mac("suppression", addressHashInput(workspaceId, from)),
        sinceMillis: nowMillis - ANSWERED_BY_ADDRESS_MILLIS
      })
      return Option.isSome(newest) ? { messageId: newest.value, isNamed: false } : null
    })

  /** Whether its head leaves it possible that it answers us. */
  const mayAnswer = (mailbox: Mailbox, mail: MailContent, nowMillis: number) =>
    Effect.gen(function* () {
      if (usableEmail(mail.fromEmail ?? "") === mailbox.address) return false
      if (mayBeReport(mail)) return true
      const found = yield* answered(mailbox, namedMessages(mail), mail.fromEmail, nowMillis)
      return found !== null && (found.isNamed || automatic(mail)?.answers !== false)
    })

  const contentOf = (session: MailboxSession, key: string, mail: ArrivedMail) =>
    Effect.gen(function* () {
      const tried = (tries.get(key) ?? 0) + 1
      if (tried > CONTENT_TRIES_MAX) {
        yield* Effect.logWarning("a message could not be fetched: its head is taken for it")
        return headAlone(mail)
      }
      if (tries.size >= TRIES_KEPT_MAX) tries.clear()
      tries.set(key, tried)
      const content = yield* session.content(mail)
      tries.delete(key)
      return content
    })

  const eventFrom = (session: MailboxSession, mailbox: Mailbox, mail: ArrivedMail) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (!(yield* mayAnswer(mailbox, headAlone(mail), nowMillis))) return null
      const key = `${mailbox.mailboxId}:${mail.folder}:${mail.uidValidity}:${mail.uid}`
      const content = yield* contentOf(session, key, mail)
      if (content === null) return null
      const recognised = recognise(content)
      const isReport = recognised.kind === "bounce" || recognised.kind === "complaint"
      const from = isReport ? recognised.recipient : content.fromEmail
      const found = yield* answered(mailbox, namedMessages(content), from, nowMillis)
      if (found === null) return null
      // What a program writes for everybody answers nobody, also where it comes from a person's address.
      if (recognised.kind === "automatic" && !recognised.answers && !found.isNamed) return null
      // Nor does a system's notice that a message is late, or has arrived.
      if (recognised.kind === "automatic" && !recognised.answers && mayBeReport(content)) return null
      return eventOf({
        mailbox,
        messageId: found.messageId,
        providerEventId: eventIdOf(crypto, mailbox.mailboxId, mail),
        recognised,
        content,
        // A server whose clock is ahead holds no answer back.
        receivedAtMillis: Math.min(mail.arrivedAtMillis, nowMillis)
      })
    })

  const readFolder = (session: MailboxSession, mailbox: Mailbox, folder: string) =>
    Effect.gen(function* () {
      const { mailboxId, workspaceId } = mailbox
      const cursors = yield* store.cursors(workspaceId, mailboxId)
      let cursor = cursors.find((one) => one.folder === folder) ?? null
      let count = 0
      for (let page = 0; page < PAGES_MAX; page++) {
        const sinceMillis = Math.max(mailbox.createdAtMillis, (yield* Clock.currentTimeMillis) - ANEW_MILLIS)
        const arrivals = yield* session.arrivals({ folder, cursor, sinceMillis, limit: PAGE_MAX })
        const events: Array<InboundEvent> = []
        for (const mail of arrivals.mails) {
          const event = yield* eventFrom(session, mailbox, mail)
          if (event !== null) events.push(event)
        }
        yield* inbound.receive(events)
        const { lastUid, uidValidity } = arrivals.cursor
        if (cursor?.lastUid !== lastUid || cursor.uidValidity !== uidValidity) {
          yield* store.moveCursor(workspaceId, mailboxId, arrivals.cursor)
        }
        cursor = arrivals.cursor
        count += events.length
        if (!arrivals.more) break
      }
      return count
    })

  /** How many answers it put into the inbox. */
  return (session: MailboxSession, mailbox: Mailbox) =>
    Effect.map(
      Effect.forEach(session.folders, (folder) => readFolder(session, mailbox, folder)),
      (counts) => counts.reduce((sum, count) => sum + count, 0)
    )
})

/** A message of which nothing but its head is known. */
const headAlone = ({ fromEmail, headers, subject }: ArrivedMail): MailContent => ({
  fromEmail,
  headers,
  subject,
  text: "",
  html: null,
  truncated: true,
  parts: []
})
