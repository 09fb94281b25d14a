import { Clock, Effect, Option } from "effect"
import { operatorOf } from "../../kernel/people/Suffixes.js"
import { MINUTE_MILLIS } from "../../kernel/durations.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { letterIn } from "../../outreach/mail/mailMark.js"
import { type ArrivedMail, type FolderCursor, type MailboxSession, MailReader } from "../../outreach/mail/MailReader.js"
import { askProvider } from "../../outreach/sending/askProvider.js"
import { makeRestAt } from "../../outreach/sending/Breaker.js"
import { MailboxMachine } from "../../outreach/sending/MailboxMachine.js"
import { openAccount, OWN_MAILBOX, OwnMailboxStore } from "../../outreach/sending/OwnMailboxes.js"
import { SendingStore } from "../../outreach/sending/SendingStore.js"
import {
  AGAIN_MILLIS,
  type Canary,
  COUNTED_MILLIS,
  endedBy,
  MISSING_MILLIS,
  nextLook,
  restAfter,
  UNREADABLE_MILLIS
} from "./Canary.js"
import { CanaryMachine } from "./CanaryMachine.js"
import { CanaryStore } from "./CanaryStore.js"
import { type Verdicts, verdictsOf } from "./verdicts.js"

/** Timeout of one look, and how much of a folder it reads: the messages since the canary left. */
const LOOK_SECONDS = 120
const PAGE = 200
const PAGES_MAX = 20

/** How far the clocks of a host and of a mail server may lie apart. */
const APART_MILLIS = 10 * MINUTE_MILLIS

interface Sighting {
  readonly folder: "inbox" | "junk"
  readonly arrivedAtMillis: number
  readonly verdicts: Verdicts
  readonly isRemoved: boolean
}

/**
 * Looks for a canary where it was sent to: in the inbox, then in junk as the server marks or names it. It is taken out of the
 * folder where it was found, unread: nothing is marked as seen or as no junk, since that would be a reader's opinion of it.
 */
export const makeLookForCanary = Effect.gen(function* () {
  const store = yield* CanaryStore
  const crypto = yield* Crypto
  const owns = yield* OwnMailboxStore
  const reader = yield* MailReader
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const restAt = yield* makeRestAt
  const { atomically } = yield* UnitOfWork

  const findIn = (session: MailboxSession, folder: string, { canaryId, workspaceId }: Canary, sinceMillis: number) =>
    Effect.gen(function* () {
      let cursor: FolderCursor | null = null
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const found: {
          readonly mails: ReadonlyArray<ArrivedMail>
          readonly cursor: FolderCursor
          readonly more: boolean
        } = yield* session.arrivals({ folder, cursor, sinceMillis, limit: PAGE })
        const mail = found.mails.find(({ headers }) => letterIn(crypto, workspaceId, headers) === canaryId)
        if (mail !== undefined) return mail
        if (!found.more) return null
        cursor = found.cursor
      }
      return null
    })

  /** Where it lies; null: in no folder that answers come to. */
  const sight = (session: MailboxSession, canary: Canary, trusted: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const sinceMillis = (canary.claimedAtMillis ?? canary.plannedAtMillis) - APART_MILLIS
      for (const [index, folder] of session.folders.entries()) {
        const mail = yield* findIn(session, folder, canary, sinceMillis)
        if (mail === null) continue
        const isRemoved =
          session.discard === undefined
            ? false
            : yield* session
                .discard(mail)
                .pipe(
                  Effect.catch((failure) =>
                    Effect.as(Effect.logWarning("a canary could not be taken out of its folder", failure), false)
                  )
                )
        const sighting: Sighting = {
          // The first folder is the inbox (`MailboxSession.folders`).
          folder: index === 0 ? "inbox" : "junk",
          arrivedAtMillis: mail.arrivedAtMillis,
          verdicts: verdictsOf(mail, trusted),
          isRemoved
        }
        return sighting
      }
      return null
    })

  /** What was not in the inbox again and again: the domain's mailboxes leave the organisation alone for a while. */
  const tighten = (result: Canary, nowMillis: number) =>
    Effect.gen(function* () {
      const { domain, organisation, workspaceId } = result
      const workspace = yield* workspaces.get(workspaceId)
      if (!Option.exists(workspace, ({ kind }) => kind === "live")) return
      const recent = yield* store.since(workspaceId, nowMillis - COUNTED_MILLIS)
      const why = restAfter(result, recent, nowMillis)
      if (why === null) return
      const active = (yield* sendings.activeMailboxes(workspaceId)).filter(
        (mailbox) => mailbox.domain === domain && mailbox.kind === "own" && MailboxMachine.is.sending(mailbox.state)
      )
      for (const mailbox of active.toSorted((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))) {
        yield* sendings.lockMailbox(workspaceId, mailbox.mailboxId)
        yield* restAt(mailbox, organisation, { status: "", says: why }, nowMillis)
      }
    })

  /** Writes what a look found, if it is still open: of two hosts that look, one writes. */
  const record = (canary: Canary, change: (locked: Canary) => Canary, nowMillis: number) =>
    Effect.gen(function* () {
      const locked = Option.getOrNull(yield* store.lock(canary))
      if (locked === null || !CanaryMachine.is.away(locked.state)) return
      const next = change(locked)
      yield* store.put(next)
      yield* tighten(next, nowMillis)
    }).pipe(atomically)

  return (canary: Canary) =>
    Effect.gen(function* () {
      const leftAtMillis = canary.sentAtMillis ?? canary.claimedAtMillis ?? canary.plannedAtMillis
      const to = Option.getOrNull(yield* owns.get(canary.workspaceId, canary.toMailboxId))
      if (to === null) {
        const nowMillis = yield* Clock.currentTimeMillis
        const says = "the mailbox that it was sent to is gone"
        return yield* record(canary, (locked) => endedBy(locked, "lose", nowMillis, { says }), nowMillis)
      }
      const account = openAccount(crypto, to)
      const trusted = [canary.organisation, operatorOf(to.own.imap.host), operatorOf(to.mailbox.domain)].filter(
        (name) => name !== null
      )
      const looked =
        account === null
          ? null
          : yield* askProvider(OWN_MAILBOX, { seconds: LOOK_SECONDS, otherwise: "transient" }, () =>
              Effect.scoped(Effect.flatMap(reader.session(account), (session) => sight(session, canary, trusted)))
            ).pipe(Effect.result)
      const nowMillis = yield* Clock.currentTimeMillis
      if (looked === null || looked._tag === "Failure") {
        if (looked !== null) yield* Effect.logInfo("a look for a canary failed", looked.failure)
        const isOver = nowMillis - leftAtMillis >= UNREADABLE_MILLIS
        const says = "the mailbox that it was sent to could not be read"
        return yield* record(
          canary,
          (locked) =>
            isOver
              ? endedBy(locked, "lose", nowMillis, { says })
              : { ...locked, nextAtMillis: nowMillis + AGAIN_MILLIS },
          nowMillis
        )
      }
      const found = looked.success
      if (found !== null) {
        const { arrivedAtMillis, folder, isRemoved, verdicts } = found
        const event = folder === "inbox" ? "find_inbox" : "find_junk"
        return yield* record(
          canary,
          (locked) => endedBy(locked, event, nowMillis, { ...verdicts, arrivedAtMillis, isRemoved }),
          nowMillis
        )
      }
      const isMissing = nowMillis - leftAtMillis >= MISSING_MILLIS
      yield* record(
        canary,
        (locked) =>
          isMissing
            ? endedBy(locked, "give_up", nowMillis)
            : {
                ...locked,
                lookedAtMillis: nowMillis,
                nextAtMillis: nextLook(leftAtMillis, nowMillis) ?? leftAtMillis + MISSING_MILLIS
              },
        nowMillis
      )
    })
})
