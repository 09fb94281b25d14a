import { canonicalJson, type JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { FollowUp, FollowUpSource, Later } from "@outbound/domain/sources/Later.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Cause, Clock, Effect, Exit, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"

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

/**
 * Starts a job, with our marker where the vendor keeps one, and tells what it is looked at with. Null: nobody is known
 * there, and nothing was started.
 */
export type StartJob = (marker: string) => Effect.Effect<JsonObject | null, ProviderFailure>

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

/**
 * Written down before a job is started, with the marker that it is started with. Whoever finds it when its time is over
 * knows that the job may have been started, and can't know more.
 */
const Starting = Schema.Struct({ starting: Schema.String })
const isStarting = Schema.is(Starting)

/** When a start has ended for certain: longer than any source is waited for. */
const STARTED_SECONDS_MAX = 120

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
 * Jobs that a vendor is paid for and that outlast a call. One is started once for each person: that it will be is written
 * down first, so that of many who ask for the same person, on any hosts, one starts it, and the others look at that job.
 * The call looks at it for a while, then leaves the rest to the follow-up. One of which nobody learnt whether it was
 * started is not started again for as long as its answer would have been kept.
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

  const unknown = new ProviderFailure({
    provider: vendor,
    reason: "unknown_outcome",
    concluded: "skipped",
    retryAfterSeconds: DAY_SECONDS,
    cause: "whether it was started is not known"
  })

  const unread = new ProviderFailure({ provider: vendor, reason: "invalid", cause: "what is kept can't be read" })

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

  /** What a start came to that named no job: nothing, for certain; or nobody knows. */
  const unstarted = (later: Later, subject: string, marker: string, cause: Cause.Cause<ProviderFailure> | null) =>
    Effect.gen(function* () {
      const failure = cause === null ? null : Option.getOrNull(Cause.failureOption(cause))
      const isCertain = cause === null || (failure !== null && failure.reason !== "unknown_outcome")
      const outcome = isCertain ? ({ _tag: "Gone" } as const) : ({ _tag: "Unknown", keepSeconds } as const)
      yield* orElse(true, later.settle(name, subject, outcome))
      if (isCertain) return
      const { evidence } = yield* CurrentSourceAccess
      yield* evidence(vendor, { job: marker, outcome: "unknown" })
      yield* Effect.logWarning("a job may have been started").pipe(Effect.annotateLogs({ provider: vendor, marker }))
    })

  /** Starts a job where nobody else does; none: somebody does. Null: none was needed, as nobody is known there. */
  const begin = (
    later: Later,
    subject: string,
    email: string | null,
    start: StartJob
  ): Effect.Effect<Option.Option<JsonObject | null>, ProviderFailure> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const marker = randomUUID()
        const request = { starting: marker }
        const afterSeconds = STARTED_SECONDS_MAX
        const isOurs = yield* later.ask({ id: marker, source: name, subject, email, request, afterSeconds })
        if (!isOurs) return Option.none()
        const started = yield* Effect.exit(restore(start(marker)))
        if (Exit.isFailure(started) || started.value === null) {
          yield* unstarted(later, subject, marker, Exit.isFailure(started) ? started.cause : null)
        } else {
          const { again_after_seconds } = patience
          yield* orElse(true, later.revise(name, subject, request, started.value, again_after_seconds))
        }
        return Option.some(yield* started)
      })
    )

  /**
   * Starts a job unless there is one, and waits for it for as long as a call may. Null: none was needed, as nobody is
   * known there.
   */
  const ask = (identity: PersonIdentity, start: StartJob): Effect.Effect<A | null, ProviderFailure> =>
    Effect.gen(function* () {
      const { later } = yield* CurrentSourceAccess
      const subject = subjectOf(identity)
      const untilMillis = (yield* Clock.currentTimeMillis) + patience.poll_seconds_max * 1000

      const attend: Effect.Effect<A | null, ProviderFailure> = Effect.gen(function* () {
        const known = Option.getOrNull(yield* later.find(name, subject))
        switch (known?._tag) {
          case undefined: {
            const begun = yield* begin(later, subject, identity.email, start)
            if (Option.isNone(begun)) return yield* attend
            return begun.value === null ? null : yield* lookUntil(later, subject, begun.value, untilMillis)
          }
          case "Unknown":
            return yield* Effect.fail(unknown)
          case "Answered": {
            const told = decode(known.answer)
            return Option.isSome(told) ? yield* tell(later, subject, told.value) : yield* Effect.fail(unread)
          }
          case "Pending": {
            if (!isStarting(known.request)) return yield* lookUntil(later, subject, known.request, untilMillis)
            const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
            if (leftMillis <= 0) return yield* Effect.fail(pending)
            yield* Effect.sleep(Math.min(patience.poll_every_seconds * 1000, leftMillis))
            return yield* attend
          }
        }
      })
      return yield* attend
    })

  /** Nothing at the vendor leads from the marker to the job. */
  const followStart = (marker: string): Effect.Effect<FollowUp> =>
    Effect.logWarning("a job may have been started").pipe(
      Effect.annotateLogs({ provider: vendor, marker }),
      Effect.as({ _tag: "Unknown", keepSeconds })
    )

  const followJob = (job: JsonObject): Effect.Effect<FollowUp, ProviderFailure> =>
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

  const source: FollowUpSource = {
    name,
    followUp: (job) => (isStarting(job) ? followStart(job.starting) : followJob(job))
  }
  return { ask, followUp: source }
}
