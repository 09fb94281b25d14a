import { Context, Effect, type Either, Layer } from "effect"
import { subjectsOf } from "../erasure/subjects.js"
import type { JsonObject } from "../calls/canonical.js"
import { Crypto } from "../ports/Crypto.js"
import { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import { Providers } from "../ports/providers/Providers.js"
import { type StoreUnavailable, UnitOfWork } from "../ports/UnitOfWork.js"
import { keptAnswer, openKept, sealKept, withinSeconds } from "./KeptLater.js"
import { AFTER_SECONDS_MAX, type FollowUp, TRIES_MAX } from "./Later.js"
import { type ClaimedFollowUp, LaterStore } from "./LaterStore.js"
import { Reaches } from "./Reaches.js"
import { Upstreams } from "./Upstreams.js"

/** How many one round asks, all at once. */
export const FOLLOW_UPS_AT_ONCE_MAX = 16

/** A source that does not end by itself is left. */
export const ASKED_SECONDS_MAX = 60

/** How long a follow-up is one host's: longer than asking takes, so that it is asked twice only where a host died. */
export const CLAIM_LEASE_MILLIS = 3 * 60_000

/** How many one round forgets. */
export const FORGOTTEN_MAX = 500

/** How long a source that failed is left alone: twice as long each time. */
const BACKOFF_SECONDS = 30
const BACKOFF_SECONDS_MAX = 60 * 60

const backoffOf = (tries: number): number => Math.min(BACKOFF_SECONDS * 2 ** (tries - 1), BACKOFF_SECONDS_MAX)

/**
 * Asks for what could not be answered while its call lasted. A round claims what is due, asks each source in the name of
 * the workspace, and keeps what it says. A host that dies on the way leaves its claim to run out: another asks again.
 */
export class FollowUps extends Context.Tag("@outbound/domain/providers/FollowUps")<
  FollowUps,
  {
    /** Asks what is due, at most `FOLLOW_UPS_AT_ONCE_MAX`. How many there were. */
    readonly round: Effect.Effect<number, StoreUnavailable>
    /** Forgets what is of no use any more, a bounded number. How many there were. */
    readonly purge: Effect.Effect<number, StoreUnavailable>
  }
>() {}

export const layer = Layer.effect(
  FollowUps,
  Effect.gen(function* () {
    const store = yield* LaterStore
    const providers = yield* Providers
    const reaches = yield* Reaches
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork

    const failure = (claimed: ClaimedFollowUp, cause: unknown) =>
      new ProviderFailure({ provider: claimed.source, reason: "transient", cause })

    /** What a source says; a defect of it is a failure like others. */
    const asked = (claimed: ClaimedFollowUp): Effect.Effect<FollowUp, ProviderFailure> => {
      const { followUps } = claimed.workspaceKind === "sandbox" ? providers.sandbox : providers.live
      const source = followUps.find(({ name }) => name === claimed.source)
      if (source === undefined) return Effect.fail(failure(claimed, "no such source"))
      const request = openKept(crypto, "request", claimed, claimed.sealed)
      // Sealed under another server's secret.
      if (request === null) return Effect.succeed({ _tag: "Gone" })
      return Effect.suspend(() => source.followUp(request, claimed.tries)).pipe(
        Effect.provideService(Upstreams, reaches.of(claimed)),
        Effect.catchAllDefect((defect) => Effect.fail(failure(claimed, defect))),
        Effect.timeoutFail({ duration: `${ASKED_SECONDS_MAX} seconds`, onTimeout: () => failure(claimed, "timed out") })
      )
    }

    /** What a failure comes to: it is asked again, unless that can't help. */
    const afterFailure = ({ tries }: ClaimedFollowUp, { reason, retryAfterSeconds = 0 }: ProviderFailure): FollowUp =>
      reason === "invalid"
        ? { _tag: "Gone" }
        : { _tag: "Again", afterSeconds: Math.max(backoffOf(tries), retryAfterSeconds) }

    /** By what an erasure finds it: whom it names now, and whom it named before. */
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
        case "Answer": {
          const { answer, keepSeconds } = outcome
          return store.answer(claimed, keptAnswer(crypto, claimed, answer, keepSeconds, claimed.addressHashes))
        }
      }
    }

    const logged = ({ source, tries }: ClaimedFollowUp, { reason }: ProviderFailure) =>
      Effect.logWarning("a follow-up failed").pipe(Effect.annotateLogs({ provider: source, reason, tries }))

    const follow = (claimed: ClaimedFollowUp) =>
      Effect.gen(function* () {
        if (claimed.tries > TRIES_MAX) return yield* atomically(store.drop(claimed))
        const outcome = yield* Effect.catchAll(asked(claimed), (failed) =>
          Effect.as(logged(claimed, failed), afterFailure(claimed, failed))
        )
        return yield* atomically(record(claimed, outcome))
      })

    return FollowUps.of({
      round: Effect.gen(function* () {
        const limit = FOLLOW_UPS_AT_ONCE_MAX
        const claimed = yield* atomically(store.claim({ leaseMillis: CLAIM_LEASE_MILLIS, limit }))
        // One that could not be recorded must not end the others half way.
        const each = (one: ClaimedFollowUp) => Effect.either(follow(one))
        const ended = yield* Effect.forEach(claimed, each, { concurrency: "unbounded" })
        yield* Effect.forEach(ended, (one: Either.Either<boolean, StoreUnavailable>) => one, { discard: true })
        return claimed.length
      }),
      purge: atomically(store.purge(FORGOTTEN_MAX))
    })
  })
)
