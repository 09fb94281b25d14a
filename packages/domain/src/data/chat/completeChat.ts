import { Cause, Effect, Option } from "effect"
import type { Finished } from "../../calls/Handler.js"
import { zero } from "../../kernel/money/Credits.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { attended } from "./attended.js"
import { type ChatCallOf, chargeOf, upstreamCall } from "./chatPlan.js"
import { failed, refusalOf, timedOut } from "./failures.js"
import { NO_USAGE } from "./StreamTally.js"
import { answered, isCompletion, usageOf, usageOfCounts, writtenOf } from "./wire.js"

/** The longest that a whole completion is waited for, from all upstreams together. */
export const COMPLETION_SECONDS_MAX = 300

/** A completion in one piece. If its client leaves before it comes, the upstream call ends, and nothing is charged. */
export const completeChat = (request: ChatRequest, call: ChatCallOf): FromStore<Finished, AnyWireError> =>
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
