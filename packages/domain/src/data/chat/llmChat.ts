import { Cause, Effect, Either, Option, type Scope } from "effect"
import { answering, type Finished, type Handler, type PlanContext, served } from "../../calls/Handler.js"
import type { JsonObject } from "../../kernel/canonical.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatModel, ChatStream, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { ChatModelEntry, ChatRequest, LlmChat, LlmModel, LlmModels } from "../../verbs/LlmChat.js"
import {
  chargeOf,
  type ChatCallOf,
  type ChatPlan,
  choicesOf,
  largestPrompt,
  limitOf,
  measurePrompt,
  type PromptSize,
  upstreamCall
} from "./chatPlan.js"
import { toolIssues } from "./passedFields.js"
import { CHAT_PRICES, priceOfTokens } from "./price.js"
import { format, zero } from "../../kernel/money/Credits.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { askTargets, attended, failed, refusalOf, throughCircuit, timedOut } from "./askTargets.js"
import { NO_USAGE, StreamTally } from "./StreamTally.js"
import {
  answered,
  type ChatChunk,
  chunkOf,
  isCompletion,
  lastChunk,
  usageOf,
  usageOfCounts,
  writtenOf
} from "./wire.js"
import type { Events } from "../../calls/Calls.js"
import { inEffect, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"

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
const streamChat = (request: ChatRequest, call: ChatCallOf, events: Events): FromStore<Finished, AnyWireError> =>
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

/** Client libraries require a creation time. We don't know it. */
const CREATED = 0

const entryOf = ({ contextLength, model, targets: [first], tier }: ChatModel): ChatModelEntry => ({
  id: model,
  object: "model",
  created: CREATED,
  owned_by: first.upstream.name,
  tier,
  credits_per_1000_tokens: format(CHAT_PRICES[tier]),
  ...(contextLength === null ? {} : { context_length: contextLength })
})

export const llmModels = answering<typeof LlmModels>((_request, call) =>
  Effect.sync(() => ({ object: "list", data: call.providers.chatModels.map(entryOf) }))
)

export const llmModel = answering<typeof LlmModel>((request, call) =>
  Effect.suspend(() => {
    const model = call.providers.chatModels.find((one) => one.model === request.model)
    return model === undefined
      ? Effect.fail(refuse("not_found", {}, "No such model. GET /v1/llm/models lists the allowed ones."))
      : Effect.succeed(entryOf(model))
  })
)

/** The longest that a whole completion is waited for, from all upstreams together. */
export const COMPLETION_SECONDS_MAX = 300

/** A completion in one piece. If its client leaves before it comes, the upstream call ends, and nothing is charged. */
const completeChat = (request: ChatRequest, call: ChatCallOf): FromStore<Finished, AnyWireError> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const clock = yield* Effect.clock
    const untilMillis = clock.unsafeCurrentTimeMillis() + COMPLETION_SECONDS_MAX * 1_000
    const ask = (target: ChatTarget, answers: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const nowMillis = clock.unsafeCurrentTimeMillis()
        const dueMillis = Math.min(untilMillis, nowMillis + (target.secondsMax ?? COMPLETION_SECONDS_MAX) * 1_000)
        if (dueMillis <= nowMillis) return yield* Effect.fail(timedOut(target))
        const asked = Effect.filterOrFail(target.upstream.complete(upstreamCall(request, target)), isCompletion, () =>
          failed(target, "its answer makes no sense")
        )
        const until = { dueMillis: () => dueMillis, late: () => timedOut(target), events: call.events }
        const completion = yield* throughCircuit(target, attended(asked, until))
        yield* answers
        return { completion, target }
      })
    const answer = yield* askTargets(model, ask).pipe(
      Effect.mapError((failure) => refusalOf(failure)),
      // The client has left.
      Effect.catchSomeCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Option.some(Effect.succeed(null)) : Option.none()
      )
    )
    if (answer === null) {
      const result = answered({ choices: [] }, NO_USAGE)
      return yield* call.settle({ result, charge: zero, interrupted: true, runsAgain: true })
    }
    const { completion, target } = answer
    const counted = Effect.map(model.tokens.count([writtenOf(completion)]), (written) =>
      usageOfCounts(prompt.counted, written)
    )
    const usage = usageOf(completion) ?? (yield* counted)
    return yield* call.settle({ result: answered(completion, usage), charge: yield* chargeOf(call, target, usage) })
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
        const issues = toolIssues(request as JsonObject)
        if (issues.length > 0) return yield* Either.left(invalid(issues))
        const prompt = sizes.get(request) ?? largestPrompt(request as JsonObject)
        const tokens = prompt.reserved + limitOf(request) * choicesOf(request)
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
      if (request.stream !== true) return completeChat(request, call)
      return call.events === null ? Effect.fail(STREAM_NOT_HERE) : streamChat(request, call, call.events)
    }
  }
})
