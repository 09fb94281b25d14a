import { Effect } from "effect"
import type { Finished } from "../../calls/Handler.js"
import { inOwnFiber } from "../../kernel/inOwnFiber.js"
import { zero } from "../../kernel/money/Credits.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { type ChatCallOf, chargeOf, upstreamCall } from "./chatPlan.js"
import { failed, logFailure, refusalOf } from "./failures.js"
import { NO_USAGE } from "./StreamTally.js"
import { answered, isCompletion, usageOf, usageOfCounts, writtenOf } from "./wire.js"

/** The longest that a whole completion is waited for. */
export const COMPLETION_SECONDS_MAX = 300

/** A completion in one piece. If its client leaves before it comes, the upstream call ends, and nothing is charged. */
export const completeChat = (
  request: ChatRequest,
  call: ChatCallOf
): Effect.Effect<Finished, AnyWireError | StoreUnavailable> =>
  Effect.gen(function* () {
    const { model, prompt } = call.plan
    const completed = model.upstream.complete(upstreamCall(request, model)).pipe(
      Effect.filterOrFail(isCompletion, () => failed(model, "its answer makes no sense")),
      Effect.timeoutFail({
        duration: `${COMPLETION_SECONDS_MAX} seconds`,
        onTimeout: () => failed(model, "timed out")
      }),
      Effect.tapError(logFailure),
      Effect.mapError(refusalOf)
    )
    const left = call.events === null ? Effect.never : Effect.as(call.events.left, null)
    const completion = yield* inOwnFiber(Effect.raceFirst(completed, left))
    if (completion === null) {
      const result = answered({ choices: [] }, NO_USAGE)
      return yield* call.settle({ result, charge: zero, interrupted: true, runsAgain: true })
    }
    const counted = Effect.map(model.tokens.count([writtenOf(completion)]), (written) =>
      usageOfCounts(prompt.counted, written)
    )
    const usage = usageOf(completion) ?? (yield* counted)
    return yield* call.settle({ result: answered(completion, usage), charge: yield* chargeOf(call, usage) })
  })
