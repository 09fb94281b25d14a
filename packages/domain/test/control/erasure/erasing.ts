import { Effect, Exit, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Erasure, layer as erasureLayer } from "../../../src/control/erasure/Erasure.js"
import {
  type ErasureRequest,
  ErasureStore,
  type NamedOutcome,
  type Words,
  type WordsOf
} from "../../../src/control/erasure/ErasureStore.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { type TrailEvent, TrailStore } from "../../../src/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { VendorStore } from "../../../src/outreach/sending/vendor/VendorStore.js"
import { SuppressionStore } from "../../../src/outreach/suppression/SuppressionStore.js"

export const NOW = Date.UTC(2026, 2, 10, 12)
export const ANN = "ann@example.com"
export const HASH = `suppression:w ${ANN}`

/** What a store has of them, batch by batch; absent: nothing. */
export interface Had {
  readonly standing?: Partial<ErasureRequest>
  readonly waiting?: ReadonlyArray<ReadonlyArray<object>>
  readonly leads?: ReadonlyArray<number>
  readonly replies?: ReadonlyArray<number>
  readonly answers?: ReadonlyArray<number>
  readonly shown?: ReadonlyArray<number>
  readonly leftOut?: ReadonlyArray<number>
  readonly verdicts?: number
  readonly contacts?: ReadonlyArray<string>
  readonly forgottenContacts?: ReadonlyArray<number>
  readonly late?: ReadonlyArray<number>
  readonly calls?: ReadonlyArray<number>
  readonly directory?: number
  /** By the call's id: whom it names, and its body. */
  readonly outcomes?: Readonly<Record<string, readonly [subject: string, body: string]>>
  readonly words?: Partial<Record<WordsOf, ReadonlyArray<ReadonlyArray<Words>>>>
  readonly inTrail?: boolean
  readonly sources?: ReadonlyArray<string>
  /** What its replies wait for, and what its end does. */
  readonly hold?: Effect.Effect<unknown>
  readonly end?: Effect.Effect<unknown>
}

export type Erase<A, E> = (erasure: Erasure["Service"]) => Effect.Effect<A, E>

/** Runs an erasure over what is had. Says what it gave, and what it did, in its order. */
export const erasing = <A, E>(had: Had, erase: Erase<A, E>) =>
  Effect.gen(function* () {
    const did: Array<readonly [what: string, ...given: ReadonlyArray<unknown>]> = []
    const note = (what: string, ...given: ReadonlyArray<unknown>) => Effect.sync(() => void did.push([what, ...given]))
    const batches = (what: string, counts: ReadonlyArray<number> = []) => {
      const left = [...counts]
      return (...given: ReadonlyArray<unknown>) =>
        Effect.suspend(() => Effect.as(note(what, given.at(-1)), left.shift() ?? 0))
    }
    const waiting = [...(had.waiting ?? [])]
    const leads = [...(had.leads ?? [])]
    const outcomes = new Map(Object.entries(had.outcomes ?? {}))
    const forgotten = new Set<string>()
    const store = {
      open: (request: ErasureRequest) => Effect.as(note("open", request), { ...request, ...had.standing }),
      update: ({ fingerprints, told }: ErasureRequest) => note("update", fingerprints, told),
      finish: ({ erasureId }: ErasureRequest, atMillis: number) =>
        Effect.andThen(note("finish", erasureId, atMillis), had.end ?? Effect.void),
      eraseLeads: (_: unknown, leaving: ReadonlyArray<string>) =>
        Effect.as(
          note("leads", leaving),
          Array.from({ length: leads.shift() ?? 0 }, (__, at) => ({ campaignId: "c", campaignLeadId: `lead ${at}` }))
        ),
      eraseReplies: () => Effect.andThen(had.hold ?? Effect.void, batches("replies", had.replies)()),
      eraseAnswers: batches("answers", had.answers),
      forgetShown: batches("shown", had.shown),
      forgetLeftOut: batches("leftOut", had.leftOut),
      forgetVerdict: () => Effect.succeed(had.verdicts ?? 0),
      takeWaiting: () => Effect.succeed(waiting.shift() ?? []),
      forgetSubject: () => Effect.as(note("subject"), had.inTrail ?? false),
      words: (of: WordsOf, _: unknown, { after }: { readonly after: string | null }) => {
        const pages = had.words?.[of] ?? []
        const at = after === null ? 0 : Number(after)
        return Effect.succeed({ found: pages[at] ?? [], next: at + 1 < pages.length ? `${at + 1}` : null })
      },
      rewrite: (of: WordsOf, _: string, { id, text }: Words) => note("rewrite", of, id, text),
      outcomes: (
        _: string,
        subjects: ReadonlyArray<string>,
        { after, limit }: { readonly after: string | null; readonly limit: number }
      ) =>
        Effect.map(note("asked", subjects, after), (): ReadonlyArray<NamedOutcome> =>
          [...outcomes]
            .filter(([id, [subject]]) => subjects.includes(subject) && !forgotten.has(id) && id > (after ?? ""))
            .slice(0, limit)
            .map(([requestId, [, body]]) => ({ requestId, body }))
        ),
      rewriteOutcome: (_: string, { body, requestId }: NamedOutcome) => note("outcome", requestId, body),
      contacts: (_: string, subjects: ReadonlyArray<string>) =>
        Effect.as(note("contacts", subjects), had.contacts ?? []),
      forgetContacts: (_: string, subjects: ReadonlyArray<string>, limit: number) =>
        Effect.tap(batches("forgetContacts", had.forgottenContacts)(limit), note("ofContacts", subjects)),
      forgetFollowUps: (_: string, subjects: ReadonlyArray<string>, limit: number) =>
        Effect.tap(batches("late", had.late)(limit), note("ofLate", subjects)),
      forgetNamed: (_: string, subjects: ReadonlyArray<string>, limit: number) =>
        Effect.tap(batches("calls", had.calls)(limit), note("ofCalls", subjects)),
      forgetPerson: () => Effect.succeed(had.directory ?? 0),
      forgetOffered: (_: string, fingerprints: ReadonlyArray<string>) => note("offered", fingerprints),
      forgetSubjects: (_: string, subjects: ReadonlyArray<string>, ids: ReadonlyArray<string>) =>
        Effect.andThen(
          Effect.sync(() => ids.forEach((id) => forgotten.add(id))),
          note("subjects", subjects, ids)
        )
    }
    const stubs = Layer.mergeAll(
      Layer.succeed(ErasureStore, store as never),
      Layer.succeed(SuppressionStore, {
        add: ({ addressHash, source }: Readonly<Record<"addressHash" | "source", string>>) =>
          note("suppress", addressHash, source),
        sourcesOf: () => Effect.succeed(had.sources ?? [])
      } as never),
      Layer.succeed(VendorStore, { wakeAll: (...given: ReadonlyArray<unknown>) => note("wake", ...given) } as never),
      Layer.succeed(WorkspaceStore, {
        get: (id: string) => Effect.succeed(id === "w" ? Option.some({}) : Option.none())
      } as never),
      Layer.succeed(TrailStore, {
        append: (events: ReadonlyArray<TrailEvent>) =>
          Effect.forEach(events, ({ campaignLeadId, kind, source }) => note("tell", kind, source, campaignLeadId))
      } as never),
      Layer.succeed(Crypto, {
        mac: (purpose: string, text: string) => `${purpose}:${text.replace(/\n(?=ann)/, " ")}`
      } as never),
      Layer.succeed(Ids, { next: () => "id" }),
      Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never)
    )
    yield* TestClock.setTime(NOW)
    const gave = yield* Effect.exit(
      Effect.provide(Effect.flatMap(Erasure, erase), Layer.provide(erasureLayer, stubs) as Layer.Layer<Erasure>)
    )
    const of = (...whats: ReadonlyArray<string>) => did.filter(([what]) => whats.includes(what))
    return { gave, did, of, report: Exit.isSuccess(gave) ? gave.value : undefined }
  })

export const ann = (erasure: Erasure["Service"]) => erasure.eraseFor("w", ` ${ANN.toUpperCase()} `)
