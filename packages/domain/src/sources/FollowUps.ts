import { Clock, Context, Duration, Effect, Layer, Queue } from "effect"
import { subjectsOf } from "../kernel/people/subjects.js"
import type { JsonObject } from "../kernel/canonical.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { ProviderFailure } from "./ports/Source.js"
import { Providers } from "./ports/Providers.js"
import { backoff } from "../kernel/backoff.js"
import { DONE, type JobHandler, LongWork, waitFor } from "../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { about, inSpan, type Work } from "../kernel/telemetry.js"
import { AFTER_SECONDS_MAX, TRIES_MAX } from "./Later.js"
import type { FollowUp } from "./ports/FollowUpSource.js"
import { type ClaimedFollowUp, followUpsJob, type Lane, LaterStore } from "./LaterStore.js"
import {
  keptAnswer,
  keptUnknown,
  openKept,
  sealKept,
  SourceAccessFactory,
  withinSeconds
} from "./SourceAccessFactory.js"
import { CurrentSourceAccess } from "./SourceAccess.js"

/** The most follow-ups that one host asks at once, in all and per source. */
export const FOLLOW_UPS_AT_ONCE_MAX = 64
export const OF_SOURCE_AT_ONCE_MAX = 16

/** The pause between claims while follow-ups of the source are under way. */
const BESIDE = Duration.seconds(2)

/** The longest turn at a busy source. Then any host may take the job. */
const TURN_MILLIS = 5 * 60_000

/** The time limit of one follow-up. */
export const ASKED_SECONDS_MAX = 60

/** How long a host holds a claim: longer than asking takes, so that only a crash makes another host ask too. */
export const CLAIM_LEASE_MILLIS = 3 * 60_000

/** The most rows that one purge deletes. */
export const FORGOTTEN_MAX = 500

/** How long a source that failed is left alone: twice as long each time. */
const BACKOFF_SECONDS = { first: 30, max: 60 * 60 }

const workOf = ({ followUpId, source, workspaceId }: ClaimedFollowUp): Work => ({
  workspace_id: workspaceId,
  follow_up_id: followUpId,
  provider: source
})

/**
 * Completes lookups that outlasted their call: claims what is due, asks each source on behalf of the workspace, and
 * keeps the answer. Each source has its own lane, so a slow one delays no other. If a host dies, its claim expires and
 * another host asks again.
 */
export class FollowUps extends Context.Service<
  FollowUps,
  {
    /** Asks what is due, up to the room in the lanes. Returns the number asked. */
    readonly round: FromStore<number>
    /** The job of a source: asks until nothing is due there. No source waits for another. */
    readonly handler: JobHandler
    /** Announces again the job of each source with pending follow-ups. */
    readonly announce: FromStore<void>
    /** Deletes a bounded number of expired rows. Returns the number. */
    readonly purge: FromStore<number>
  }
>()("@outbound/domain/sources/FollowUps") {}

export const layer = Layer.effect(
  FollowUps,
  Effect.gen(function* () {
    const store = yield* LaterStore
    const providers = yield* Providers
    const accessFactory = yield* SourceAccessFactory
    const crypto = yield* Crypto
    const work = yield* LongWork
    const { atomically } = yield* UnitOfWork

    const failure = (claimed: ClaimedFollowUp, cause: unknown) =>
      new ProviderFailure({ provider: claimed.source, reason: "transient", cause })

    /** The source's answer. A defect becomes a failure. */
    const askSource = (claimed: ClaimedFollowUp): Effect.Effect<FollowUp, ProviderFailure> => {
      const { followUps } = claimed.workspaceKind === "sandbox" ? providers.sandbox : providers.live
      const source = followUps.find(({ name }) => name === claimed.source)
      if (source === undefined) return Effect.fail(failure(claimed, "no such source"))
      const request = openKept(crypto, "request", claimed, claimed.sealed)
      // Sealed under another server's secret.
      if (request === null) return Effect.succeed({ _tag: "Gone" })
      return Effect.suspend(() => source.followUp(request, claimed.tries)).pipe(
        Effect.provideService(CurrentSourceAccess, accessFactory.of(claimed)),
        Effect.catchDefect((defect) => Effect.fail(failure(claimed, defect))),
        Effect.timeoutOrElse({
          duration: `${ASKED_SECONDS_MAX} seconds`,
          orElse: () => Effect.fail(failure(claimed, "timed out"))
        })
      )
    }

    /** The outcome of a failure: ask again, unless that can't help. */
    const afterFailure = ({ tries }: ClaimedFollowUp, { reason, retryAfterSeconds = 0 }: ProviderFailure): FollowUp =>
      reason === "invalid"
        ? { _tag: "Gone" }
        : { _tag: "Again", afterSeconds: Math.max(backoff(tries, BACKOFF_SECONDS), retryAfterSeconds) }

    /** The keyed hashes for erasure: people named now, and people named before. */
    const hashesOf = ({ addressHashes, workspaceId }: ClaimedFollowUp, value: JsonObject) => [
      ...new Set([...addressHashes, ...subjectsOf(crypto, workspaceId, [value])])
    ]

    const record = (claimed: ClaimedFollowUp, outcome: FollowUp) => {
      switch (outcome._tag) {
        case "Gone":
          return store.drop(claimed)
        case "Again": {
          if (claimed.tries >= TRIES_MAX) return store.drop(claimed)
          const { afterSeconds, request } = outcome
          const afterMillis = Math.round(withinSeconds(afterSeconds, AFTER_SECONDS_MAX) * 1000)
          const { addressHashes, sealed } = claimed
          if (request === undefined) return store.again(claimed, { sealed, addressHashes, afterMillis })
          return store.again(claimed, {
            sealed: sealKept(crypto, "request", claimed, request),
            addressHashes: hashesOf(claimed, request),
            afterMillis
          })
        }
        case "Unknown":
          return store.answer(claimed, keptUnknown(crypto, claimed, outcome.keepSeconds, claimed.addressHashes))
        case "Answer": {
          const { answer, keepSeconds } = outcome
          return store.answer(claimed, keptAnswer(crypto, claimed, answer, keepSeconds, claimed.addressHashes))
        }
      }
    }

    const logged = ({ tries }: ClaimedFollowUp, { reason }: ProviderFailure) =>
      Effect.logWarning("a follow-up failed").pipe(Effect.annotateLogs({ reason, tries }))

    const follow = (claimed: ClaimedFollowUp) =>
      Effect.gen(function* () {
        if (claimed.tries > TRIES_MAX) return yield* atomically(store.drop(claimed))
        const asking = inSpan("follow_up.ask", {
          kind: "client",
          attributes: () => ({ "outbound.try": claimed.tries }),
          ended: ({ _tag }: FollowUp) => ({ "outbound.outcome": _tag })
        })(askSource(claimed))
        const outcome = yield* Effect.catch(asking, (failed) =>
          Effect.as(logged(claimed, failed), afterFailure(claimed, failed))
        )
        return yield* atomically(record(claimed, outcome))
      }).pipe(about(workOf(claimed)))

    const sources = [...new Set([...providers.live.followUps, ...providers.sandbox.followUps].map(({ name }) => name))]
    const laneMax = Math.max(1, Math.min(OF_SOURCE_AT_ONCE_MAX, Math.floor(FOLLOW_UPS_AT_ONCE_MAX / sources.length)))

    /** Claims what is due and fits. */
    const claim = (lanes: ReadonlyArray<Lane>, limit: number) =>
      lanes.length === 0
        ? Effect.succeed([])
        : atomically(store.claim({ leaseMillis: CLAIM_LEASE_MILLIS, lanes, limit }))

    const round = Effect.gen(function* () {
      const lanes = sources.map((source) => ({ source, limit: laneMax }))
      const claimed = yield* claim(lanes, FOLLOW_UPS_AT_ONCE_MAX)
      // One failure to record must not stop the others.
      const each = (one: ClaimedFollowUp) => Effect.result(follow(one))
      const ended = yield* Effect.forEach(claimed, each, { concurrency: "unbounded" })
      yield* Effect.forEach(ended, (one) => Effect.fromResult(one), { discard: true })
      return claimed.length
    })

    /** Asks one source until nothing is due there, as many at once as its lane holds. */
    const handler: JobHandler = (source) =>
      Effect.gen(function* () {
        const untilMillis = (yield* Clock.currentTimeMillis) + TURN_MILLIS
        /** Signals that a follow-up ended and its lane has room. */
        const ended = yield* Queue.sliding<void>(1)
        let asking = 0
        const followAside = (claimed: ClaimedFollowUp) => {
          asking += 1
          return follow(claimed).pipe(
            Effect.catchCause((cause) => Effect.logWarning("storing a follow-up's result failed", cause)),
            about(workOf(claimed)),
            Effect.ensuring(
              Effect.suspend(() => {
                asking -= 1
                return Queue.offer(ended, undefined)
              })
            ),
            Effect.forkScoped
          )
        }
        for (;;) {
          const mayClaim = asking < laneMax && (yield* Clock.currentTimeMillis) < untilMillis
          const claimed = mayClaim ? yield* claim([{ source, limit: laneMax - asking }], laneMax) : []
          yield* Effect.forEach(claimed, followAside, { discard: true })
          if (claimed.length > 0) continue
          if (asking === 0) break
          // What becomes due while one is slow is asked beside it.
          yield* Effect.timeoutOption(Queue.take(ended), BESIDE)
        }
        const [next] = yield* store.due([source])
        return next === undefined ? DONE : waitFor(next.inMillis)
      }).pipe(Effect.scoped)

    const announce = Effect.gen(function* () {
      const pending = yield* store.due(sources)
      const jobs = pending.map(({ inMillis, source }) => ({ ...followUpsJob(source), afterMillis: inMillis }))
      if (jobs.length > 0) yield* atomically(work.announce(jobs))
    })

    return FollowUps.of({ round, handler, announce, purge: atomically(store.purge(FORGOTTEN_MAX)) })
  })
)
