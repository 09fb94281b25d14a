import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Exit, Fiber, Option, Schema, type Scope } from "effect"
import type { Spend } from "../Vendor.js"

/** An answer and its cost in the vendor's unit. */
export interface Brought<A> {
  readonly answer: A
  readonly amount: number
}

interface LateAnswers<A, I extends JsonObject> {
  /** The name of its follow-ups. Never change it: pending ones are found by it. */
  readonly name: string
  readonly vendor: string
  /** How long a call waits; less than for any source. */
  readonly waitSeconds: number
  /** The stored form of an answer. */
  readonly kept: Schema.Codec<A, I>
  readonly spend: Spend
  /** Requests under way are lost when it closes. */
  readonly scope: Scope.Scope
}

/** When an exchange has certainly ended, however slow the vendor. */
const ENDED_SECONDS_MAX = 120

/** The retry advice while one is under way. */
const RETRY_SECONDS = 30

/** How long a late answer is kept. A day later the caller wants a new one. */
const KEEP_SECONDS = 24 * 60 * 60

/**
 * Charged requests that may outlast a call. They continue in the background, and the next call gets the answer. A
 * request that ends in time stores nothing. If the host dies, the answer is lost.
 */
export const makeLateAnswers = <A, I extends JsonObject>({
  kept,
  name,
  scope,
  spend,
  vendor,
  waitSeconds
}: LateAnswers<A, I>) => {
  // The cost is stored until a call records it: the first to get the answer.
  const Stored = Schema.Struct({ answer: kept, amount: Schema.Number })
  const encode = Schema.encodeSync(Stored)
  const decode = Schema.decodeUnknownOption(Stored)

  const pending = new ProviderFailure({
    provider: vendor,
    reason: "transient",
    concluded: "pending",
    retryAfterSeconds: RETRY_SECONDS,
    cause: "it works on it"
  })

  const logged = (says: string) => (cause: unknown) =>
    Effect.logWarning(says, cause).pipe(Effect.annotateLogs({ provider: vendor }))

  /** The stored or pending answer of a request that outlasted its call. */
  const findStored = (email: string): Effect.Effect<Option.Option<A>, ProviderFailure> =>
    Effect.gen(function* () {
      const { later } = yield* CurrentSourceAccess
      const one = Option.getOrNull(yield* later.find(name, email))
      if (one?._tag === "Pending") return yield* Effect.fail(pending)
      const stored = one?._tag === "Answered" ? decode(one.answer) : Option.none()
      if (Option.isNone(stored)) return Option.none()
      const { amount, answer } = stored.value
      if (amount > 0) {
        const noted = later.amend(name, email, encode(stored.value), encode({ answer, amount: 0 }))
        if (yield* Effect.orElseSucceed(noted, () => true)) yield* spend(amount)
      }
      return Option.some(answer)
    }).pipe(Effect.uninterruptible)

  /** Stores the answer for the next call. */
  const keep = (email: string, fiber: Fiber.Fiber<Brought<A>, ProviderFailure>) =>
    Effect.gen(function* () {
      const { later } = yield* CurrentSourceAccess
      const exit = yield* Fiber.await(fiber)
      if (Exit.isFailure(exit)) {
        yield* logged("a late answer failed")(exit.cause)
        return yield* later.settle(name, email, { _tag: "Gone" })
      }
      const answer = encode(exit.value)
      return yield* later.settle(name, email, { _tag: "Answer", answer, keepSeconds: KEEP_SECONDS, about: email })
    }).pipe(Effect.catch(logged("a late answer could not be stored")))

  const begin = (
    email: string,
    exchange: Effect.Effect<Brought<A>, ProviderFailure>
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkIn(Effect.interruptible(exchange), scope)
        const waited = yield* restore(
          Effect.timeoutOption(Fiber.await(fiber), waitSeconds * 1000).pipe(
            Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
          )
        )
        if (Option.isSome(waited)) {
          const { amount, answer } = yield* waited.value
          yield* spend(amount)
          return answer
        }
        const { later } = yield* CurrentSourceAccess
        yield* later
          .ask({ source: name, subject: email, email, request: {}, afterSeconds: ENDED_SECONDS_MAX })
          .pipe(Effect.tapError(() => Effect.sync(() => fiber.interruptUnsafe())))
        yield* Effect.forkIn(Effect.interruptible(keep(email, fiber)), scope)
        return yield* Effect.fail(pending)
      })
    )

  const ask = (
    email: string,
    exchange: Effect.Effect<Brought<A>, ProviderFailure>
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.flatMap(findStored(email), Option.match({ onNone: () => begin(email, exchange), onSome: Effect.succeed }))

  /** The vendor can't tell the outcome of an ended request. */
  const followUp: FollowUpSource = { name, followUp: () => Effect.succeed({ _tag: "Gone" }) }
  return { ask, followUp }
}
