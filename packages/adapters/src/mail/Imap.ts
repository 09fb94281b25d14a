import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import {
  type ArrivedMail,
  type ArrivalsQuery,
  type HeadsUnfetched,
  MailReader,
  type MailboxSession,
  type FolderCursor
} from "@outbound/domain/outreach/mail/MailReader.js"
import { headAlone } from "@outbound/domain/outreach/mail/mail.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Layer, Semaphore } from "effect"
import type { FetchQueryObject, ImapFlow, MailboxObject } from "imapflow"
import { callback } from "../platform/callback.js"
import { COMMAND_MILLIS, command, connect, type Failing, type ImapOptions } from "./ImapConnection.js"
import { imapFailure } from "./imapFailure.js"
import { makeLogins } from "./Logins.js"
import { inboundFolders } from "./inboundFolders.js"
import { readContent, readHead } from "./received.js"
import { makeSentFolders, type SentFolders } from "./SentFolders.js"

/** Most connections being opened at once, so that a start doesn't open a hundred together. */
const CONNECTING_MAX = 8

/** How much of a message we read: the header, to see whether it concerns us, and this much of the rest if it does. */
export const HEAD_OCTETS_MAX = 64 * 1024
export const CONTENT_OCTETS_MAX = 256 * 1024

const INBOX = "INBOX"

/** Opens a folder read-only, so that messages stay unseen. */
const examine = (client: ImapFlow, folder: string) =>
  command(client, "examine", COMMAND_MILLIS, () => client.mailboxOpen(folder, { readOnly: true }))

const search = (client: ImapFlow, query: Parameters<ImapFlow["search"]>[0]): Failing<ReadonlyArray<number>> =>
  Effect.flatMap(
    command(client, "search", COMMAND_MILLIS, () => client.search(query, { uid: true })),
    (found) =>
      found === false || found === undefined
        ? Effect.fail(imapFailure(new Error("the server could not search")))
        : Effect.succeed([...new Set(found)].sort((a, b) => a - b))
  )

/** What a server said of a message. */
interface Fetched {
  readonly size?: number
  readonly internalDate?: Date | string
  readonly headers?: Buffer
  readonly source?: Buffer
}

const octets = (value: unknown): { readonly octets?: Buffer } => (Buffer.isBuffer(value) ? { octets: value } : {})

/**
 * What a server says of messages, by UID. It may say it in several responses, and send flags that another program sets just now
 * before them (RFC 3501 §7.4.2), or nothing in the place of octets.
 */
const fetched = (client: ImapFlow, uids: ReadonlyArray<number>, query: FetchQueryObject) =>
  Effect.map(
    command(client, "fetch", COMMAND_MILLIS, () =>
      client.fetchAll(uids.join(","), { ...query, uid: true }, { uid: true })
    ),
    (responses) => {
      const found = new Map<number, Fetched>()
      for (const { headers, internalDate, size, source, uid } of responses) {
        const { octets: head } = octets(headers)
        const { octets: whole } = octets(source)
        found.set(uid, {
          ...found.get(uid),
          ...(size === undefined ? {} : { size }),
          ...(internalDate === undefined ? {} : { internalDate }),
          ...(head === undefined ? {} : { headers: head }),
          ...(whole === undefined ? {} : { source: whole })
        })
      }
      return found
    }
  )

const HEAD = { key: "header", start: 0, maxLength: HEAD_OCTETS_MAX }

const heads = (client: ImapFlow, folder: string, uidValidity: number, uids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    if (uids.length === 0) return []
    const found = yield* fetched(client, uids, { size: true, internalDate: true, bodyParts: [HEAD] })
    const mails: Array<ArrivedMail> = []
    for (const uid of uids) {
      const message = found.get(uid)
      if (message === undefined) continue
      const { headers: source, internalDate, size } = message
      if (source === undefined) return yield* Effect.fail(imapFailure(new Error("the server gave no header")))
      const head = yield* Effect.promise(() => readHead(source.subarray(0, HEAD_OCTETS_MAX)))
      const arrived = new Date(internalDate ?? Number.NaN).getTime()
      const arrivedAtMillis = Number.isNaN(arrived)
        ? yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        : arrived
      mails.push({ ...head, folder, uidValidity, uid, arrivedAtMillis, size: size ?? 0 })
    }
    return mails
  })

const unfetched =
  (heads: HeadsUnfetched) =>
  ({ cause, provider, reason, retryAfterSeconds }: ProviderFailure): ProviderFailure =>
    new ProviderFailure({
      provider,
      reason,
      cause: { ...heads, cause },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    })

/** Messages after a cursor; without a usable cursor, those that arrived since a time. */
const behind = (client: ImapFlow, cursor: FolderCursor | null, { sinceMillis }: ArrivalsQuery) =>
  cursor === null
    ? search(client, { since: new Date(sinceMillis - DAY_MILLIS) })
    : Effect.map(search(client, { uid: `${cursor.lastUid + 1}:*` }), (uids) =>
        // `n:*` always includes the newest message, even if its UID is lower (RFC 3501 §6.4.8).
        uids.filter((uid) => uid > cursor.lastUid)
      )

/**
 * The validity of a folder's UIDs. A server that states none (RFC 3501 §2.3.1.1) may give others in the next session, so
 * they are valid in this one alone: above every validity that a server can state, and another one each time.
 */
const validityOf = ({ uidValidity }: MailboxObject, ownValidity: number): number => {
  const stated = Number(uidValidity ?? 0)
  return Number.isSafeInteger(stated) && stated > 0 ? stated : ownValidity
}

const VALIDITY_MAX = 2 ** 32

/**
 * Whether the folder can be read on from the cursor. A server that numbers anew without saying so has a next UID at or
 * below what was read; then messages are found by their date, and the inbox drops those that it knows.
 */
const isUsable = (cursor: FolderCursor | null, uidValidity: number, { uidNext }: MailboxObject): boolean =>
  cursor?.uidValidity === uidValidity && !(Number(uidNext) > 0 && Number(uidNext) <= cursor.lastUid)

const arrivals = (client: ImapFlow, seen: Map<string, number>, ownValidity: number) => (query: ArrivalsQuery) =>
  Effect.gen(function* () {
    const { folder, limit } = query
    const opened = yield* examine(client, folder)
    const uidValidity = validityOf(opened, ownValidity)
    const cursor = isUsable(query.cursor, uidValidity, opened) ? query.cursor : null
    const before = seen.get(folder)
    seen.set(folder, opened.exists)
    if (opened.exists === 0) {
      return { mails: [], cursor: { folder, uidValidity, lastUid: cursor?.lastUid ?? 0 }, more: false }
    }
    // Neither its number of messages nor its next UID changed since this session looked: nothing is searched for.
    const isRead = cursor !== null && before === opened.exists && Number(opened.uidNext) === cursor.lastUid + 1
    const uids = isRead ? [] : yield* behind(client, cursor, query)
    const page = uids.slice(0, limit)
    // When starting over with nothing to read, continue after the newest message. It exists; the server's next UID is
    // only a prediction.
    const lastUid =
      page.at(-1) ?? cursor?.lastUid ?? (yield* Effect.map(search(client, { uid: "*" }), (all) => all.at(-1) ?? 0))
    const asked = page.filter((uid) => query.without?.includes(uid) !== true)
    const mails = yield* heads(client, folder, uidValidity, asked).pipe(
      Effect.mapError(unfetched({ _tag: "HeadsUnfetched", uidValidity, uids: asked, cause: null }))
    )
    return { mails, cursor: { folder, uidValidity, lastUid }, more: uids.length > page.length }
  })

const content = (client: ImapFlow, ownValidity: number) => (mail: ArrivedMail) =>
  Effect.gen(function* () {
    const current = client.mailbox
    const opened = current !== false && current.path === mail.folder ? current : yield* examine(client, mail.folder)
    if (validityOf(opened, ownValidity) !== mail.uidValidity) return null
    const found = (yield* fetched(client, [mail.uid], { source: { start: 0, maxLength: CONTENT_OCTETS_MAX } })).get(
      mail.uid
    )
    // A rule or a person moved it away meanwhile. It came in, so its header counts.
    if (found === undefined) return headAlone(mail)
    const { source } = found
    if (source === undefined) return yield* Effect.fail(imapFailure(new Error("the server gave no message")))
    const read = source.subarray(0, CONTENT_OCTETS_MAX)
    return yield* Effect.promise(() => readContent(read, source.length >= CONTENT_OCTETS_MAX))
  })

/** Moves a message into the bin, or deletes it where the server has none. The folder is opened for writing for this alone. */
const discard = (client: ImapFlow, bin: string | undefined, ownValidity: number) => (mail: ArrivedMail) =>
  Effect.gen(function* () {
    const opened = yield* command(client, "select", COMMAND_MILLIS, () => client.mailboxOpen(mail.folder))
    if (validityOf(opened, ownValidity) !== mail.uidValidity) return false
    const uid = String(mail.uid)
    if (bin === undefined) {
      return yield* command(client, "delete", COMMAND_MILLIS, () => client.messageDelete(uid, { uid: true }))
    }
    return (yield* command(client, "move", COMMAND_MILLIS, () => client.messageMove(uid, bin, { uid: true }))) !== false
  })

/** Resolves when the number of messages in the open folder changes. Fails when the connection is lost. */
export const told = (client: ImapFlow): Failing<void> =>
  callback((resume) => {
    // However it ends, no listener stays: a connection sees thousands of these.
    const forget = () => {
      client.off("exists", arrived)
      client.off("close", lost)
    }
    const end = (result: Failing<void>) => {
      forget()
      resume(result)
    }
    const arrived = () => end(Effect.void)
    const lost = () => end(Effect.fail(imapFailure(new Error("the connection was lost"))))
    client.on("exists", arrived)
    client.on("close", lost)
    client.idle().catch(lost)
    return Effect.sync(forget)
  })

const waitForMail = (client: ImapFlow, seen: Map<string, number>) => (maxMillis: number) =>
  Effect.gen(function* () {
    const opened = yield* examine(client, INBOX)
    if (opened.exists > (seen.get(INBOX) ?? opened.exists)) return
    yield* Effect.raceFirst(told(client), Effect.sleep(maxMillis))
    // The next command ends the IDLE.
    yield* command(client, "noop", COMMAND_MILLIS, () => client.noop())
  })

/** The header of the newest message of this id in the folder of sent mail. */
const sentAs = (client: ImapFlow, folder: string) => (rfcId: string) =>
  Effect.gen(function* () {
    yield* examine(client, folder)
    const uid = (yield* search(client, { header: { "message-id": rfcId } })).at(-1)
    if (uid === undefined) return null
    const source = (yield* fetched(client, [uid], { bodyParts: [HEAD] })).get(uid)?.headers
    return source === undefined ? null : yield* Effect.promise(() => readHead(source.subarray(0, HEAD_OCTETS_MAX)))
  })

const sessionOf = (client: ImapFlow, account: MailAccount): Failing<MailboxSession> =>
  Effect.gen(function* () {
    const listed = yield* command(client, "list", COMMAND_MILLIS, () => client.list())
    const ownValidity = VALIDITY_MAX + (yield* Effect.clockWith((clock) => clock.currentTimeMillis))
    const sent = account.keepsMessageIds ? undefined : listed.find(({ path }) => path === account.sentFolder)?.path
    const bin = listed.find(({ specialUse }) => specialUse === "\\Trash")?.path
    const turns = yield* Semaphore.make(1)
    const seen = new Map<string, number>()
    return {
      folders: inboundFolders(listed),
      arrivals: (query) => turns.withPermits(1)(arrivals(client, seen, ownValidity)(query)),
      content: (mail) => turns.withPermits(1)(content(client, ownValidity)(mail)),
      discard: (mail) => turns.withPermits(1)(discard(client, bin, ownValidity)(mail)),
      ...(sent === undefined ? {} : { sentAs: (rfcId: string) => turns.withPermits(1)(sentAs(client, sent)(rfcId)) }),
      waitForMail: (maxMillis) => turns.withPermits(1)(waitForMail(client, seen)(maxMillis))
    }
  })

const findInSent = (client: ImapFlow, folder: string, messageId: string) =>
  Effect.gen(function* () {
    const listed = yield* command(client, "list", COMMAND_MILLIS, () => client.list())
    if (!listed.some(({ path }) => path === folder)) return "unknowable" as const
    yield* examine(client, folder)
    const uids = yield* search(client, { header: { "message-id": messageId } })
    return uids.length > 0 ? ("found" as const) : ("absent" as const)
  })

/** `sent`: the connections for folders of sent mail, shared with those who put copies there. */
export const makeImap = (given: ImapOptions = {}, sent?: SentFolders) =>
  Effect.gen(function* () {
    const options: ImapOptions = { logins: makeLogins(), ...given }
    const sentFolders = sent ?? (yield* makeSentFolders(options))
    const connecting = yield* Semaphore.make(CONNECTING_MAX)
    const opened = (account: MailAccount) => connecting.withPermits(1)(connect(account, options))
    return MailReader.of({
      session: (account) => Effect.flatMap(opened(account), (client) => sessionOf(client, account)),
      findInSent: (account, messageId) => {
        const { keepsMessageIds, sentFolder } = account
        if (sentFolder === null || !keepsMessageIds) return Effect.succeed("unknowable")
        return sentFolders.use(account, (client) => findInSent(client, sentFolder, messageId))
      }
    })
  })

export const layer = Layer.effect(MailReader, makeImap())
