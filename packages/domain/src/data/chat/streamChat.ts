import { Cause, Effect, Either, Option, type Scope } from "effect"
import type { Events } from "../../calls/Events.js"
import type { Finished } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { inEffect, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ChatStream, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { attended } from "./attended.js"
import { type ChatCallOf, chargeOf, choicesOf, upstreamCall } from "./chatPlan.js"
import { failed, refusalOf, timedOut } from "./failures.js"
import { StreamTally } from "./StreamTally.js"
import { type ChatChunk, chunkOf, lastChunk } from "./wire.js"

/** The longest wait for one chunk of a stream, and for the whole stream. */
export const CHUNK_SECONDS_MAX = 60
export const STREAM_SECONDS_MAX = 900

/** How long a stream that is whole may still take to end. */
export const END_SECONDS_MAX = 2

/** How much of a stream was passed on, and what stopped it. */
interface Passing {
  /** Looks at chunks, counts them and sends them on as they are. */
  readonly take: (texts: ReadonlyArray<string>) => NowOrLater<boolean>
  /** The client has left. */
  readonly hasLeft: () => boolean
  /** A chunk made no sense. */
  readonly failure: () => ProviderFailure | null
}

/** In plain code, because chunks are many: one look at each, and one write for all that came together. */
const passing = (target: ChatTarget, events: Events, tally: StreamTally, heard: () => void): Passing => {
  let hasLeft = false
  let failure: ProviderFailure | null = null
  const take = (texts: ReadonlyArray<string>): NowOrLater<boolean> => {
    heard()
    const chunks: Array<ChatChunk> = []
    const wanted: Array<string> = []
    for (const text of texts) {
      const chunk = chunkOf(text)
      if (chunk === null) {
        failure = failed(target, "a chunk of it makes no sense")
        break
      }
      chunks.push(chunk)
      if (!chunk.isReport) wanted.push(text)
    }
    const sent = wanted.length === 0 || events.send(wanted)
    if (sent === false) {
      hasLeft = true
      return false
    }
    for (const chunk of chunks) tally.add(chunk)
    return failure === null && sent
  }
  return { take, hasLeft: () => hasLeft, failure: () => failure }
}

/** Fails unless something sensible comes first: until then another target can be asked. */
const begin = (request: ChatRequest, target: ChatTarget): Effect.Effect<ChatStream, ProviderFailure, Scope.Scope> =>
  Effect.filterOrFail(
    target.upstream.stream(upstreamCall(request, target)),
    ({ first: [text] }) => chunkOf(text) !== null,
    () => failed(target, "a chunk of it makes no sense")
  )

/** How the stream ended: by itself, because the client left, or by a failure. */
const flow = (request: ChatRequest, { plan: { model } }: ChatCallOf, events: Events, tally: StreamTally) =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const endMillis = clock.unsafeCurrentTimeMillis() + STREAM_SECONDS_MAX * 1_000
    let served = model.targets[0]
    let ending: "ended" | "left" = "ended"
    const stream = (target: ChatTarget, answers: Effect.Effect<void>) =>
      Effect.gen(function* () {
        served = target
        let heardAt = clock.unsafeCurrentTimeMillis()
        const inTime = <A, R>(work: Effect.Effect<A, ProviderFailure, R>, secondsMax: () => number) =>
          attended(work, {
            dueMillis: () => Math.min(endMillis, heardAt + secondsMax() * 1_000),
            late: () => timedOut(target),
            events
          })
        const firstSecondsMax = Math.min(target.secondsMax ?? CHUNK_SECONDS_MAX, CHUNK_SECONDS_MAX)
        const { first, rest } = yield* throughCircuit(
          target,
          inTime(begin(request, target), () => firstSecondsMax)
        )
        yield* answers
        const { failure, hasLeft, take } = passing(target, events, tally, () => {
          heardAt = clock.unsafeCurrentTimeMillis()
        })
        const passed = Effect.gen(function* () {
          if (yield* inEffect(take(first))) yield* rest(take)
          const broken = failure()
          if (broken !== null) yield* Effect.fail(broken)
        })
        yield* inTime(passed, () => (tally.isWhole ? END_SECONDS_MAX : CHUNK_SECONDS_MAX)).pipe(
          Effect.catchAll((failure) => (tally.isWhole ? Effect.void : Effect.fail(failure))),
          Effect.tapError((failure) => Effect.ignore(throughCircuit(target, Effect.fail(failure))))
        )
        if (hasLeft()) ending = "left"
      }).pipe(Effect.scoped)
    const ended = yield* askTargets(model, stream, () => tally.latest !== null).pipe(
      Effect.catchSomeCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Option.some(Effect.sync(() => void (ending = "left"))) : Option.none()
      ),
      Effect.either
    )
    return { ending: Either.map(ended, () => ending), served }
  })

/** A completion as events. What was delivered is charged, however the stream ends (contract: chat, charging). */
export const streamChat = (request: ChatRequest, call: ChatCallOf, events: Events): FromStore<Finished, AnyWireError> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const tally = new StreamTally(choicesOf(request))
    const { ending, served } = yield* flow(request, call, events, tally)
    const { latest } = tally
    if (Either.isLeft(ending) && latest === null) return yield* Effect.fail(refusalOf(ending.left))

    const hasEnded = Either.isRight(ending) && ending.right === "ended"
    const usage = yield* tally.usage(prompt.counted, model.tokens, hasEnded)
    const failure = Either.isLeft(ending) ? refusalOf(ending.left, "partly") : null
    const finished = yield* call.settle({
      result: lastChunk(latest ?? {}, usage),
      charge: yield* chargeOf(call, served, usage),
      // An error is costly to make, and without an Idempotency-Key nothing keeps it.
      ...(call.idempotencyKey === null ? {} : { repeat: refuse("stream_consumed", { request_id: call.requestId }) }),
      ...(failure === null ? {} : { failure }),
      ...(hasEnded ? {} : { interrupted: true })
    })
    return failure === null ? finished : yield* Effect.fail(failure)
  })
