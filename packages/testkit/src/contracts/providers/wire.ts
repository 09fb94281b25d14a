import { assert, it } from "@effect/vitest"
import type { ProviderFailure, ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Fiber } from "effect"
import { type Answer, bytesOf, type Exchange } from "../../vendors/Exchange.js"
import {
  answered,
  type Case,
  isWithoutSecret,
  type Made,
  type Named,
  SECRET,
  type Subject,
  told,
  type WireFaults
} from "./sources.js"

/** The exchange that goes wrong, and its answer when it goes right. */
export const faultyOf = (exchanges: ReadonlyArray<Exchange>, { faulty = 0 }: WireFaults) => {
  const exchange = exchanges[faulty]
  if (exchange === undefined) throw new Error("the first case tells no exchange that could go wrong")
  const [good] = [exchange.answer].flat() as [Answer]
  return { exchange, good }
}

/** Asks the vendor, which answers that request so from now on. */
export const askSpoiled = <S extends Named, Request, Result>(
  made: Made<S>,
  one: Case<Request, Result>,
  wire: WireFaults,
  answer: Answer,
  ask: (source: S, request: Request) => Effect.Effect<Result, ProviderFailure>
) =>
  Effect.suspend(() => {
    const exchanges = one.exchanges ?? []
    made.server?.on(...exchanges, { ...faultyOf(exchanges, wire).exchange, answer })
    return told(Effect.flip(ask(made.source, one.request)))
  })

/** What every vendor may answer, and what it means. */
const COMMON: ReadonlyArray<readonly [says: string, status: number, reason: ProviderFailureReason]> = [
  ["refuses the key", 401, "account"],
  ["wants to be paid", 402, "account"],
  ["does not let us in", 403, "account"],
  ["has not understood us in time", 408, "transient"],
  ["fails", 500, "transient"],
  ["has no server behind it", 502, "transient"],
  ["is overloaded", 503, "transient"],
  ["waits for its own server", 504, "transient"]
]

/** Answers that are none. */
const spoiled = (good: Answer): ReadonlyArray<readonly [says: string, answer: Answer]> => {
  const bytes = bytesOf(good)
  const text = good.text ?? JSON.stringify(good.json ?? {})
  const headBytes = bytes.length - Buffer.byteLength(text)
  return [
    ["closes before it answers", { ...good, fault: { kind: "closed" } }],
    ["is cut off in its head", { ...good, fault: { kind: "cut", bytes: 20 } }],
    ["is cut off after its head", { ...good, fault: { kind: "cut", bytes: headBytes } }],
    ["is cut off in its body", { ...good, fault: { kind: "cut", bytes: bytes.length - 1 } }],
    ["speaks no HTTP", { ...good, fault: { kind: "garbage" } }],
    ["answers without an end", { ...good, fault: { kind: "endless" } }],
    ["answers half of its JSON", { status: 200, text: text.slice(0, Math.floor(text.length / 2)) || "{" }],
    [
      "answers a page",
      { status: 200, text: "<!doctype html><h1>Maintenance</h1>", headers: { "content-type": "text/html" } }
    ],
    ["answers nothing", { status: 200, text: "" }],
    ["answers null", { status: 200, json: null }],
    ["answers a mere text", { status: 200, json: `no ${SECRET}` }],
    ["answers a number", { status: 200, json: 7 }]
  ]
}

/** How a source fails whose vendor does not answer as it should. */
export const wireSuite = <S extends Named, Request, Result>(
  subject: Subject<S>,
  one: Case<Request, Result>,
  wire: WireFaults,
  ask: (source: S, request: Request) => Effect.Effect<Result, ProviderFailure>
): void => {
  const { good } = faultyOf(one.exchanges ?? [], wire)
  /** A server that failed, or did not say all of it, may have done what it was asked. */
  const orUnknown = (reason: ProviderFailureReason): ProviderFailureReason =>
    reason === "transient" && wire.hasEffect ? "unknown_outcome" : reason
  const ownStatuses = new Set(wire.failures?.map(({ answer }) => answer.status ?? 200))

  const failsWith = (made: Made<S>, says: string, answer: Answer, reason: ProviderFailureReason) =>
    Effect.gen(function* () {
      const [all, failure] = yield* askSpoiled(made, one, wire, answer, ask)
      assert.strictEqual(failure._tag, "ProviderFailure", says)
      assert.strictEqual(failure.reason, reason, says)
      assert.strictEqual(failure.provider, made.source.name)
      // The caller reads why another try is no use.
      if (reason === "invalid") assert.isString(failure.said, says)
      isWithoutSecret([failure, all.logs, all.evidence], `where it ${says}, the failure`)
      assert.deepStrictEqual(all.spent, [], `where it ${says}, nothing is known to be spent`)
      return failure
    })

  it.effect("where nobody answers, nothing happened", () =>
    Effect.gen(function* () {
      const made = yield* subject.make
      yield* made.server?.close ?? Effect.void
      yield* failsWith(made, "is down", good, "transient")
    })
  )

  it.effect("every status is told for what it is", () =>
    Effect.gen(function* () {
      const made = yield* subject.make
      for (const [says, status, reason] of COMMON) {
        if (ownStatuses.has(status)) continue
        yield* failsWith(made, says, { status, json: { error: `no ${SECRET}` } }, orUnknown(reason))
      }
      if (!ownStatuses.has(429)) {
        const limited = { status: 429, headers: { "retry-after": "17" }, json: { error: "slow down" } }
        const failure = yield* failsWith(made, "is asked too often", limited, "rate_limited")
        assert.strictEqual(failure.retryAfterSeconds, 17)
      }
    })
  )

  if (wire.failures !== undefined) {
    it.effect("what the vendor says in its own way is told for what it is", () =>
      Effect.gen(function* () {
        const made = yield* subject.make
        for (const { answer, reason, retryAfterSeconds, says } of wire.failures ?? []) {
          const failure = yield* failsWith(made, says, answer, reason)
          if (retryAfterSeconds !== undefined) assert.strictEqual(failure.retryAfterSeconds, retryAfterSeconds, says)
        }
      })
    )
  }

  it.effect("what is no answer is never taken for one", () =>
    Effect.gen(function* () {
      const made = yield* subject.make
      for (const [says, answer] of spoiled(good)) yield* failsWith(made, says, answer, orUnknown("transient"))
    })
  )

  it.effect("an answer that comes byte by byte is the same answer", () =>
    Effect.gen(function* () {
      const made = yield* subject.make
      const { exchange } = faultyOf(one.exchanges ?? [], wire)
      const slow = { ...good, headers: { ...good.headers, connection: "close" }, fault: { kind: "slow" as const } }
      const rest = ([exchange.answer].flat() as ReadonlyArray<Answer>).slice(1)
      const exchanges = [
        ...(one.exchanges ?? []),
        { ...exchange, answer: [slow, ...rest] as [Answer, ...Array<Answer>] }
      ]
      yield* answered(made, { ...one, exchanges }, ask)
    })
  )

  it.effect("who leaves is not waited for, and the vendor sees it", () =>
    Effect.gen(function* () {
      const made = yield* subject.make
      const { server } = made
      if (server === null) return
      for (const bytes of [0, 20]) {
        const before = server.received.length
        const asking = yield* Effect.forkChild(
          askSpoiled(made, one, wire, { ...good, fault: { kind: "stalled", bytes } }, ask)
        )
        yield* server.until(before + 1 + (wire.faulty ?? 0))
        yield* Fiber.interrupt(asking)
        yield* server.left
        assert.strictEqual(server.received.length, before + 1 + (wire.faulty ?? 0), "asked once")
      }
    })
  )
}
