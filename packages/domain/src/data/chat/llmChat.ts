import { Cause, Effect, Either } from "effect"
import { answering, type Finished, type Handler, type PlanContext, served } from "../../calls/Handler.js"
import type { JsonObject } from "../../kernel/canonical.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatModel, ChatStream, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { SourceAccess } from "../../sources/SourceAccess.js"
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
import { inEffect, type NowOrLater, mapNow, nowThen } from "../../kernel/NowOrLater.js"
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

/** How a stream ended: by itself, because its client left, or by a failure; and which target served it. */
interface Flow {
  readonly ending: "ended" | "left" | ProviderFailure
  readonly served: ChatTarget
}

const flow = (request: ChatRequest, { plan: { model } }: ChatCallOf, events: Events, tally: StreamTally) =>
  Effect.clockWith((clock): Effect.Effect<Flow> => {
    const endMillis = clock.unsafeCurrentTimeMillis() + STREAM_SECONDS_MAX * 1_000
    let served = model.targets[0]
    let ending: "ended" | "left" = "ended"
    const stream = (access: SourceAccess, target: ChatTarget, answers: Effect.Effect<void>) => {
      served = target
      const controller = new AbortController()
      let heardAt = clock.unsafeCurrentTimeMillis()
      const inTime = <A>(work: Effect.Effect<A, ProviderFailure>, secondsMax: () => number) =>
        attended(work, {
          clock,
          controller,
          dueMillis: () => Math.min(endMillis, heardAt + secondsMax() * 1_000),
          late: () => timedOut(target),
          events
        })
      const firstSecondsMax = Math.min(target.secondsMax ?? CHUNK_SECONDS_MAX, CHUNK_SECONDS_MAX)
      // Until something sensible comes, another target can be asked.
      const begun = Effect.flatMap(target.upstream.stream(upstreamCall(request, target), controller.signal), (it) =>
        chunkOf(it.first[0]) === null ? Effect.fail(failed(target, "a chunk of it makes no sense")) : Effect.succeed(it)
      )
      const { failure, hasLeft, take } = passing(target, events, tally, () => {
        heardAt = clock.unsafeCurrentTimeMillis()
      })
      const pass = ({ first, rest }: ChatStream): Effect.Effect<boolean, ProviderFailure> =>
        Effect.flatMap(
          nowThen(inEffect(take(first)), (isWanted) => (isWanted ? rest(take) : Effect.succeed(false))),
          (hasEnded) => {
            const broken = failure()
            return broken === null ? Effect.succeed(hasEnded) : Effect.fail(broken)
          }
        )
      const passed = (it: ChatStream): Effect.Effect<boolean, ProviderFailure> =>
        Effect.catchAll(
          inTime(
            Effect.suspend(() => pass(it)),
            () => (tally.isWhole ? END_SECONDS_MAX : CHUNK_SECONDS_MAX)
          ),
          (broken) =>
            tally.isWhole
              ? Effect.succeed(false)
              : Effect.zipRight(Effect.ignore(throughCircuit(access, target, Effect.fail(broken))), Effect.fail(broken))
        )
      const whole = Effect.flatMap(
        throughCircuit(
          access,
          target,
          inTime(begun, () => firstSecondsMax)
        ),
        (it) => Effect.flatMap(answers, () => passed(it))
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
          if (Cause.isInterruptedOnly(cause)) return Effect.succeed<Flow>({ ending: "left", served })
          const failure = Cause.failureOrCause(cause)
          return Either.isLeft(failure)
            ? Effect.succeed<Flow>({ ending: failure.left, served })
            : Effect.failCause(failure.right)
        }
      }
    )
  })

/** A completion as events. What was delivered is charged, however the stream ends (contract: chat, charging). */
const streamChat = (request: ChatRequest, call: ChatCallOf, events: Events): FromStore<Finished, AnyWireError> => {
  const { model, prompt } = call.plan
  const tally = new StreamTally(choicesOf(request))
  return Effect.flatMap(flow(request, call, events, tally), ({ ending, served }) => {
    const { latest } = tally
    const failed = typeof ending === "string" ? null : ending
    if (failed !== null && latest === null) return Effect.fail(refusalOf(failed))
    const hasEnded = ending === "ended"
    const failure = failed === null ? null : refusalOf(failed, "partly")
    const settled = nowThen(inEffect(tally.usage(prompt.counted, model.tokens, hasEnded)), (usage) =>
      nowThen(chargeOf(call, served, usage), (charge) =>
        call.settle({
          result: lastChunk(latest ?? {}, usage),
          charge,
          // An error is costly to make, and without an Idempotency-Key nothing keeps it.
          ...(call.idempotencyKey === null
            ? {}
            : { repeat: refuse("stream_consumed", { request_id: call.requestId }) }),
          ...(failure === null ? {} : { failure }),
          ...(hasEnded ? {} : { interrupted: true })
        })
      )
    )
    return failure === null ? settled : Effect.zipRight(settled, Effect.fail(failure))
  })
}

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
  Effect.clockWith((clock) => {
    const { model, prompt } = call.plan
    const untilMillis = clock.unsafeCurrentTimeMillis() + COMPLETION_SECONDS_MAX * 1_000
    const ask = (access: SourceAccess, target: ChatTarget, answers: Effect.Effect<void>) => {
      const nowMillis = clock.unsafeCurrentTimeMillis()
      const dueMillis = Math.min(untilMillis, nowMillis + (target.secondsMax ?? COMPLETION_SECONDS_MAX) * 1_000)
      if (dueMillis <= nowMillis) return Effect.fail(timedOut(target))
      const controller = new AbortController()
      const { events } = call
      const until = { clock, controller, dueMillis: () => dueMillis, late: () => timedOut(target), events }
      const asked = Effect.flatMap(
        target.upstream.complete(upstreamCall(request, target), controller.signal),
        (completion) =>
          isCompletion(completion)
            ? Effect.succeed({ completion, target })
            : Effect.fail(failed(target, "its answer makes no sense"))
      )
      return Effect.flatMap(throughCircuit(access, target, attended(asked, until)), (answer) =>
        nowThen(answers, () => Effect.succeed(answer))
      )
    }
    return Effect.matchCauseEffect(askTargets(model, ask), {
      onSuccess: ({ completion, target }) => {
        const usage =
          usageOf(completion) ??
          mapNow(model.tokens.count([writtenOf(completion)]), (written) => usageOfCounts(prompt.counted, written))
        return nowThen(inEffect(usage), (used) =>
          nowThen(chargeOf(call, target, used), (charge) => call.settle({ result: answered(completion, used), charge }))
        )
      },
      onFailure: (cause) => {
        if (Cause.isInterruptedOnly(cause)) {
          const result = answered({ choices: [] }, NO_USAGE)
          return call.settle({ result, charge: zero, interrupted: true, runsAgain: true })
        }
        return Effect.failCause(Cause.map(cause, (failure) => refusalOf(failure)))
      }
    })
  })

const modelOf = (request: ChatRequest, { providers }: Pick<PlanContext, "providers">): ChatModel | undefined =>
  providers.chatModels.find(({ model }) => model === request.model)

const NO_OBJECTION = { missing: null, refusal: null, wouldExceed: [] } as const

const STREAM_NOT_HERE = invalid([{ path: "stream", message: "is not supported on this surface" }])

/**
 * Forwards a chat to the upstream of its model (contract: chat, calls). It reserves the prompt's estimate and
 * everything that may be generated. It charges what the upstream counts, or what was delivered of a broken stream.
 */
export const llmChat = Effect.map(Providers, (providers): Handler<typeof LlmChat, ChatPlan> => {
  // Plans are made while accounts are locked, so we measure the prompt before.
  const sizes = new WeakMap<ChatRequest, PromptSize>()
  const measure = (request: ChatRequest, model: ChatModel) =>
    mapNow(measurePrompt(request as JsonObject, model.tokens), (size) => void sizes.set(request, size))
  return {
    subject: (request, { workspaceKind }) => {
      const model = modelOf(request, { providers: providers[workspaceKind] })
      const measured = model === undefined ? undefined : measure(request, model)
      return inEffect(mapNow(measured, () => NO_OBJECTION))
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
