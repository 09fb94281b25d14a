import { Cause, type Clock, Effect, Result } from "effect"
import type { Events } from "../../calls/Calls.js"
import type { Finished } from "../../calls/Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { inEffect, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ChatStream, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { SourceAccess } from "../../sources/SourceAccess.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { failed, refusalOf, timedOut, told } from "./chatFailures.js"
import { chargeOf, type ChatCallOf, choicesOf, upstreamCall } from "./chatPlan.js"
import { attended } from "./Deadlines.js"
import { type KeptAlive, keptAlive } from "./keptAlive.js"
import { StreamTally } from "./StreamTally.js"
import { type ChatChunk, isPreamble, lastChunk, readEvent } from "./wire.js"

/**
 * How long an upstream may be silent before the first chunk, while another one could be asked instead, and if none is
 * left. Models think for minutes without a word.
 */
export const FIRST_SECONDS_MAX = 60
export const LAST_FIRST_SECONDS_MAX = 300

/** The longest silence between chunks, and the longest stream. */
export const SILENCE_SECONDS_MAX = 120
export const STREAM_SECONDS_MAX = 900

/** How long a stream that is whole may still take to end. */
export const END_SECONDS_MAX = 2

const NO_SENSE = "a chunk of it makes no sense"

/** The most chunks that are held back because they deliver nothing. */
const HELD_MAX = 16

/** How much of a stream was passed on, and what stopped it. */
interface Passing {
  /** Looks at chunks, counts them and sends them on as they are. */
  readonly take: (texts: ReadonlyArray<string>) => NowOrLater<boolean>
  /** A chunk has come, even if it delivers nothing. */
  readonly hasBegun: () => boolean
  /** The client has left. */
  readonly hasLeft: () => boolean
  /** The upstream told of an error, or sent what makes no sense. */
  readonly failure: () => ProviderFailure | null
}

/**
 * In plain code, because chunks are many: one look at each, and one write for all that came together. What comes before
 * anything is delivered is held back, so that until then a refusal is free, and another target can be asked.
 */
const passing = (target: ChatTarget, events: KeptAlive, tally: StreamTally, heard: () => void): Passing => {
  let hasLeft = false
  let failure: ProviderFailure | null = null
  let held: ReadonlyArray<ChatChunk> = []
  const take = (texts: ReadonlyArray<string>): NowOrLater<boolean> => {
    heard()
    const chunks: Array<ChatChunk> = [...held]
    for (const text of texts) {
      const read = readEvent(text)
      if (read === null) continue
      if (read._tag !== "Chunk") {
        failure = read._tag === "Error" ? told(target, read.error) : failed(target, NO_SENSE)
        break
      }
      chunks.push(read)
    }
    const isHeld = tally.latest === null && chunks.length <= HELD_MAX && chunks.every(isPreamble)
    held = isHeld ? chunks : []
    if (isHeld) return failure === null
    const wanted = chunks.flatMap(({ data, isReport }) => (isReport ? [] : [data]))
    const sent = wanted.length === 0 || events.send(wanted)
    if (sent === false) {
      hasLeft = true
      return false
    }
    for (const chunk of chunks) tally.add(chunk)
    return failure === null && sent
  }
  const hasBegun = (): boolean => held.length > 0 || tally.latest !== null
  return { take, hasBegun, hasLeft: () => hasLeft, failure: () => failure }
}

/** A stream of which the first event is a chunk. Until then another target can be asked. */
const begun = (target: ChatTarget, stream: ChatStream): Effect.Effect<ChatStream, ProviderFailure> => {
  for (const text of stream.first) {
    const read = readEvent(text)
    if (read?._tag === "Chunk") break
    if (read !== null) return Effect.fail(read._tag === "Error" ? told(target, read.error) : failed(target, NO_SENSE))
  }
  return Effect.succeed(stream)
}

/** How a stream ended: by itself, because its client left, or by a failure; and which target served it. */
interface Flow {
  readonly ending: "ended" | "left" | ProviderFailure
  readonly served: ChatTarget
}

const flow = (
  request: ChatRequest,
  { plan: { model } }: ChatCallOf,
  events: KeptAlive,
  tally: StreamTally,
  clock: Clock.Clock
): Effect.Effect<Flow> => {
  const endMillis = clock.currentTimeMillisUnsafe() + STREAM_SECONDS_MAX * 1_000
  let served = model.targets[0]
  let ending: "ended" | "left" = "ended"
  const stream = (access: SourceAccess, target: ChatTarget, answers: Effect.Effect<void>, isLast: boolean) => {
    served = target
    const controller = new AbortController()
    let heardAt = clock.currentTimeMillisUnsafe()
    const heard = (): void => {
      heardAt = clock.currentTimeMillisUnsafe()
    }
    const inTime = <A>(work: Effect.Effect<A, ProviderFailure>, secondsMax: () => number) =>
      attended(work, {
        clock,
        controller,
        dueMillis: () => Math.min(endMillis, heardAt + secondsMax() * 1_000),
        late: () => timedOut(target),
        events
      })
    const { failure, hasBegun, hasLeft, take } = passing(target, events, tally, heard)
    const firstSecondsMax = target.secondsMax ?? (isLast ? LAST_FIRST_SECONDS_MAX : FIRST_SECONDS_MAX)
    const secondsMax = (): number => {
      if (tally.isWhole) return END_SECONDS_MAX
      return hasBegun() ? SILENCE_SECONDS_MAX : firstSecondsMax
    }
    const begin = Effect.flatMap(
      target.upstream.stream(upstreamCall(request, target), controller.signal, heard),
      (it) => begun(target, it)
    )
    const pass = ({ first, rest }: ChatStream): Effect.Effect<boolean, ProviderFailure> =>
      Effect.flatMap(
        Effect.flatMap(inEffect(take(first)), (isWanted) => (isWanted ? rest(take) : Effect.succeed(false))),
        (hasEnded) => {
          const broken = failure() ?? (hasEnded && tally.latest === null ? failed(target, "it holds nothing") : null)
          return broken === null ? Effect.succeed(hasEnded) : Effect.fail(broken)
        }
      )
    const passed = (it: ChatStream): Effect.Effect<boolean, ProviderFailure> =>
      Effect.catch(
        inTime(
          Effect.suspend(() => pass(it)),
          secondsMax
        ),
        (broken) => {
          if (tally.isWhole) return Effect.succeed(false)
          // It said all it had to say, and ended in order; only the mark of the end is missing.
          if (broken.concluded === "unmarked" && tally.isFinished) return Effect.succeed(true)
          return Effect.andThen(Effect.ignore(throughCircuit(access, target, Effect.fail(broken))), Effect.fail(broken))
        }
      )
    const whole = Effect.flatMap(throughCircuit(access, target, inTime(begin, secondsMax)), (it) =>
      Effect.flatMap(answers, () => passed(it))
    )
    return Effect.matchCauseEffect(whole, {
      onSuccess: (hasEnded) => {
        if (hasLeft()) ending = "left"
        if (!hasEnded) controller.abort()
        return Effect.void
      },
      onFailure: (cause) => {
        controller.abort()
        return Effect.failCause(cause)
      }
    })
  }
  return Effect.matchCauseEffect(
    askTargets(model, stream, () => tally.latest !== null),
    {
      onSuccess: () => Effect.succeed<Flow>({ ending, served }),
      onFailure: (cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.succeed<Flow>({ ending: "left", served })
        const failure = Cause.findError(cause)
        return Result.isSuccess(failure)
          ? Effect.succeed<Flow>({ ending: failure.success, served })
          : Effect.failCause(failure.failure)
      }
    }
  )
}

/** A completion as events. What was delivered is charged, however the stream ends (contract: chat, charging). */
export const streamChat = (request: ChatRequest, call: ChatCallOf, events: Events): FromStore<Finished, AnyWireError> =>
  Effect.clockWith((clock) => {
    const { model, prompt } = call.plan
    const tally = new StreamTally(choicesOf(request))
    const alive = keptAlive(events, clock)
    const flowing = Effect.ensuring(flow(request, call, alive, tally, clock), Effect.sync(alive.end))
    return Effect.flatMap(flowing, ({ ending, served }) => {
      const { latest } = tally
      const failure = typeof ending === "string" ? null : ending
      if (failure !== null && latest === null) return Effect.fail(refusalOf(failure))
      const hasEnded = ending === "ended"
      const refusal = failure === null ? null : refusalOf(failure, "partly")
      const settled = Effect.flatMap(inEffect(tally.usage(prompt.counted, model.tokens, hasEnded)), (usage) =>
        Effect.flatMap(chargeOf(call, served, usage), (charge) =>
          call.settle({
            result: lastChunk(latest ?? {}, usage),
            charge,
            // An error is costly to make, and without an Idempotency-Key nothing keeps it.
            ...(call.idempotencyKey === null
              ? {}
              : { repeat: refuse("stream_consumed", { request_id: call.requestId }) }),
            ...(refusal === null ? {} : { failure: refusal }),
            ...(hasEnded ? {} : { interrupted: true })
          })
        )
      )
      return refusal === null ? settled : Effect.andThen(settled, Effect.fail(refusal))
    })
  })
