import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { FollowUpSource } from "@outbound/domain/sources/Later.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Exit, Fiber, Option, Schema, type Scope } from "effect"
import type { Spend } from "../spending.js"

/** What an exchange brought, and what it cost in the vendor's unit. */
export interface Brought<A> {
  readonly answer: A
  readonly amount: number
}

interface LateAnswers<A, I extends JsonObject> {
  /** The name of its follow-ups; never changed, as what is pending is found by it. */
  readonly name: string
  readonly vendor: string
  /** How long a call waits; shorter than any source is waited for. */
  readonly waitSeconds: number
  /** An answer as it is kept. */
  readonly kept: Schema.Schema<A, I>
  readonly spend: Spend
  /** What is still under way when it closes is lost. */
  readonly scope: Scope.Scope
}

/** When an exchange has ended for certain, however long its vendor took. */
const ENDED_SECONDS_MAX = 120

/** When to ask again about one that is under way. */
const RETRY_SECONDS = 30

/** An answer that came late is for whoever asks again; who asks a day later wants to know anew. */
const KEEP_SECONDS = 24 * 60 * 60

/**
 * Exchanges that may take longer than a call waits, each of which is paid for: one that does goes on behind the call's
 * back, and who asks next is told what came of it. Nothing is written down of one that ends in time. A host that dies
 * meanwhile takes the answer with it.
 */
export const makeLateAnswers = <A, I extends JsonObject>({
  kept,
  name,
  scope,
  spend,
  vendor,
  waitSeconds
}: LateAnswers<A, I>) => {
  // What it cost is kept with it, until a call notes it: the first one that is told.
  const Told = Schema.Struct({ answer: kept, amount: Schema.Number })
  const encode = Schema.encodeSync(Told)
  const decode = Schema.decodeUnknownOption(Told)

  const pending = new ProviderFailure({
    provider: vendor,
    reason: "transient",
    concluded: "pending",
    retryAfterSeconds: RETRY_SECONDS,
    cause: "it works on it"
  })

  const logged = (says: string) => (cause: unknown) =>
    Effect.logWarning(says, cause).pipe(Effect.annotateLogs({ provider: vendor }))

  /** What is known, or under way, of an exchange that was too late for the call that began it. */
  const known = (email: string): Effect.Effect<Option.Option<A>, ProviderFailure> =>
    Effect.gen(function* () {
      const { later } = yield* CurrentSourceAccess
      const one = Option.getOrNull(yield* later.find(name, email))
      if (one?._tag === "Pending") return yield* Effect.fail(pending)
      const told = one?._tag === "Answered" ? decode(one.answer) : Option.none()
      if (Option.isNone(told)) return Option.none()
      const { amount, answer } = told.value
      if (amount > 0) {
        const noted = later.amend(name, email, encode(told.value), encode({ answer, amount: 0 }))
        if (yield* Effect.orElseSucceed(noted, () => true)) yield* spend(amount)
      }
      return Option.some(answer)
    }).pipe(Effect.uninterruptible)

  /** Keeps what came for whoever asks next. */
  const keep = (email: string, fiber: Fiber.Fiber<Brought<A>, ProviderFailure>) =>
    Effect.gen(function* () {
      const { later } = yield* CurrentSourceAccess
      const exit = yield* Fiber.await(fiber)
      if (Exit.isFailure(exit)) {
        yield* logged("an answer that was waited for did not come")(exit.cause)
        return yield* later.settle(name, email, { _tag: "Gone" })
      }
      const answer = encode(exit.value)
      return yield* later.settle(name, email, { _tag: "Answer", answer, keepSeconds: KEEP_SECONDS, about: email })
    }).pipe(Effect.catchAll(logged("a late answer could not be kept")))

  const begin = (
    email: string,
    exchange: Effect.Effect<Brought<A>, ProviderFailure>
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkIn(Effect.interruptible(exchange), scope)
        const waited = yield* restore(
          Effect.timeoutOption(Fiber.await(fiber), waitSeconds * 1000).pipe(
            Effect.onInterrupt(() => Fiber.interruptFork(fiber))
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
          .pipe(Effect.tapError(() => Fiber.interruptFork(fiber)))
        yield* Effect.forkIn(Effect.interruptible(keep(email, fiber)), scope)
        return yield* Effect.fail(pending)
      })
    )

  const ask = (
    email: string,
    exchange: Effect.Effect<Brought<A>, ProviderFailure>
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.flatMap(known(email), Option.match({ onNone: () => begin(email, exchange), onSome: Effect.succeed }))

  /** Nothing there tells what became of it once its exchange has ended. */
  const followUp: FollowUpSource = { name, followUp: () => Effect.succeed({ _tag: "Gone" }) }
  return { ask, followUp }
}
