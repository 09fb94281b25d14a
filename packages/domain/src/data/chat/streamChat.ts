import { Chunk, type Clock, Effect, Either, Option, type Scope, Stream } from "effect"
import type { Events } from "../../calls/Events.js"
import type { Finished } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { inOwnFiber } from "../../kernel/inOwnFiber.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { type ChatCallOf, chargeOf, choicesOf, upstreamCall } from "./chatPlan.js"
import { failed, logFailure, refusalOf, timedOut } from "./failures.js"
import { StreamTally } from "./StreamTally.js"
import { type ChatChunk, chunkOf, lastChunk } from "./wire.js"

/** The longest wait for one chunk of a stream, and for the whole stream. */
export const CHUNK_SECONDS_MAX = 60
export const STREAM_SECONDS_MAX = 900

/** How long a stream that is whole may still take to end. */
export const END_SECONDS_MAX = 2

/** The texts that an upstream sent at once; null: its stream has ended. */
type Texts = Chunk.Chunk<string> | null

/** A target's stream, once its first chunk has come. */
interface Begun {
  readonly first: Texts
  readonly next: Effect.Effect<Texts, ProviderFailure>
}

const chunkIn = (data: string, target: ChatTarget): Effect.Effect<ChatChunk, ProviderFailure> => {
  const chunk = chunkOf(data)
  return chunk === null ? Effect.fail(failed(target, "a chunk of it makes no sense")) : Effect.succeed(chunk)
}

/** Fails unless something sensible comes first: until then another target can be asked. */
const begin = (request: ChatRequest, target: ChatTarget): Effect.Effect<Begun, ProviderFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(target.upstream.stream(upstreamCall(request, target)))
    const next = Effect.catchAll(pull, Option.match({ onNone: () => Effect.succeed(null), onSome: Effect.fail }))
    let first = yield* next
    while (first !== null && Chunk.isEmpty(first)) first = yield* next
    if (first === null) return yield* Effect.fail(failed(target, "its stream holds nothing"))
    yield* chunkIn(Chunk.unsafeHead(first), target)
    return { first, next }
  })

/** Passes a chunk on; false: the client has left. */
const deliver = (chunk: ChatChunk, events: Events, tally: StreamTally): Effect.Effect<boolean> =>
  Effect.map(chunk.isReport ? Effect.succeed(true) : events.send(chunk.data), (sent) => {
    if (sent) tally.add(chunk)
    return sent
  })

/** Passes on all that comes; false: the client has left. */
const passOn = (
  texts: Texts,
  next: Begun["next"],
  take: (data: string) => Effect.Effect<boolean, ProviderFailure>
): Effect.Effect<boolean, ProviderFailure> => {
  if (texts === null) return Effect.succeed(true)
  const all = Effect.gen(function* () {
    for (const data of texts) if (!(yield* take(data))) return false
    return true
  })
  return Effect.flatMap(all, (isThere) =>
    isThere ? Effect.flatMap(next, (following) => passOn(following, next, take)) : Effect.succeed(false)
  )
}

/**
 * Fails when nothing has come for too long. One timer serves the whole stream, because chunks are many. It looks as
 * often as the shortest wait is long.
 */
const silence = (
  target: ChatTarget,
  clock: Clock.Clock,
  secondsMax: () => number,
  heardAt: () => number
): Effect.Effect<never, ProviderFailure> =>
  Effect.suspend(() => {
    const leftMillis = heardAt() + secondsMax() * 1_000 - clock.unsafeCurrentTimeMillis()
    return leftMillis <= 0
      ? Effect.fail(timedOut(target))
      : Effect.zipRight(
          Effect.sleep(Math.min(leftMillis, END_SECONDS_MAX * 1_000)),
          silence(target, clock, secondsMax, heardAt)
        )
  })

/** How the stream ended: by itself, because the client left, or by a failure. */
const flow = (request: ChatRequest, { plan: { model } }: ChatCallOf, events: Events, tally: StreamTally) =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    let served = model.targets[0]
    let ending: "ended" | "left" = "ended"
    const stream = (target: ChatTarget, answers: Effect.Effect<void>) =>
      Effect.gen(function* () {
        served = target
        let heardAt = clock.unsafeCurrentTimeMillis()
        const inTime = (secondsMax: () => number) => silence(target, clock, secondsMax, () => heardAt)
        const firstSecondsMax = Math.min(target.secondsMax ?? CHUNK_SECONDS_MAX, CHUNK_SECONDS_MAX)
        const { first, next } = yield* throughCircuit(
          target,
          Effect.raceFirst(
            begin(request, target),
            inTime(() => firstSecondsMax)
          )
        )
        yield* answers
        heardAt = clock.unsafeCurrentTimeMillis()
        const take = (data: string) =>
          Effect.flatMap(chunkIn(data, target), (chunk) => {
            heardAt = clock.unsafeCurrentTimeMillis()
            return deliver(chunk, events, tally)
          })
        const isThere = yield* Effect.raceFirst(
          passOn(first, next, take),
          inTime(() => (tally.isWhole ? END_SECONDS_MAX : CHUNK_SECONDS_MAX))
        ).pipe(
          Effect.catchAll((failure) => (tally.isWhole ? Effect.succeed(true) : Effect.fail(failure))),
          Effect.tapError((failure) => Effect.ignore(throughCircuit(target, Effect.fail(failure))))
        )
        if (!isThere) ending = "left"
      }).pipe(Effect.scoped)
    const ended = yield* askTargets(model, stream, () => tally.latest !== null).pipe(
      Effect.timeoutTo({
        duration: `${STREAM_SECONDS_MAX} seconds`,
        onTimeout: () => Effect.tapError(Effect.fail(timedOut(served)), logFailure),
        onSuccess: Effect.succeed
      }),
      Effect.flatten,
      Effect.raceFirst(Effect.map(events.left, () => void (ending = "left"))),
      Effect.either
    )
    return { ending: Either.map(ended, () => ending), served }
  }).pipe(inOwnFiber)

/** A completion as events. What was delivered is charged, however the stream ends (contract: chat, charging). */
export const streamChat = (
  request: ChatRequest,
  call: ChatCallOf,
  events: Events
): Effect.Effect<Finished, AnyWireError | StoreUnavailable> =>
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
      repeat: refuse("stream_consumed", { request_id: call.requestId }),
      ...(failure === null ? {} : { failure }),
      ...(hasEnded ? {} : { interrupted: true })
    })
    return failure === null ? finished : yield* Effect.fail(failure)
  })
