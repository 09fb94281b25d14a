import { type Clock, Effect, Either, Stream } from "effect"
import type { JsonObject } from "../../kernel/canonical.js"
import type { Events } from "../../calls/Events.js"
import type { Call, Finished, Handler, Plan, PlanContext } from "../../calls/Handler.js"
import { served } from "../../calls/planning.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { inOwnFiber } from "../../kernel/inOwnFiber.js"
import type { ChatCall, ChatModel } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import { type ChatRequest, type ChatResult, type LlmChat, MAX_TOKENS_DEFAULT } from "../../verbs/LlmChat.js"
import { chargeOfTokens, priceOfTokens } from "./price.js"
import { largestPrompt, measurePrompt, type PromptSize } from "./prompt.js"
import {
  answered,
  type ChatChunk,
  chunkOf,
  isCompletion,
  lastChunk,
  type TokenUsage,
  totalOf,
  usageOf,
  usageOfCounts,
  writtenOf
} from "./wire.js"

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. Only what was delivered is charged; see GET /v1/requests/:id. You can repeat the call with the same Idempotency-Key."

/** The caller's error for an upstream's failure. */
const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  if (failure.reason === "invalid" && delivered === "nothing") {
    return invalid([{ path: "", message: failure.said ?? "was refused by the model's provider" }])
  }
  const wait = Math.ceil(Math.min(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT, RETRY_AFTER_SECONDS_MAX))
  const details = { retry_after_seconds: Math.max(1, wait) }
  return delivered === "nothing"
    ? refuse("provider_unavailable", details)
    : refuse("provider_unavailable", details, BROKE_OFF)
}

const NOTHING = usageOfCounts(0, 0)

/** Counts what was delivered of a stream, chunk by chunk. */
class StreamTally {
  #written: Array<string> = []
  #reported: TokenUsage | null = null
  #latest: JsonObject | null = null

  /** The newest chunk; null if there is none. */
  get latest(): JsonObject | null {
    return this.#latest
  }

  add({ json, usage }: ChatChunk): void {
    this.#latest = json
    this.#reported = usage ?? this.#reported
    const written = writtenOf(json)
    if (written !== "") this.#written.push(written)
  }

  /**
   * The upstream's count, if the stream completed and reported one. Else our count of what was delivered, since some
   * upstreams report early and too little. Zero if nothing was delivered.
   */
  usage(promptCounted: number, tokens: TokenEstimator, isWhole: boolean): Effect.Effect<TokenUsage> {
    const reported = this.#reported
    if (isWhole && reported !== null) return Effect.succeed(reported)
    if (this.#latest === null) return Effect.succeed(NOTHING)
    return Effect.map(tokens.count([this.#written.join("")]), (written) =>
      usageOfCounts(reported?.promptTokens ?? promptCounted, Math.max(written, reported?.completionTokens ?? 0))
    )
  }
}

/** The longest that a whole completion is waited for. */
export const COMPLETION_SECONDS_MAX = 300

/** The longest wait for one chunk of a stream, and for the whole stream. */
export const CHUNK_SECONDS_MAX = 60
export const STREAM_SECONDS_MAX = 900

export interface ChatPlan extends Plan {
  readonly model: ChatModel
  readonly prompt: PromptSize
}

type ChatCallOf = Call<ChatPlan, ChatResult>

const limitOf = (request: ChatRequest): number =>
  request.max_completion_tokens ?? request.max_tokens ?? MAX_TOKENS_DEFAULT

/** The caller's fields unchanged, plus the output limit that was reserved. */
const upstreamCall = (request: ChatRequest, model: ChatModel): ChatCall => {
  const { model: _, stream: __, ...fields } = request
  const isLimited = (request.max_completion_tokens ?? request.max_tokens ?? null) !== null
  return {
    model: model.upstreamModel,
    fields: { ...fields, ...(isLimited ? {} : { max_tokens: MAX_TOKENS_DEFAULT }) } as JsonObject
  }
}

const failed = (model: ChatModel, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: model.upstream.name, reason: "transient", cause })

const logFailure = (failure: ProviderFailure) =>
  Effect.logWarning("provider failed").pipe(Effect.annotateLogs({ provider: failure.provider, reason: failure.reason }))

const chargeOf = (call: ChatCallOf, usage: TokenUsage) => {
  const { model } = call.plan
  const charge = chargeOfTokens(model.tier, totalOf(usage), call.admitted.reserved)
  return charge < priceOfTokens(model.tier, totalOf(usage))
    ? Effect.as(
        Effect.logWarning("an upstream counted more tokens than were reserved").pipe(
          Effect.annotateLogs({ provider: model.upstream.name, tokens: totalOf(usage) })
        ),
        charge
      )
    : Effect.succeed(charge)
}

const complete = (request: ChatRequest, call: ChatCallOf): Effect.Effect<Finished, AnyWireError | StoreUnavailable> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const completion = yield* model.upstream.complete(upstreamCall(request, model)).pipe(
      Effect.filterOrFail(isCompletion, () => failed(model, "its answer makes no sense")),
      Effect.timeoutFail({
        duration: `${COMPLETION_SECONDS_MAX} seconds`,
        onTimeout: () => failed(model, "timed out")
      }),
      Effect.tapError(logFailure),
      Effect.mapError(refusalOf),
      inOwnFiber
    )
    const counted = Effect.map(model.tokens.count([writtenOf(completion)]), (written) =>
      usageOfCounts(prompt.counted, written)
    )
    const usage = usageOf(completion) ?? (yield* counted)
    return yield* call.settle({ result: answered(completion, usage), charge: yield* chargeOf(call, usage) })
  })

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

/** Fails when no chunk has come for too long. One timer serves the whole stream, because chunks are many. */
const silence = (model: ChatModel, clock: Clock.Clock, heardAt: () => number): Effect.Effect<never, ProviderFailure> =>
  Effect.suspend(() => {
    const leftMillis = heardAt() + CHUNK_SECONDS_MAX * 1_000 - clock.unsafeCurrentTimeMillis()
    return leftMillis <= 0
      ? Effect.fail(failed(model, "timed out between chunks"))
      : Effect.zipRight(Effect.sleep(leftMillis), silence(model, clock, heardAt))
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
      Effect.raceFirst(silence(model, clock, () => heardAt)),
      Effect.timeoutFail({
        duration: `${STREAM_SECONDS_MAX} seconds`,
        onTimeout: () => failed(model, "took too long")
      }),
      Effect.raceFirst(Effect.map(events.left, () => void (ending = "left")))
    )
    if (ending === "ended" && tally.latest === null) {
      return yield* Effect.fail(failed(model, "its stream holds nothing"))
    }
    return ending
  }).pipe(Effect.tapError(logFailure), Effect.either, inOwnFiber)

const stream = (
  request: ChatRequest,
  call: ChatCallOf,
  events: Events
): Effect.Effect<Finished, AnyWireError | StoreUnavailable> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const tally = new StreamTally()
    const ending = yield* flow(request, model, events, tally)
    const { latest } = tally
    if (ending._tag === "Left" && latest === null) return yield* Effect.fail(refusalOf(ending.left))

    const isWhole = ending._tag === "Right" && ending.right === "ended"
    const usage = yield* tally.usage(prompt.counted, model.tokens, isWhole)
    const failure = ending._tag === "Left" ? refusalOf(ending.left, "partly") : null
    const finished = yield* call.settle({
      result: lastChunk(latest ?? {}, usage),
      charge: yield* chargeOf(call, usage),
      repeat: refuse("stream_consumed", { request_id: call.requestId }),
      ...(failure === null ? {} : { failure }),
      ...(isWhole ? {} : { interrupted: true })
    })
    return failure === null ? finished : yield* Effect.fail(failure)
  })

const modelOf = (request: ChatRequest, { providers }: Pick<PlanContext, "providers">): ChatModel | undefined =>
  providers.chatModels.find(({ model }) => model === request.model)

const STREAM_NOT_HERE = invalid([{ path: "stream", message: "is not supported on this surface" }])

/**
 * Forwards a chat to the upstream of its model (contract: chat, calls). It reserves the prompt's estimate and
 * everything that may be generated. It charges what the upstream counts, or what was delivered of a broken stream.
 */
export const llmChat = Effect.map(Providers, (providers): Handler<typeof LlmChat, ChatPlan> => {
  // Plans are made while accounts are locked, so we measure the prompt before.
  const sizes = new WeakMap<ChatRequest, PromptSize>()
  const measure = (request: ChatRequest, model: ChatModel) =>
    Effect.map(measurePrompt(request as JsonObject, model.tokens), (size) => void sizes.set(request, size))
  return {
    subject: (request, { workspaceKind }) => {
      const model = modelOf(request, { providers: providers[workspaceKind] })
      const measured = model === undefined ? Effect.void : measure(request, model)
      return Effect.as(measured, { missing: null, refusal: null, wouldExceed: [] })
    },
    plan: (request, context) =>
      Either.gen(function* () {
        yield* served("llm_chat", context.providers.chatModels)
        const model = modelOf(request, context)
        if (model === undefined) {
          return yield* Either.left(refuse("invalid_request", { reason: "model_not_allowed" }))
        }
        const prompt = sizes.get(request) ?? largestPrompt(request as JsonObject)
        const tokens = prompt.reserved + limitOf(request) * (request.n ?? 1)
        return {
          maximum: priceOfTokens(model.tier, tokens),
          capabilities: [],
          warnings: [],
          route: null,
          model,
          prompt
        }
      }),
    perform: (request, call) => {
      if (request.stream !== true) return complete(request, call)
      return call.events === null ? Effect.fail(STREAM_NOT_HERE) : stream(request, call, call.events)
    }
  }
})
