import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option, Semaphore } from "effect"
import { addressHashInput, untagged, usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { countsAtOnce, Inbound, type InboundEvent } from "../mail/Inbound.js"
import { type ArrivedMail, type MailboxSession, unfetchedOf, type FolderCursor } from "../mail/MailReader.js"
import { OwnMailboxStore } from "../sending/OwnMailboxes.js"
import type { Mailbox } from "../sending/SendingStore.js"
import { eventIdOf, eventOf, refuses } from "./inboundEvent.js"
import type { AttachedReport } from "../mail/aggregateReport.js"
import { isReportHead, mayHoldReport } from "../mail/reportHead.js"
import { headAlone, type MailContent, type MailHead } from "../mail/mail.js"
import { letterIn, markHeader, proofOf } from "../mail/mailMark.js"
import { makeReceiveReport } from "../reputation/domainReports.js"
import {
  answersUs,
  continuesThread,
  isDenied,
  isForTheRecord,
  mayBeReport,
  namedMessages,
  quotedProofs,
  recognise,
  sentMessageOf,
  threadOf,
  writersOf
} from "./recognise.js"
import { isReturned } from "./feedback.js"
import { idAnswered, idHashOf, isColleague, LOOKED_UP_MAX } from "./learnedIds.js"
import { makeNarrowing } from "./narrowing.js"
import { isOfOurSide } from "./ownSide.js"
import { leadsLinkedIn, leadUnsubscribedBy } from "../suppression/links.js"
import { ReadingStore } from "./ReadingStore.js"

/** Most pages of a folder per read. */
export const PAGES_MAX = 40

/** How far back we read when a folder's UIDs became invalid; never before the mailbox was added. */
const ANEW_MILLIS = 30 * DAY_MILLIS

/** How long any mail from a recipient counts as an answer, even without a reference. */
const ANSWERED_BY_ADDRESS_MILLIS = 90 * DAY_MILLIS

/** How far a mail server's clock may lag. A mail can't answer what we sent later than this after its arrival time. */
export const CLOCK_SKEW_MILLIS = DAY_MILLIS

/** Most tries to fetch a message's content; then only its header is used, so that a reply still stops the sequence. */
export const CONTENT_TRIES_MAX = 3

/** Most ids of a thread that are looked for among sent mail. */
const SENT_LOOKUPS_MAX = 3

/** Most messages whose failures are remembered. */
const TRIES_KEPT_MAX = 1_000

/** Most mailboxes for which the database is asked at once: the others wait here, and not for connections. */
const ASKING_MAX = 4

/** The message of ours that a mail answers. */
interface Found {
  readonly messageId: string
  /** Whether its thread, or what it quotes, names it; otherwise its sender's address does. */
  readonly isNamed: boolean
  /** What says under which id that left, if nobody knew. */
  readonly by: { readonly tells: "nothing new" | "its header" } | { readonly tells: "a copy"; readonly rfcId: string }
}

/** The result of reading a mailbox. */
export interface Reading {
  /** How many events it put into the inbox. */
  readonly count: number
  /** Whether it reached the end of every folder. Until then there may be unread replies. */
  readonly isWhole: boolean
}

/**
 * Reads one mailbox from its cursors to its end or a limit. Answers to our messages go into the inbox before the cursor
 * moves. So if a host dies in between, another reads them again and the inbox drops the duplicates. Of all other mail
 * we read only the header and store nothing.
 */
export const makeReadMailbox = Effect.gen(function* () {
  const { cursors, moveCursor } = yield* OwnMailboxStore
  const { receive } = yield* Inbound
  const asking = (yield* Semaphore.make(ASKING_MAX)).withPermits(1)
  return yield* makeReader(
    {
      cursors: (...of) => asking(cursors(...of)),
      moveCursor: (...of) => asking(moveCursor(...of))
    },
    { receive: (events) => (events.length === 0 ? Effect.void : asking(receive(events))) },
    yield* makeReceiveReport
  )
})

/** Takes a DMARC report; absent: the attachment could not be read. */
type TakeReport = (mailbox: Mailbox, head: MailHead, attached: AttachedReport | undefined) => FromStore<unknown>

/** Cursors are kept in `store`; answers go to `inbound`, and DMARC reports to `takeReport`. */
export const makeReader = (
  store: Pick<OwnMailboxStore["Service"], "cursors" | "moveCursor">,
  inbound: Pick<Inbound["Service"], "receive">,
  takeReport: TakeReport = () => Effect.void
) =>
  Effect.gen(function* () {
    const reading = yield* ReadingStore
    const crypto = yield* Crypto
    const tries = new Map<string, number>()
    const narrowing = makeNarrowing()

    const namesIn = ({ workspaceId }: Mailbox, content: MailContent): ReadonlyArray<string> =>
      namedMessages(content, markHeader(crypto, workspaceId))

    /** Whether a report quotes what only this message holds. */
    const isProof = ({ workspaceId }: Mailbox, report: MailContent, messageId: string): boolean =>
      quotedProofs(report, markHeader(crypto, workspaceId)).includes(proofOf(crypto, workspaceId, messageId))

    /** The message of ours that these ids name, best first; otherwise the newest to the first of these addresses that has one. */
    const answered = (
      mailbox: Mailbox,
      mail: ArrivedMail,
      named: ReadonlyArray<string>,
      addresses: ReadonlyArray<string>
    ) =>
      Effect.gen(function* () {
        const { mailboxId, workspaceId } = mailbox
        const ours = named.length === 0 ? [] : yield* reading.ours(workspaceId, named)
        const first = named.find((id) => ours.includes(id))
        if (first !== undefined) return { messageId: first, isNamed: true, by: { tells: "nothing new" } } as const
        const written = addresses.flatMap((address) => usableEmail(address) ?? [])
        for (const from of [...written, ...written.flatMap(untagged)]) {
          const newest = yield* reading.newestTo({
            workspaceId,
            mailboxId,
            addressHash: crypto.mac("suppression", addressHashInput(workspaceId, from)),
            sinceMillis: mail.arrivedAtMillis - ANSWERED_BY_ADDRESS_MILLIS,
            untilMillis: mail.arrivedAtMillis + CLOCK_SKEW_MILLIS
          })
          if (Option.isSome(newest))
            return { messageId: newest.value, isNamed: false, by: { tells: "its header" } } as const
        }
        return null
      })

    /** The newest message to the first of these leads that was sent one. */
    const sentTo = (mailbox: Mailbox, mail: ArrivedMail, leads: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const untilMillis = mail.arrivedAtMillis + CLOCK_SKEW_MILLIS
        for (const campaignLeadId of new Set(leads)) {
          const newest = yield* reading.newestOfLead(mailbox.workspaceId, campaignLeadId, untilMillis)
          if (Option.isSome(newest))
            return { messageId: newest.value, isNamed: true, by: { tells: "its header" } } as const
        }
        return null
      })

    /** Whose way out the message names that a report returns: as much proof as the mark, where a provider redacts all else. */
    const leadsReturned = ({ workspaceId }: Mailbox, { parts }: MailContent): ReadonlyArray<string> =>
      parts.filter(isReturned).flatMap(({ text }) => leadsLinkedIn(crypto, workspaceId, text))

    /** The lead that a message to our `mailto:` way out unsubscribes. */
    const leaver = ({ workspaceId }: Mailbox, { subject }: ArrivedMail) =>
      leadUnsubscribedBy(crypto, workspaceId, subject)

    /**
     * The message of ours that it answers, if a server replaced our ids: an earlier answer taught the id that left, the
     * copy in the folder of sent mail has it, or the answer quotes the unsubscribe link of a lead. None of these needs the
     * address that we wrote to.
     */
    const unnamed = (session: MailboxSession, mailbox: Mailbox, mail: ArrivedMail, content: MailContent) =>
      Effect.gen(function* () {
        const { workspaceId } = mailbox
        const thread = threadOf(mail.headers)
        const hashes = thread.slice(0, LOOKED_UP_MAX).map((rfcId) => idHashOf(crypto, rfcId))
        const learned = hashes.length === 0 ? new Map<string, string>() : yield* reading.leftUnder(workspaceId, hashes)
        const taught = hashes.flatMap((idHash) => learned.get(idHash) ?? [])[0]
        if (taught !== undefined) return { messageId: taught, isNamed: true, by: { tells: "nothing new" } } as const
        for (const rfcId of session.sentAs === undefined ? [] : thread.slice(0, SENT_LOOKUPS_MAX)) {
          const copy = yield* session.sentAs?.(rfcId) ?? Effect.succeed(null)
          const messageId = copy === null ? null : sentMessageOf(copy, markHeader(crypto, workspaceId))
          if (messageId === null || (yield* reading.ours(workspaceId, [messageId])).length === 0) continue
          return { messageId, isNamed: true, by: { tells: "a copy", rfcId } } as const
        }
        // A colleague of the sender who passes a message on answers nobody.
        if (isColleague(mail.fromEmail ?? "", mailbox.address)) return null
        const quoted = [content.text, content.html ?? "", ...content.parts.map(({ text }) => text)]
        return yield* sentTo(
          mailbox,
          mail,
          quoted.flatMap((text) => leadsLinkedIn(crypto, workspaceId, text))
        )
      })

    /** The id that this answer teaches. */
    const namedBy = ({ by }: Found, mail: ArrivedMail): InboundEvent["named"] | null => {
      if (by.tells === "nothing new") return null
      if (by.tells === "a copy") return { idHash: idHashOf(crypto, by.rfcId), isOfCopy: true }
      const rfcId = idAnswered(mail)
      return rfcId === null ? null : { idHash: idHashOf(crypto, rfcId), isOfCopy: false }
    }

    /** Whether our own side wrote it: then it is nobody's answer. */
    const isOwn = ({ address, workspaceId }: Mailbox, content: MailContent, messageId: string) =>
      Effect.map(
        reading.sides(workspaceId, messageId, usableEmail(content.fromEmail ?? "") ?? ""),
        Option.exists((sides) => isOfOurSide(content, address, sides))
      )

    /** Whether the header allows that it answers us. */
    const mayAnswer = (mailbox: Mailbox, mail: ArrivedMail) =>
      Effect.gen(function* () {
        if (usableEmail(mail.fromEmail ?? "") === mailbox.address) return false
        // A measure of our own, between own mailboxes.
        if (letterIn(crypto, mailbox.workspaceId, mail.headers) !== null) return false
        if (mayBeReport(mail) || leaver(mailbox, mail) !== null) return true
        // Whose thread it continues, its header may not say.
        return (
          (yield* answered(mailbox, mail, namesIn(mailbox, headAlone(mail)), writersOf(mail))) !== null ||
          continuesThread(mail)
        )
      })

    const contentOf = (session: MailboxSession, key: string, mail: ArrivedMail) =>
      Effect.gen(function* () {
        const tried = (tries.get(key) ?? 0) + 1
        if (tried > CONTENT_TRIES_MAX) {
          yield* Effect.logWarning("fetching a message failed; using its headers only")
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
        const mayReport = mayHoldReport(mail) && !answersUs(mail.headers)
        const isReportMail = mayReport && isReportHead(mail)
        if (!mayReport && !(yield* mayAnswer(mailbox, mail))) return null
        const key = `${mailbox.mailboxId}:${mail.folder}:${mail.uidValidity}:${mail.uid}`
        const content = yield* contentOf(session, key, mail)
        if (content === null) return null
        // A program reports on our domain. That answers nobody, even if we can't read it.
        if (isReportMail || (mayReport && content.aggregate?._tag === "Report")) {
          yield* takeReport(mailbox, mail, content.aggregate)
          return null
        }
        if (mayReport && !(yield* mayAnswer(mailbox, mail))) return null
        const leaves = leaver(mailbox, mail)
        const recognised = leaves === null ? recognise(content) : ({ kind: "opt_out" } as const)
        if (isForTheRecord(recognised)) return null
        const isReport = recognised.kind === "bounce" || recognised.kind === "complaint"
        const from = isReport ? [recognised.recipient ?? ""] : writersOf(content)
        const named =
          leaves === null
            ? yield* answered(mailbox, mail, namesIn(mailbox, content), from)
            : yield* sentTo(mailbox, mail, [leaves])
        // An id alone proves nothing. Whose link is returned, whatever else is named, is who complained.
        const isProvenById = named !== null && isProof(mailbox, content, named.messageId)
        const linked =
          recognised.kind === "complaint" && !isProvenById
            ? yield* sentTo(mailbox, mail, leadsReturned(mailbox, content))
            : null
        const known = linked ?? named
        const found =
          known?.isNamed === true || isReport ? known : ((yield* unnamed(session, mailbox, mail, content)) ?? known)
        if (found === null) return null
        const isProven = isReport && (linked !== null || isProvenById)
        // It quotes nothing of ours: whoever knows an address could have written it, about somebody else's.
        if (isReport && !found.isNamed && !isProven) {
          yield* Effect.logInfo("left a report alone: it quotes no message of ours")
          return null
        }
        if (!isReport && leaves === null && (yield* isOwn(mailbox, content, found.messageId))) return null
        // Newsletters, receipts and notices answer no one, even from a person's address.
        if (recognised.kind === "automatic" && !recognised.answers && !refuses(recognised, content)) return null
        return eventOf({
          mailbox,
          messageId: found.messageId,
          named: isReport ? null : namedBy(found, mail),
          isUnproven: isReport ? !isProven : !found.isNamed && isDenied(content),
          providerEventId: eventIdOf(crypto, mailbox.mailboxId, mail),
          recognised,
          content,
          receivedAtMillis: countsAtOnce(mail.arrivedAtMillis, nowMillis)
        })
      })

    const keyOf = ({ mailboxId }: Mailbox, folder: string): string => `${mailboxId}:${folder}`

    const arrivals = (session: MailboxSession, mailbox: Mailbox, folder: string, cursor: FolderCursor | null) =>
      Effect.gen(function* () {
        const key = keyOf(mailbox, folder)
        const sinceMillis = Math.max(mailbox.createdAtMillis, (yield* Clock.currentTimeMillis) - ANEW_MILLIS)
        return yield* session.arrivals({ folder, cursor, sinceMillis, ...narrowing.page(key) }).pipe(
          Effect.tapError((failure) =>
            Effect.sync(() => {
              const heads = unfetchedOf(failure)
              if (heads !== null) narrowing.failed(key, heads)
            })
          )
        )
      })

    /** How many messages were skipped up to there. */
    const passedOver = (mailbox: Mailbox, cursor: FolderCursor) =>
      Effect.gen(function* () {
        const skipped = narrowing.passed(keyOf(mailbox, cursor.folder), cursor)
        yield* Effect.forEach(skipped, (uid) =>
          Effect.annotateLogs(Effect.logError("fetching a message's headers failed; skipping it"), {
            workspace_id: mailbox.workspaceId,
            mailbox_id: mailbox.mailboxId,
            folder: cursor.folder,
            uid
          })
        )
        return skipped.length
      })

    const readFolder = (
      session: MailboxSession,
      mailbox: Mailbox,
      folder: string,
      cursors: ReadonlyArray<FolderCursor>
    ) =>
      Effect.gen(function* () {
        const { mailboxId, workspaceId } = mailbox
        let cursor = cursors.find((one) => one.folder === folder) ?? null
        let count = 0
        for (let page = 0; page < PAGES_MAX; page++) {
          const { cursor: after, mails, more } = yield* arrivals(session, mailbox, folder, cursor)
          const events: Array<InboundEvent> = []
          for (const mail of mails) {
            const event = yield* eventFrom(session, mailbox, mail)
            if (event !== null) events.push(event)
          }
          yield* inbound.receive(events)
          const skipped = yield* passedOver(mailbox, after)
          if (cursor?.lastUid !== after.lastUid || cursor.uidValidity !== after.uidValidity) {
            yield* store.moveCursor(workspaceId, mailboxId, after, skipped)
          }
          cursor = after
          count += events.length
          if (!more) return { count, isWhole: true }
        }
        return { count, isWhole: false }
      })

    return (session: MailboxSession, mailbox: Mailbox) =>
      Effect.map(
        Effect.flatMap(store.cursors(mailbox.workspaceId, mailbox.mailboxId), (cursors) =>
          Effect.forEach(session.folders, (folder) => readFolder(session, mailbox, folder, cursors))
        ),
        (folders): Reading => ({
          count: folders.reduce((sum, { count }) => sum + count, 0),
          isWhole: folders.every(({ isWhole }) => isWhole)
        })
      )
  })
