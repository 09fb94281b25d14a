import { Cause, Effect, Either, Option } from "effect"
import { answering, type Finished, type Handler, type PlanContext, served } from "../../calls/Handler.js"
import type { JsonObject } from "../../kernel/canonical.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatModel, ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { ChatModelEntry, ChatRequest, LlmChat, LlmModel, LlmModels } from "../../verbs/LlmChat.js"
import { chargeOf, type ChatCallOf, type ChatPlan, choicesOf, limitOf, upstreamCall } from "./chatPlan.js"
import { toolIssues } from "./passedFields.js"
import { CHAT_PRICES, priceOfTokens } from "./price.js"
import { largestPrompt, measurePrompt, type PromptSize } from "./prompt.js"
import { streamChat } from "./streamChat.js"
import { format, zero } from "../../kernel/money/Credits.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { attended } from "./attended.js"
import { failed, refusalOf, timedOut } from "./failures.js"
import { NO_USAGE } from "./StreamTally.js"
import { answered, isCompletion, usageOf, usageOfCounts, writtenOf } from "./wire.js"

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
