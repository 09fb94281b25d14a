import { assert } from "@effect/vitest"
import type { WireCode } from "@outbound/domain/kernel/errors/Wire.js"
import { type Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import type { Answered, Client } from "../../service/Client.js"
import { Faults } from "../../service/Service.js"
import { eventLoopTurn, patience } from "../../service/patience.js"

export const SUITE = { timeout: "180 seconds" } as const

export const VERIFIERS = ["sandbox_probe", "sandbox_probe_deep"] as const
export const ENRICHERS = ["sandbox_contacts_index", "sandbox_contacts_broad"] as const
export const MOBILE_FINDER = "sandbox_mobiles"
export const LEAD_SOURCE = "sandbox_leads"
export const COMPANY_SOURCE = "sandbox_companies"
export const JOBS_SOURCE = "sandbox_jobs"
export const WATCH_SOURCE = "sandbox_watch"
export const DATASET_SOURCES = ["sandbox_company_index", "sandbox_company_broad"] as const
export const POST_SOURCES = [
  "sandbox_posts_social",
  "sandbox_posts_x",
  "sandbox_posts_reddit",
  "sandbox_posts_youtube"
] as const
export const BRIEF_WRITER = "sandbox_briefs"

/** The result of a call that went well. */
export const resultOf = (answer: Answered) => {
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.result
}

/** A refusal by this code, with at least these details. */
export const assertRefused = (
  answer: Answered,
  code: WireCode,
  details: Readonly<Record<string, unknown>> = {}
): void => {
  assert.strictEqual(answer.error?.code, code, answer.text)
  for (const [name, value] of Object.entries(details)) {
    assert.deepStrictEqual(answer.error?.details?.[name], value, answer.text)
  }
}

/** A 400 that names exactly these places. */
export const assertIssues = (answer: Answered, paths: ReadonlyArray<string>): void => {
  assert.strictEqual(answer.status, 400, answer.text)
  const issues = (answer.error?.details?.["issues"] ?? []) as ReadonlyArray<{ path: string; message: string }>
  assert.deepStrictEqual([...new Set(issues.map((issue) => issue.path))].sort(), [...paths].sort(), answer.text)
}

/** What the workspace has, as its usage says. */
export const balanceOf = (client: Client) =>
  Effect.map(client.call("get_usage"), (usage) => {
    const { credits_available, credits_balance, credits_reserved } = resultOf(usage)
    return { available: credits_available, balance: credits_balance, reserved: credits_reserved }
  })

export const assertBalance = (client: Client, balance: string) =>
  Effect.map(balanceOf(client), (found) =>
    assert.deepStrictEqual(found, { available: balance, balance, reserved: "0" })
  )

/** While it runs, these sources behave so. */
export const whileSources = <A, E, R>(
  sources: ReadonlyArray<string>,
  behaviour: Behaviour,
  effect: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { behave } = yield* Faults
    yield* Effect.forEach(sources, (source) => behave(source, behaviour))
    return yield* Effect.ensuring(
      effect,
      Effect.forEach(sources, (source) => behave(source, Behaviour.Answer()))
    )
  })

/** The names of the sources that were asked, in order, while it ran. */
export const asking = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    yield* faults.forgetCalls
    const value = yield* effect
    return [value, (yield* faults.calls()).map((call) => call.source)] as const
  })

/** Goes on once this many requests have reached the source. */
export const untilAsked = (source: string, times: number) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    for (const isPatient = patience(); isPatient();) {
      yield* eventLoopTurn
      if ((yield* faults.calls(source)).length >= times) return yield* eventLoopTurn
    }
    return yield* Effect.die(new Error(`${source} was not asked`))
  })

/** A call that waits for a source, and what it comes to when that time has passed since the source was asked. */
export const afterWaiting = <A, E, R>(call: Effect.Effect<A, E, R>, source: string, passes: Duration.Input) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    yield* faults.forgetCalls
    const fiber = yield* Effect.forkChild(call)
    yield* untilAsked(source, 1)
    yield* TestClock.adjust(passes)
    return yield* Fiber.join(fiber)
  })
