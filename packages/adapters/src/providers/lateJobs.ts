import { canonicalJson, type JsonObject } from "@outbound/domain/calls/canonical.js"
import type { PersonIdentity } from "@outbound/domain/ports/providers/Person.js"
import { ProviderFailure } from "@outbound/domain/ports/providers/ProviderFailure.js"
import type { FollowUp, FollowUpSource, Later } from "@outbound/domain/providers/Later.js"
import { Upstreams } from "@outbound/domain/providers/Upstreams.js"
import { Clock, Effect, Option, Schema } from "effect"

/** What looking at a job tells. */
export type Looked<A> =
  | { readonly _tag: "Working" }
  /** What it found, and what that cost in the vendor's unit. */
  | { readonly _tag: "Done"; readonly answer: A; readonly amount: number }
  /** It will never be done; why, as a failure. */
  | { readonly _tag: "Lost"; readonly failure: ProviderFailure }

/** How long a vendor's jobs are looked after, in seconds. */
export interface Patience {
  /** Between two looks, while the call waits. */
  readonly poll_every_seconds: number
  /** How long the call waits; shorter than any source is waited for. */
  readonly poll_seconds_max: number
  /** When it is looked at first after the call, and how often from then on. */
  readonly again_after_seconds: number
  readonly keep_days: number
}

interface LateJobs<A, I extends JsonObject> {
  /** The name of its follow-ups; never changed, as what is pending is found by it. */
  readonly name: string
  readonly vendor: string
  readonly patience: Patience
  /** An answer as it is kept. */
  readonly kept: Schema.Schema<A, I>
  /** Looks at a job, which costs nothing. */
  readonly look: (job: JsonObject) => Effect.Effect<Looked<A>, ProviderFailure>
  readonly spend: (amount: number) => Effect.Effect<void>
}

/** Someone asked about; case, white space and a slash at the end make nobody another. */
export const subjectOf = (identity: PersonIdentity): string =>
  canonicalJson(
    Object.fromEntries(
      Object.entries(identity).map(([name, value]: readonly [string, string | null]) => [
        name,
        value === null ? null : value.trim().toLowerCase().replace(/\s+/g, " ").replace(/\/+$/, "")
      ])
    )
  )

const DAY_SECONDS = 24 * 60 * 60

/**
 * Jobs that a vendor is paid for and that outlast a call. One is started once for each person; that it was is written
 * down before anything else, so that whoever asks for the same person, on any host, looks at that job, and nobody starts
 * another. The call looks at it for a while, then leaves the rest to the follow-up.
 */
export const makeLateJobs = <A, I extends JsonObject>({
  kept,
  look,
  name,
  patience,
  spend,
  vendor
}: LateJobs<A, I>) => {
  // What it cost is kept with it, until a call notes it: the first one that is told.
  const Told = Schema.Struct({ answer: kept, amount: Schema.Number })
  const encode = (answer: A, amount: number) => ({ answer: Schema.encodeSync(kept)(answer), amount })
  const decode = Schema.decodeUnknownOption(Told)
  const keepSeconds = patience.keep_days * DAY_SECONDS

  const pending = new ProviderFailure({
    provider: vendor,
    reason: "transient",
    concluded: "pending",
    retryAfterSeconds: patience.again_after_seconds,
    cause: "it works on it"
  })

  /** What a store that is down must not take from a call that has paid. */
  const orElse = <A2>(instead: A2, note: Effect.Effect<A2, ProviderFailure>): Effect.Effect<A2> =>
    Effect.catchAll(note, ({ cause }) =>
      Effect.logWarning("a job could not be noted", cause).pipe(
        Effect.annotateLogs({ provider: vendor }),
        Effect.as(instead)
      )
    )

  /** A kept answer; the first call that is told it notes what it cost. */
  const tell = (later: Later, subject: string, told: typeof Told.Type) =>
    told.amount <= 0
      ? Effect.succeed(told.answer)
      : orElse(true, later.amend(name, subject, encode(told.answer, told.amount), encode(told.answer, 0))).pipe(
          Effect.flatMap((isFirst) => (isFirst ? spend(told.amount) : Effect.void)),
          Effect.as(told.answer),
          Effect.uninterruptible
        )

  /** Of several who see a job end, the one notes what it cost whose answer is kept; where none is, each. */
  const done = (later: Later, subject: string, { amount, answer }: { readonly answer: A; readonly amount: number }) =>
    Effect.gen(function* () {
      const outcome = { _tag: "Answer", answer: encode(answer, 0), keepSeconds } as const
      if (!(yield* orElse(true, later.settle(name, subject, outcome)))) {
        const known = yield* orElse(Option.none(), later.find(name, subject))
        const told =
          Option.isSome(known) && known.value._tag === "Answered" ? decode(known.value.answer) : Option.none()
        if (Option.isSome(told)) return yield* tell(later, subject, told.value)
      }
      yield* spend(amount)
      return answer
    }).pipe(Effect.uninterruptible)

  const lookUntil = (
    later: Later,
    subject: string,
    job: JsonObject,
    untilMillis: number
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.gen(function* () {
      const looked = yield* look(job)
      if (looked._tag === "Done") return yield* done(later, subject, looked)
      if (looked._tag === "Lost") {
        yield* orElse(true, later.settle(name, subject, { _tag: "Gone" }))
        return yield* Effect.fail(looked.failure)
      }
      const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
      if (leftMillis <= 0) return yield* Effect.fail(pending)
      yield* Effect.sleep(Math.min(patience.poll_every_seconds * 1000, leftMillis))
      return yield* lookUntil(later, subject, job, untilMillis)
    })

  /**
   * Starts a job unless there is one, and waits for it for as long as a call may. Null: none was needed, as nobody is
   * known there.
   */
  const ask = (
    identity: PersonIdentity,
    start: Effect.Effect<JsonObject | null, ProviderFailure>
  ): Effect.Effect<A | null, ProviderFailure> =>
    Effect.gen(function* () {
      const { later } = yield* Upstreams
      const subject = subjectOf(identity)
      const untilMillis = (yield* Clock.currentTimeMillis) + patience.poll_seconds_max * 1000
      const known = yield* later.find(name, subject)
      if (Option.isSome(known)) {
        if (known.value._tag === "Pending") return yield* lookUntil(later, subject, known.value.request, untilMillis)
        const told = decode(known.value.answer)
        if (Option.isSome(told)) return yield* tell(later, subject, told.value)
      }
      const { email } = identity
      const afterSeconds = patience.again_after_seconds
      const job = yield* Effect.uninterruptibleMask((restore) =>
        Effect.tap(restore(start), (request) =>
          request === null
            ? Effect.void
            : orElse(undefined, later.ask({ source: name, subject, email, request, afterSeconds }))
        )
      )
      return job === null ? null : yield* lookUntil(later, subject, job, untilMillis)
    })

  const followUp = (job: JsonObject): Effect.Effect<FollowUp, ProviderFailure> =>
    Effect.flatMap(look(job), (looked): Effect.Effect<FollowUp> => {
      switch (looked._tag) {
        case "Working":
          return Effect.succeed({ _tag: "Again", afterSeconds: patience.again_after_seconds })
        case "Lost":
          return Effect.succeed({ _tag: "Gone" })
        case "Done":
          return Effect.succeed({ _tag: "Answer", answer: encode(looked.answer, looked.amount), keepSeconds })
      }
    })

  const source: FollowUpSource = { name, followUp }
  return { ask, followUp: source }
}
