import { Cause, Effect } from "effect"
import type { Finished } from "../../calls/Handler.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import { zero } from "../../kernel/money/Credits.js"
import { inEffect, mapNow, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ChatTarget } from "../../sources/ports/ChatUpstream.js"
import type { SourceAccess } from "../../sources/SourceAccess.js"
import type { ChatRequest } from "../../verbs/LlmChat.js"
import { askTargets, throughCircuit } from "./askTargets.js"
import { failed, refusalOf, timedOut, told } from "./chatFailures.js"
import { chargeOf, type ChatCallOf, upstreamCall } from "./chatPlan.js"
import { attended } from "./Deadlines.js"
import { isCredible, NO_USAGE, type TokenUsage, usageOf, usageOfCounts, withPrompt } from "./TokenUsage.js"
import { answered, readAnswer, writtenOf } from "./wire.js"
import type { JsonObject } from "../../kernel/canonical.js"

/** The upstream's count; else ours, if it has none that can be right. */
const usageIn = (completion: JsonObject, { plan: { model, prompt } }: ChatCallOf): NowOrLater<TokenUsage> => {
  const reported = usageOf(completion)
  const written = writtenOf(completion)
  return reported !== null && isCredible(reported, written !== "")
    ? withPrompt(reported, prompt.counted)
    : mapNow(model.tokens.count([written]), (tokens) => usageOfCounts(prompt.counted, tokens))
}

/** The longest that a whole completion is waited for, from all upstreams together. */
export const COMPLETION_SECONDS_MAX = 300

const NO_SENSE = "its answer makes no sense"

/** A completion in one piece. If its client leaves before it comes, the upstream call ends, and nothing is charged. */
export const completeChat = (request: ChatRequest, call: ChatCallOf): FromStore<Finished, AnyWireError> =>
  Effect.clockWith((clock) => {
    const { model } = call.plan
    const untilMillis = clock.currentTimeMillisUnsafe() + COMPLETION_SECONDS_MAX * 1_000
    const ask = (access: SourceAccess, target: ChatTarget, answers: Effect.Effect<void>) => {
      const nowMillis = clock.currentTimeMillisUnsafe()
      const dueMillis = Math.min(untilMillis, nowMillis + (target.secondsMax ?? COMPLETION_SECONDS_MAX) * 1_000)
      if (dueMillis <= nowMillis) return Effect.fail(timedOut(target))
      const controller = new AbortController()
      const { events } = call
      const until = { clock, controller, dueMillis: () => dueMillis, late: () => timedOut(target), events }
      const asked = Effect.flatMap(
        target.upstream.complete(upstreamCall(request, target), controller.signal),
        (answer) => {
          const read = readAnswer(answer)
          if (read._tag === "Completion") return Effect.succeed({ completion: read.json, target })
          return Effect.fail(read._tag === "Error" ? told(target, read.error) : failed(target, NO_SENSE))
        }
      )
      return Effect.flatMap(throughCircuit(access, target, attended(asked, until)), (answer) =>
        Effect.flatMap(answers, () => Effect.succeed(answer))
      )
    }
    return Effect.matchCauseEffect(askTargets(model, ask), {
      onSuccess: ({ completion, target }) => {
        return Effect.flatMap(inEffect(usageIn(completion, call)), (used) =>
          Effect.flatMap(chargeOf(call, target, used), (charge) =>
            call.settle({ result: answered(completion, used), charge })
          )
        )
      },
      onFailure: (cause) => {
        if (Cause.hasInterruptsOnly(cause)) {
          const result = answered({ choices: [] }, NO_USAGE)
          return call.settle({ result, charge: zero, interrupted: true, runsAgain: true })
        }
        return Effect.failCause(Cause.map(cause, (failure) => refusalOf(failure)))
      }
    })
  })
