import { type Clock, Effect, Either, Stream } from "effect"
import type { Events } from "../../calls/Events.js"
import type { Finished } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { inOwnFiber } from "../../kernel/inOwnFiber.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { ChatModel } from "../../sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { type ChatCallOf, chargeOf, choicesOf, upstreamCall } from "./chatPlan.js"
import { failed, logFailure, refusalOf } from "./failures.js"
import { StreamTally } from "./StreamTally.js"
import { type ChatChunk, chunkOf, lastChunk } from "./wire.js"

/** The longest wait for one chunk of a stream, and for the whole stream. */
export const CHUNK_SECONDS_MAX = 60
export const STREAM_SECONDS_MAX = 900

/** How long a stream that is whole may still take to end. */
export const END_SECONDS_MAX = 2

const chunkIn = (data: string, model: ChatModel): Effect.Effect<ChatChunk, ProviderFailure> => {
  const chunk = chunkOf(data)
  return chunk === null ? Effect.fail(failed(model, "a chunk of it makes no sense")) : Effect.succeed(chunk)
}

/** Passes a chunk on; false: the client has left. */
const deliver = (chunk: ChatChunk, events: Events, tally: StreamTally): Effect.Effect<boolean> =>
  Effect.map(chunk.isReport ? Effect.succeed(true) : events.send(chunk.data), (sent) => {
    if (sent) tally.add(chunk)
    return sent
  })

/**
 * Fails when no chunk has come for too long. One timer serves the whole stream, because chunks are many. It looks as
 * often as the shorter wait is long.
 */
const silence = (
  model: ChatModel,
  clock: Clock.Clock,
  tally: StreamTally,
  heardAt: () => number
): Effect.Effect<never, ProviderFailure> =>
  Effect.suspend(() => {
    const secondsMax = tally.isWhole ? END_SECONDS_MAX : CHUNK_SECONDS_MAX
    const leftMillis = heardAt() + secondsMax * 1_000 - clock.unsafeCurrentTimeMillis()
    return leftMillis <= 0
      ? Effect.fail(failed(model, "timed out between chunks"))
      : Effect.zipRight(
          Effect.sleep(Math.min(leftMillis, END_SECONDS_MAX * 1_000)),
          silence(model, clock, tally, heardAt)
        )
  })

/** How the stream ended: by itself, because the client left, or by a failure. */
const flow = (request: ChatRequest, model: ChatModel, events: Events, tally: StreamTally) =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    let heardAt = clock.unsafeCurrentTimeMillis()
    let ending: "ended" | "left" = "ended"
    const chunks = Stream.runForEachWhile(model.upstream.stream(upstreamCall(request, model)), (data) =>
      Effect.gen(function* () {
        heardAt = clock.unsafeCurrentTimeMillis()
        const sent = yield* deliver(yield* chunkIn(data, model), events, tally)
        if (!sent) ending = "left"
        return sent
      })
    )
    yield* chunks.pipe(
      Effect.raceFirst(silence(model, clock, tally, () => heardAt)),
      Effect.timeoutFail({
        duration: `${STREAM_SECONDS_MAX} seconds`,
        onTimeout: () => failed(model, "took too long")
      }),
      Effect.catchAll((failure) => (tally.isWhole ? Effect.void : Effect.fail(failure))),
      Effect.raceFirst(Effect.map(events.left, () => void (ending = "left")))
    )
    if (ending === "ended" && tally.latest === null) {
      return yield* Effect.fail(failed(model, "its stream holds nothing"))
    }
    return ending
  }).pipe(Effect.tapError(logFailure), Effect.either, inOwnFiber)

/** A completion as events. What was delivered is charged, however the stream ends (contract: chat, charging). */
export const streamChat = (
  request: ChatRequest,
  call: ChatCallOf,
  events: Events
): Effect.Effect<Finished, AnyWireError | StoreUnavailable> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const tally = new StreamTally(choicesOf(request))
    const ending = yield* flow(request, model, events, tally)
    const { latest } = tally
    if (Either.isLeft(ending) && latest === null) return yield* Effect.fail(refusalOf(ending.left))

    const hasEnded = Either.isRight(ending) && ending.right === "ended"
    const usage = yield* tally.usage(prompt.counted, model.tokens, hasEnded)
    const failure = Either.isLeft(ending) ? refusalOf(ending.left, "partly") : null
    const finished = yield* call.settle({
      result: lastChunk(latest ?? {}, usage),
      charge: yield* chargeOf(call, usage),
      repeat: refuse("stream_consumed", { request_id: call.requestId }),
      ...(failure === null ? {} : { failure }),
      ...(hasEnded ? {} : { interrupted: true })
    })
    return failure === null ? finished : yield* Effect.fail(failure)
  })
