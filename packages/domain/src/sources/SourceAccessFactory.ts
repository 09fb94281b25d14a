import { Clock, Context, Effect, Fiber, Layer, Option } from "effect"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import { makeOwnKeyReader } from "./ownKeys/reading.js"
import type { CallNotes } from "./CallNotes.js"
import { Circuits, noCircuits } from "./Circuits.js"
import { Coalesce } from "./Coalesce.js"
import { noAccess, type SourceAccess } from "./SourceAccess.js"
import { canonicalJson, type JsonObject } from "../kernel/canonical.js"
import { addressHashOf, subjectsOf } from "../kernel/people/subjects.js"
import { usableEmail } from "../kernel/people/EmailAddress.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { Ids } from "../kernel/ports/Ids.js"
import { LongWork } from "../kernel/ports/LongWork.js"
import { ProviderFailure } from "./ports/Source.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import {
  AFTER_SECONDS_MAX,
  type FollowUpRequest,
  KEPT_SECONDS_MAX,
  KEPT_UNNAMED_SECONDS_MAX,
  type Later,
  PENDING_SECONDS_MAX
} from "./Later.js"
import type { SettledFollowUp } from "./ports/FollowUpSource.js"
import { type FollowUpKey, followUpsJob, type KeptAnswer, LaterStore } from "./LaterStore.js"

/** What a follow-up keeps: the request, then the answer. */
type Kept = "request" | "answer"

const boundTo = (kept: Kept, { source, subjectHash, workspaceId }: FollowUpKey): string =>
  [kept, workspaceId, source, subjectHash].join("\n")

export const sealKept = (crypto: Crypto["Service"], kept: Kept, key: FollowUpKey, value: JsonObject): string =>
  crypto.seal("later", JSON.stringify(value), boundTo(kept, key))

/** Null: sealed under another server's secret. */
export const openKept = (
  crypto: Crypto["Service"],
  kept: Kept,
  key: FollowUpKey,
  sealed: string
): JsonObject | null => {
  const text = crypto.open("later", sealed, boundTo(kept, key))
  return text === null ? null : (JSON.parse(text) as JsonObject)
}

/** Clamps a wait to between a second and `most`. */
export const withinSeconds = (seconds: number, most: number): number =>
  Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), most) : most

/** An answer ready to store: sealed and indexed by the people it names. It expires sooner if it names nobody. */
export const keptAnswer = (
  crypto: Crypto["Service"],
  key: FollowUpKey,
  answer: JsonObject,
  keepSeconds: number,
  namedBefore: ReadonlyArray<string> = []
): KeptAnswer => {
  const addressHashes = [...new Set([...namedBefore, ...subjectsOf(crypto, key.workspaceId, [answer])])]
  const most = addressHashes.length === 0 ? KEPT_UNNAMED_SECONDS_MAX : KEPT_SECONDS_MAX
  return {
    sealed: sealKept(crypto, "answer", key, answer),
    addressHashes,
    keepMillis: Math.round(withinSeconds(keepSeconds, most) * 1000),
    isUnknown: false
  }
}

/** An outcome that can never be known. It names nobody, and is kept for its full time. */
export const keptUnknown = (
  crypto: Crypto["Service"],
  key: FollowUpKey,
  keepSeconds: number,
  namedBefore: ReadonlyArray<string> = []
): KeptAnswer => ({
  sealed: sealKept(crypto, "answer", key, {}),
  addressHashes: namedBefore,
  keepMillis: Math.round(withinSeconds(keepSeconds, KEPT_SECONDS_MAX) * 1000),
  isUnknown: true
})

/** Keeps a workspace's follow-ups in the store. The store is read only when a source asks. */
export const makeKeptLater = Effect.gen(function* () {
  const store = yield* LaterStore
  const crypto = yield* Crypto
  const ids = yield* Ids
  const work = yield* LongWork
  const { atomically } = yield* UnitOfWork

  const keyOf = (workspaceId: string, source: string, subject: string): FollowUpKey => ({
    workspaceId,
    source,
    subjectHash: crypto.mac("person", `${workspaceId}\nlater\n${source}\n${subject}`)
  })

  const hashOf = (workspaceId: string, email: string | null): ReadonlyArray<string> => {
    const address = email === null ? null : usableEmail(email)
    return address === null ? [] : [addressHashOf(crypto, workspaceId, address)]
  }

  const hashesOf = (workspaceId: string, { email, request }: FollowUpRequest): ReadonlyArray<string> => [
    ...new Set([...hashOf(workspaceId, email), ...subjectsOf(crypto, workspaceId, [request])])
  ]

  const settledBy = (key: FollowUpKey, outcome: SettledFollowUp): KeptAnswer | null => {
    switch (outcome._tag) {
      case "Gone":
        return null
      case "Unknown":
        return keptUnknown(crypto, key, outcome.keepSeconds)
      case "Answer":
        return keptAnswer(
          crypto,
          key,
          outcome.answer,
          outcome.keepSeconds,
          hashOf(key.workspaceId, outcome.about ?? null)
        )
    }
  }

  // Uninterruptible: a source may be abandoned here, a statement must not be.
  const runStatement = <A>(source: string, effect: FromStore<A>): Effect.Effect<A, ProviderFailure> =>
    Effect.mapError(
      Effect.flatMap(Effect.forkDetach(effect), Fiber.join),
      (cause) => new ProviderFailure({ provider: source, reason: "transient", cause })
    )

  /** The unexpired value of a subject, opened. Null: expired, or not of this kind. */
  const findKept = (kept: Kept, key: FollowUpKey) =>
    Effect.map(store.find(key), (found) => {
      const row = Option.getOrNull(found)
      if (row === null || row.isUnknown || (row.answeredAtMillis === null) !== (kept === "request")) return null
      const value = openKept(crypto, kept, key, row.sealed)
      return value === null ? null : { sealed: row.sealed, text: canonicalJson(value) }
    })

  /** Bound to a workspace; `requestId`: the call it serves. */
  return (workspaceId: string, requestId: string | null = null): Later => ({
    find: (source, subject) => {
      const key = keyOf(workspaceId, source, subject)
      return Effect.map(
        runStatement(source, store.find(key)),
        Option.flatMap(({ answeredAtMillis, isUnknown, sealed }) => {
          if (isUnknown) return Option.some({ _tag: "Unknown" as const, sinceMillis: answeredAtMillis ?? 0 })
          if (answeredAtMillis === null) {
            const request = openKept(crypto, "request", key, sealed)
            return request === null ? Option.none() : Option.some({ _tag: "Pending" as const, request })
          }
          const answer = openKept(crypto, "answer", key, sealed)
          return answer === null ? Option.none() : Option.some({ _tag: "Answered" as const, answer, answeredAtMillis })
        })
      )
    },
    ask: (asked) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        const key = keyOf(workspaceId, asked.source, asked.subject)
        const followUp = {
          ...key,
          followUpId: asked.id ?? ids.next(nowMillis),
          requestId,
          sealed: sealKept(crypto, "request", key, asked.request),
          addressHashes: hashesOf(workspaceId, asked),
          afterMillis: Math.round(withinSeconds(asked.afterSeconds, AFTER_SECONDS_MAX) * 1000),
          keepMillis: PENDING_SECONDS_MAX * 1000
        }
        const kept = Effect.tap(store.insert(followUp), (isNew) =>
          isNew ? work.announce([{ ...followUpsJob(asked.source), afterMillis: followUp.afterMillis }]) : Effect.void
        )
        return runStatement(asked.source, atomically(kept))
      }),
    revise: (source, subject, before, after, afterSeconds) => {
      const key = keyOf(workspaceId, source, subject)
      const afterMillis = Math.round(withinSeconds(afterSeconds, AFTER_SECONDS_MAX) * 1000)
      const revised = Effect.flatMap(findKept("request", key), (found) =>
        found === null || found.text !== canonicalJson(before)
          ? Effect.succeed(false)
          : atomically(
              Effect.tap(
                store.revise(key, found.sealed, {
                  sealed: sealKept(crypto, "request", key, after),
                  addressHashes: subjectsOf(crypto, workspaceId, [after]),
                  afterMillis
                }),
                work.announce([{ ...followUpsJob(source), afterMillis }])
              )
            )
      )
      return runStatement(source, revised)
    },
    settle: (source, subject, outcome) => {
      const key = keyOf(workspaceId, source, subject)
      return runStatement(source, atomically(store.settle(key, settledBy(key, outcome))))
    },
    amend: (source, subject, before, after) => {
      const key = keyOf(workspaceId, source, subject)
      const amended = Effect.flatMap(findKept("answer", key), (found) =>
        found === null || found.text !== canonicalJson(before)
          ? Effect.succeed(false)
          : atomically(store.amend(key, found.sealed, sealKept(crypto, "answer", key, after)))
      )
      return runStatement(source, amended)
    }
  })
})

export interface Asking {
  readonly workspaceId: string
  readonly workspaceKind: WorkspaceKind
  /** The call, if there is one. */
  readonly requestId?: string
  /** The verb, if one was called. */
  readonly verb?: string
  /** Collects costs and evidence, if wanted. */
  readonly notes?: CallNotes | null
}

/** Makes the access of a workspace, for its calls and its background work. */
export class SourceAccessFactory extends Context.Service<
  SourceAccessFactory,
  { readonly of: (asking: Asking) => SourceAccess }
>()("@outbound/domain/sources/SourceAccessFactory") {}

export const layer = Layer.effect(
  SourceAccessFactory,
  Effect.gen(function* () {
    const circuits = yield* Circuits
    const coalesce = yield* Coalesce
    const laterOf = yield* makeKeptLater
    const ownKeysOf = yield* makeOwnKeyReader

    return SourceAccessFactory.of({
      // The sandbox learns nothing: the same request always gets the same answer.
      of: ({ notes = null, requestId, verb = null, workspaceId, workspaceKind }) => {
        const isSandbox = workspaceKind === "sandbox"
        const { ownKey, ownKeyAccepted, ownKeyRefused } = isSandbox ? noAccess : ownKeysOf(workspaceId)
        return {
          workspaceId,
          verb,
          circuits: isSandbox ? noCircuits : circuits,
          together: (key, lookup) => coalesce.together(`${workspaceId} ${key}`, lookup),
          later: laterOf(workspaceId, requestId),
          ownKey,
          ownKeyRefused,
          ownKeyAccepted,
          spent: notes === null ? noAccess.spent : (cost) => Effect.sync(() => notes.spend(cost)),
          evidence:
            notes === null ? noAccess.evidence : (source, facts) => Effect.sync(() => notes.witness(source, facts))
        }
      }
    })
  })
)
