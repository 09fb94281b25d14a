import { canonicalJson, type JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { FollowUp, FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import type { Later } from "@outbound/domain/sources/Later.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Cause, Clock, Effect, Exit, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { Patience } from "./shape.js"

/** The state of a job. */
export type JobState<A> =
  /** How long the vendor asks us to wait before the next look; absent: it doesn't say. */
  | { readonly _tag: "Working"; readonly afterSeconds?: number | undefined }
  /** Its answer, and the cost in the vendor's unit. */
  | { readonly _tag: "Done"; readonly answer: A; readonly amount: number }
  /** It will never finish, with the reason. */
  | { readonly _tag: "Lost"; readonly failure: ProviderFailure }

/** Starts a job, with our marker if the vendor stores one; returns what polling needs. Null: nobody known, no job. */
export type StartJob = (marker: string) => Effect.Effect<JsonObject | null, ProviderFailure>

interface LateJobs<A, I extends JsonObject> {
  /** The name of its follow-ups. Never change it: pending ones are found by it. */
  readonly name: string
  readonly vendor: string
  readonly patience: Patience
  /** The stored form of an answer. */
  readonly kept: Schema.Codec<A, I>
  /** Polls a job, for free. */
  readonly look: (job: JsonObject) => Effect.Effect<JobState<A>, ProviderFailure>
  readonly spend: (amount: number) => Effect.Effect<void>
}

/** Stored, with its marker, before a job is started. Once expired, nobody can tell whether the job was started. */
const Starting = Schema.Struct({ starting: Schema.String })
const isStarting = Schema.is(Starting)

/** When a start has certainly ended: longer than any source is waited for. */
const STARTED_SECONDS_MAX = 120

/** The subject of a follow-up. Ignores case, white space and a trailing slash. */
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
 * Charged jobs that outlast a call. Each person's job is started once: the intent is stored first, so that of many
 * concurrent calls, on any hosts, one starts the job and the rest poll it. A call polls for a while, then leaves the
 * job to the follow-up. A job that may have been started isn't started again until its answer would have expired.
 */
export const makeLateJobs = <A, I extends JsonObject>({
  kept,
  look,
  name,
  patience,
  spend,
  vendor
}: LateJobs<A, I>) => {
  // The cost is stored until a call records it: the first to get the answer.
  const Stored = Schema.Struct({ answer: kept, amount: Schema.Number })
  const encode = (answer: A, amount: number) => ({ answer: Schema.encodeSync(kept)(answer), amount })
  const decode = Schema.decodeUnknownOption(Stored)
  const keepSeconds = patience.keep_days * DAY_SECONDS

  const againAfter = (afterSeconds: number) => Math.max(patience.again_after_seconds, afterSeconds)

  const pendingFor = (afterSeconds: number) =>
    new ProviderFailure({
      provider: vendor,
      reason: "transient",
      concluded: "pending",
      retryAfterSeconds: againAfter(afterSeconds),
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

  /** A call that has paid must not fail because the store is down. */
  const orElse = <A2>(instead: A2, note: Effect.Effect<A2, ProviderFailure>): Effect.Effect<A2> =>
    Effect.catch(note, ({ cause }) =>
      Effect.logWarning("a job could not be stored", cause).pipe(
        Effect.annotateLogs({ provider: vendor }),
        Effect.as(instead)
      )
    )

  /** Returns a stored answer. The first call to do so records its cost. */
  const answerStored = (later: Later, subject: string, stored: typeof Stored.Type) =>
    stored.amount <= 0
      ? Effect.succeed(stored.answer)
      : orElse(true, later.amend(name, subject, encode(stored.answer, stored.amount), encode(stored.answer, 0))).pipe(
          Effect.flatMap((isFirst) => (isFirst ? spend(stored.amount) : Effect.void)),
          Effect.as(stored.answer),
          Effect.uninterruptible
        )

  /** Of the calls that see a job end, the one whose answer is stored records the cost; without a store, each does. */
  const done = (later: Later, subject: string, { amount, answer }: { readonly answer: A; readonly amount: number }) =>
    Effect.gen(function* () {
      const outcome = { _tag: "Answer", answer: encode(answer, 0), keepSeconds } as const
      if (!(yield* orElse(true, later.settle(name, subject, outcome)))) {
        const known = yield* orElse(Option.none(), later.find(name, subject))
        const stored =
          Option.isSome(known) && known.value._tag === "Answered" ? decode(known.value.answer) : Option.none()
        if (Option.isSome(stored)) return yield* answerStored(later, subject, stored.value)
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
      const state = yield* look(job)
      if (state._tag === "Done") return yield* done(later, subject, state)
      if (state._tag === "Lost") {
        yield* orElse(true, later.settle(name, subject, { _tag: "Gone" }))
        return yield* Effect.fail(state.failure)
      }
      const afterSeconds = state.afterSeconds ?? 0
      const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
      if (leftMillis <= 0 || afterSeconds * 1000 > leftMillis) return yield* Effect.fail(pendingFor(afterSeconds))
      yield* Effect.sleep(Math.min(Math.max(patience.poll_every_seconds, afterSeconds) * 1000, leftMillis))
      return yield* lookUntil(later, subject, job, untilMillis)
    })

  /** The end of a start that returned no job: certainly nothing, or unknown. */
  const unstarted = (later: Later, subject: string, marker: string, cause: Cause.Cause<ProviderFailure> | null) =>
    Effect.gen(function* () {
      const failure = cause === null ? null : Option.getOrNull(Cause.findErrorOption(cause))
      const isCertain = cause === null || (failure !== null && failure.reason !== "unknown_outcome")
      const outcome = isCertain ? ({ _tag: "Gone" } as const) : ({ _tag: "Unknown", keepSeconds } as const)
      yield* orElse(true, later.settle(name, subject, outcome))
      if (isCertain) return
      const { evidence } = yield* CurrentSourceAccess
      yield* evidence(vendor, { job: marker, outcome: "unknown" })
      yield* Effect.logWarning("a job may have been started").pipe(Effect.annotateLogs({ provider: vendor, marker }))
    })

  /** Starts the job if nobody else does. None: another call does. Null: nobody known, so none was needed. */
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

  /** Starts the job unless it exists, and waits as long as a call may. Null: nobody known, so none was needed. */
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
            const stored = decode(known.answer)
            return Option.isSome(stored)
              ? yield* answerStored(later, subject, stored.value)
              : yield* Effect.fail(unread)
          }
          case "Pending": {
            if (!isStarting(known.request)) return yield* lookUntil(later, subject, known.request, untilMillis)
            const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
            if (leftMillis <= 0) return yield* Effect.fail(pendingFor(0))
            yield* Effect.sleep(Math.min(patience.poll_every_seconds * 1000, leftMillis))
            return yield* attend
          }
        }
      })
      return yield* attend
    })

  /** The vendor can't look a job up by its marker. */
  const followStart = (marker: string): Effect.Effect<FollowUp> =>
    Effect.logWarning("a job may have been started").pipe(
      Effect.annotateLogs({ provider: vendor, marker }),
      Effect.as({ _tag: "Unknown", keepSeconds })
    )

  const followJob = (job: JsonObject): Effect.Effect<FollowUp, ProviderFailure> =>
    Effect.flatMap(look(job), (looked): Effect.Effect<FollowUp> => {
      switch (looked._tag) {
        case "Working":
          return Effect.succeed({ _tag: "Again", afterSeconds: againAfter(looked.afterSeconds ?? 0) })
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
