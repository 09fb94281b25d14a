import { Clock, Context, Effect, Layer } from "effect"
import type { ControlRefused } from "../Control.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { LeadMachine } from "../../outreach/campaigns/LeadMachine.js"
import { freshOwner } from "../access.js"
import { orFail } from "../../kernel/orFail.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { InboundEvent } from "../../outreach/mail/Inbound.js"
import { VendorStore } from "../../outreach/sending/vendor/VendorStore.js"
import { type SuppressionSource, SuppressionStore } from "../../outreach/suppression/SuppressionStore.js"
import { makeTell, type Told } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { blankJson, blankRowJson, isContactOf, type Person, strikeJson } from "./blank.js"
import {
  type ErasedPerson,
  type ErasureRequest,
  ErasureStore,
  type NamedOutcome,
  WORDS_OF,
  type WordsOf
} from "./ErasureStore.js"
import { addressHashOf, EVERYBODY, fingerprintHashOf } from "../../kernel/people/subjects.js"

/** What an erasure removed. Excludes what an earlier erasure removed. */
export interface ErasureReport {
  readonly erasureId: string
  /** Whether we had any data about this person. */
  readonly known: boolean
  readonly leads: number
  readonly replies: number
  /** Our replies to the person. */
  readonly answers: number
  /** Their mail that waited in the inbox. */
  readonly waiting: number
  /** Calls whose stored outcome named them. */
  readonly outcomes: number
  /** Contacts kept for repeated calls. */
  readonly contacts: number
  /** Lookups at sources that were pending, or finished after the call. */
  readonly late: number
  /** Rows of the workspace's own directory. */
  readonly directory: number
  /** Approvals, replies and leads of other people whose text contained the address. */
  readonly mentions: number
  /** Whether the trail knew their address. */
  readonly trail: boolean
  /** Whether they are suppressed. An erasure does not change this. */
  readonly suppressed: boolean
}

/**
 * Permanently removes a person's data from a workspace: campaigns, replies, answers, the inbox, stored outcomes,
 * approvals, the cache and the directory. The trail keeps its events without the address; suppressions stay. An erasure
 * that was interrupted continues when it is repeated; repeating a finished one finds nothing.
 */
export class Erasure extends Context.Service<
  Erasure,
  {
    /** For owners, after a fresh sign-in. */
    readonly erase: (by: SignedIn, email: string) => FromStore<ErasureReport, ControlRefused | AnyWireError>
    /** For the operator. `not_found`: no such workspace. */
    readonly eraseFor: (workspaceId: string, email: string) => FromStore<ErasureReport, AnyWireError>
  }
>()("@outbound/domain/control/erasure/Erasure") {}

/** Most rows that one transaction changes, and most that one statement scans. */
export const ERASED_MAX = 200
const LOOKED_AT_MAX = 1_000

/** Most fingerprints followed per person. */
const FINGERPRINTS_MAX = 1_000

/** A lead that has not come to its end leaves its campaign. */
const LEAVING = LeadMachine.in.open

/** The suppression that an unread message of theirs asks for. An out-of-office says nothing. */
const noOf = ({ bounce, classification, kind }: InboundEvent): SuppressionSource | null => {
  if (kind === "bounce") return bounce?.type === "hard" ? "hard_bounce" : null
  if (kind !== "reply") return kind
  return classification === "out_of_office" ? null : classification === "unsubscribe" ? "unsubscribe" : "reply"
}

/** Rows of other people, and of nobody: only the address goes. */
const STRUCK: ReadonlySet<WordsOf> = new Set([
  "campaign_leads",
  "approval_people",
  "campaign_left_out",
  "saved_answers"
])

interface Erasing extends ErasedPerson {
  readonly requestedByUserId: string | null
}

export const layer = Layer.effect(
  Erasure,
  Effect.gen(function* () {
    const store = yield* ErasureStore
    const suppressions = yield* SuppressionStore
    const vendors = yield* VendorStore
    const workspaces = yield* WorkspaceStore
    const tell = yield* makeTell
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    /** Repeats a batch, each in its own transaction, until one is not full. */
    const allOf = <E>(batch: InTx<number, E>) => {
      const from = (before: number): FromStore<number, E> =>
        Effect.flatMap(atomically(batch), (found) =>
          found < ERASED_MAX ? Effect.succeed(before + found) : from(before + found)
        )
      return from(0)
    }

    const leads = (request: ErasureRequest, person: Erasing) =>
      allOf(
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const erased = yield* store.eraseLeads(person, LEAVING, ERASED_MAX)
          yield* tell(
            nowMillis,
            erased.map((lead) => erasedEvent(person, lead))
          )
          if (erased.length > 0) {
            yield* store.update({ ...request, told: true })
            // Vendors must delete their copy too; wake their campaigns now.
            yield* vendors.wakeAll(person.workspaceId, nowMillis)
          }
          return erased.length
        })
      )

    const erasedEvent = (
      { requestedByUserId, workspaceId }: Erasing,
      of: { readonly campaignId?: string; readonly campaignLeadId?: string } = {}
    ): Told => ({ workspaceId, kind: "erased", source: requestedByUserId === null ? "system" : "console", ...of })

    /** We drop unread mail, but first record any opt-out in it. */
    const waiting = (person: Erasing) =>
      allOf(
        Effect.gen(function* () {
          const { addressHash, workspaceId } = person
          const atMillis = yield* Clock.currentTimeMillis
          const events = yield* store.takeWaiting(person, ERASED_MAX)
          for (const source of new Set(events.map(noOf))) {
            if (source !== null) yield* suppressions.add({ workspaceId, addressHash, source, atMillis })
          }
          return events.length
        })
      )

    /** Fingerprints of contacts that were revealed with this address. */
    const fingerprintsOf = (person: Erasing, hash: string) =>
      Effect.gen(function* () {
        const found = new Set<string>()
        const look = (text: string) => {
          const visit = (value: unknown): void => {
            if (typeof value !== "object" || value === null) return
            if (isContactOf(person.email, value) && found.size < FINGERPRINTS_MAX) found.add(value.fingerprint)
            for (const member of Object.values(value)) visit(member)
          }
          visit(JSON.parse(text))
        }
        for (const contact of yield* store.contacts(person.workspaceId, [hash], LOOKED_AT_MAX)) look(contact)
        yield* eachOutcome(person.workspaceId, [hash, EVERYBODY], ({ body }) => Effect.sync(() => look(body)))
        return found
      })

    const eachOutcome = <E>(
      workspaceId: string,
      subjects: ReadonlyArray<string>,
      visit: (outcome: NamedOutcome) => Effect.Effect<unknown, E>
    ): FromStore<void, E> => {
      const from = (after: string | null): FromStore<void, E> =>
        Effect.gen(function* () {
          const found = yield* store.outcomes(workspaceId, subjects, { after, limit: ERASED_MAX })
          yield* Effect.forEach(found, visit, { discard: true })
          const last = found[ERASED_MAX - 1]
          if (last !== undefined) yield* from(last.requestId)
        })
      return from(null)
    }

    const outcomes = (person: Erasing, subjects: ReadonlyArray<string>, blank: (text: string) => string | null) =>
      Effect.gen(function* () {
        const { workspaceId } = person
        const rewrite = ({ body, requestId }: NamedOutcome) => {
          const text = blank(body)
          return text === null
            ? Effect.succeed(0)
            : Effect.as(store.rewriteOutcome(workspaceId, { requestId, body: text }), 1)
        }
        const sumOf = Effect.map((counts: ReadonlyArray<number>) => counts.reduce((sum, count) => sum + count, 0))
        // Scanned rows lose their hash index. A call that finishes during the scan is found by this scan or the next.
        const named = (before: number): FromStore<number> =>
          Effect.gen(function* () {
            const found = yield* store.outcomes(workspaceId, subjects, { after: null, limit: ERASED_MAX })
            if (found.length === 0) return before
            const ids = found.map(({ requestId }) => requestId)
            const rewritten = yield* atomically(
              Effect.tap(sumOf(Effect.forEach(found, rewrite)), store.forgetSubjects(workspaceId, subjects, ids))
            )
            return yield* named(before + rewritten)
          })
        let count = yield* named(0)
        yield* eachOutcome(workspaceId, [EVERYBODY], (outcome) =>
          Effect.map(atomically(rewrite(outcome)), (rewritten) => (count += rewritten))
        )
        return count
      })

    /** Other people's text that contains the address. */
    const mentions = (of: WordsOf, person: Erasing, blank: (text: string) => string | null) => {
      const from = (after: string | null, before: number): FromStore<number> =>
        Effect.gen(function* () {
          const { found, next } = yield* store.words(of, person, { after, limit: LOOKED_AT_MAX })
          const rewritten = found.flatMap(({ id, text }) => {
            const without = blank(text)
            return without === null ? [] : [{ id, text: without }]
          })
          for (const words of rewritten) yield* atomically(store.rewrite(of, person.workspaceId, words))
          const count = before + rewritten.length
          return next === null ? count : yield* from(next, count)
        })
      return from(null, 0)
    }

    /** The request is stored before anything is removed. */
    const opened = (person: Erasing) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        const { addressHash, requestedByUserId, workspaceId } = person
        const request: ErasureRequest = {
          workspaceId,
          erasureId: ids.next(nowMillis),
          addressHash,
          requestedByUserId,
          requestedAtMillis: nowMillis,
          fingerprints: [],
          told: false,
          finishedAtMillis: null
        }
        return atomically(store.open(request))
      })

    /** Runs last, so that repeating an interrupted erasure still finds the remaining rows by their hashes. */
    const closed = (request: ErasureRequest, person: Erasing, found: { readonly known: boolean }) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const inTrail = yield* store.forgetSubject(person, nowMillis)
        if ((found.known || inTrail) && !request.told) yield* tell(nowMillis, erasedEvent(person))
        yield* store.finish(request, nowMillis)
        return inTrail
      }).pipe(atomically)

    const run = (person: Erasing): FromStore<ErasureReport> =>
      Effect.gen(function* () {
        const { addressHash, email, workspaceId } = person
        const request = yield* opened(person)
        const fingerprints = new Set([...request.fingerprints, ...(yield* fingerprintsOf(person, addressHash))])
        // These indexes are about to be blanked.
        const followed = { ...request, fingerprints: [...fingerprints] }
        yield* atomically(store.update(followed))
        const subjects = [
          addressHash,
          ...Array.from(fingerprints, (one) => fingerprintHashOf(crypto, workspaceId, one))
        ]
        const erased: Person = { email, fingerprints }
        const blank = blankJson(erased)
        const events = yield* waiting(person)
        const people = yield* leads(followed, person)
        const replies = yield* allOf(store.eraseReplies(person, ERASED_MAX))
        const answers = yield* allOf(store.eraseAnswers(person, ERASED_MAX))
        const shown = yield* allOf(store.forgetShown(person, ERASED_MAX))
        const leftOut = yield* allOf(store.forgetLeftOut(person, ERASED_MAX))
        const verdicts = yield* atomically(store.forgetVerdict(person))
        const remembered = yield* outcomes(person, subjects, blank)
        let named = shown + leftOut + verdicts
        for (const of of WORDS_OF) {
          const rewrite = of === "list_rows" ? blankRowJson(erased) : STRUCK.has(of) ? strikeJson(erased) : blank
          named += yield* mentions(of, person, rewrite)
        }
        const calls = yield* allOf(store.forgetNamed(workspaceId, subjects, ERASED_MAX))
        const directory = yield* atomically(store.forgetPerson(person))
        // Stored outcomes are found through these, so delete them after the outcomes.
        const contacts = yield* allOf(store.forgetContacts(workspaceId, subjects, ERASED_MAX))
        const late = yield* allOf(store.forgetFollowUps(workspaceId, [...subjects, EVERYBODY], ERASED_MAX))
        if (fingerprints.size > 0) yield* atomically(store.forgetOffered(workspaceId, [...fingerprints]))
        const found = people + replies + answers + events + remembered + named + calls + contacts + directory + late
        const isKnown = found > 0
        const inTrail = yield* closed({ ...request, told: request.told || people > 0 }, person, { known: isKnown })
        return {
          erasureId: request.erasureId,
          known: isKnown || inTrail,
          leads: people,
          replies,
          answers,
          waiting: events,
          outcomes: remembered,
          contacts,
          late,
          directory,
          mentions: named,
          trail: inTrail,
          suppressed: (yield* suppressions.sourcesOf(workspaceId, addressHash, email)).length > 0
        }
        // Uninterruptible: closing the browser must not stop it half way.
      }).pipe(Effect.uninterruptible)

    const erased = (workspaceId: string, given: string, requestedByUserId: string | null) => {
      const email = usableEmail(given)
      return email === null
        ? Effect.fail<AnyWireError>(invalid([{ path: "email", message: "must be an email address" }]))
        : run({ workspaceId, email, addressHash: addressHashOf(crypto, workspaceId, email), requestedByUserId })
    }

    return Erasure.of({
      erase: (by, email) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          return yield* erased(by.session.workspaceId, email, by.user.userId)
        }),
      eraseFor: (workspaceId, email) =>
        Effect.gen(function* () {
          yield* workspaces.get(workspaceId).pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
          return yield* erased(workspaceId, email, null)
        })
    })
  })
)
