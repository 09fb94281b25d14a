import { allErrorsOf, type ErrorsOf } from "@outbound/domain/verbs/Verb.js"
import { type Verbs, verbs } from "@outbound/domain/verbs/verbs.js"
import type { Effect } from "effect"
import { assert, expectTypeOf, it } from "vitest"
import type { CallErrorOf, Client } from "../src/Client.js"
import type { NoAnswer } from "../src/NoAnswer.js"
import type { Refusal } from "../src/Refusal.js"

type FailureOf<M> = M extends (...args: infer _A) => Effect.Effect<infer _R, infer E> ? E : never

/** Every code that a verb can answer, written out so that the compiler holds the list to the type, both ways. */
const OF_USAGE: Readonly<Record<ErrorsOf<Verbs["get_usage"]>, true>> = {
  unauthorized: true,
  invalid_request: true,
  rate_limited: true,
  provider_unavailable: true,
  agent_paused: true,
  forbidden: true,
  internal: true,
  run_unavailable: true
}

it("a verb's errors are typed as those that it can answer", () => {
  assert.sameMembers(Object.keys(OF_USAGE), [...allErrorsOf(verbs.get_usage)])
  expectTypeOf<FailureOf<Client["get_usage"]>>().toEqualTypeOf<CallErrorOf<Verbs["get_usage"]>>()
  expectTypeOf<
    Extract<FailureOf<Client["get_usage"]>, { readonly code: "insufficient_credits" }>
  >().toEqualTypeOf<never>()
  expectTypeOf<Extract<FailureOf<Client["get_operation"]>, { readonly code: "not_found" }>>().toEqualTypeOf<
    Refusal<"not_found">
  >()
  expectTypeOf<Extract<FailureOf<Client["reply_to_thread"]>, { readonly code: "approval_declined" }>>().toEqualTypeOf<
    Refusal<"approval_declined">
  >()
  expectTypeOf<Extract<FailureOf<Client["get_usage"]>, { readonly _tag: "NoAnswer" }>>().toEqualTypeOf<NoAnswer>()
})

it("a request's members keep the wire's types", () => {
  type Leads = Parameters<Client["find_leads"]>[0]
  expectTypeOf<Leads["audience"]>().toEqualTypeOf<string>()
  expectTypeOf<Leads["limit"]>().toEqualTypeOf<number | undefined>()
  // @ts-expect-error -- a misspelt member is no member
  const wrong: Leads = { audience: "x", titels: ["CTO"], dry_run: true }
  assert.isObject(wrong)
})
