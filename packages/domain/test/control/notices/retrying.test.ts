import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ClaimedNotice } from "../../../src/calls/approvals/notices/NoticeStore.js"
import { ChatFailure } from "../../../src/control/notices/ChatSender.js"
import {
  afterTrouble,
  ATTEMPTS_MAX,
  chatTrouble,
  hopeless,
  mailTrouble,
  TIMED_OUT,
  type Trouble
} from "../../../src/control/notices/retrying.js"
import { ProviderFailure } from "../../../src/sources/ports/Source.js"

const NOON = Date.UTC(2026, 2, 10, 12)

describe("what a chat's answer means for a notice", () => {
  const of = (given: object) =>
    chatTrouble(
      new ChatFailure({
        reason: "status",
        status: null,
        mayHaveArrived: false,
        retryAfterMillis: null,
        ...given
      } as ConstructorParameters<typeof ChatFailure>[0])
    )

  it("is by its status: later it may be taken, a gateway knows nothing, and everything else is final", () => {
    const outcomes = (statuses: ReadonlyArray<number>) => statuses.map((status) => of({ status }).outcome)
    assert.deepStrictEqual(outcomes([408, 425, 429, 500, 503]), ["retry", "retry", "retry", "retry", "retry"])
    assert.deepStrictEqual(outcomes([502, 504]), ["unknown", "unknown"])
    assert.deepStrictEqual(outcomes([400, 401, 403, 404, 410, 501]), ["fail", "fail", "fail", "fail", "fail", "fail"])
    // What the status says goes before what the line says.
    assert.strictEqual(of({ status: 429, mayHaveArrived: true }).outcome, "retry")
  })

  it("without a status is by whether it may have arrived, and never tried where it may not go", () => {
    for (const reason of ["timeout", "unreachable", "status"]) {
      assert.strictEqual(of({ reason, mayHaveArrived: true }).outcome, "unknown", reason)
      assert.strictEqual(of({ reason }).outcome, "retry", reason)
    }
    for (const reason of ["redirect", "forbidden_address"]) {
      assert.strictEqual(of({ reason, status: 302 }).outcome, "fail", reason)
      assert.strictEqual(of({ reason, mayHaveArrived: true }).outcome, "fail", reason)
    }
    // A status that says "later" beside another reason is no answer of the chat's.
    assert.strictEqual(of({ reason: "unreachable", status: 404 }).outcome, "retry")
  })

  it("keeps what was said", () => {
    const said = { status: 429, retryAfterMillis: 7_000 }
    assert.deepStrictEqual(of(said), { outcome: "retry", failure: "status", ...said })
    assert.deepInclude(of({ reason: "redirect", ...said }), { failure: "redirect", ...said })
    assert.deepInclude(of({ reason: "timeout", ...said }), { failure: "timeout", ...said })
  })
})

describe("what a mail server's answer means for a notice", () => {
  const of = (reason: ProviderFailure["reason"], retryAfterSeconds?: number) =>
    mailTrouble(
      new ProviderFailure({
        provider: "smtp",
        reason,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
      })
    )

  it("is by its reason", () => {
    const nothing = { status: null, retryAfterMillis: null }
    assert.deepStrictEqual(of("transient"), { outcome: "retry", failure: "unreachable", ...nothing })
    assert.deepStrictEqual(of("rate_limited"), { outcome: "retry", failure: "refused", ...nothing })
    assert.deepStrictEqual(of("unknown_outcome"), { outcome: "unknown", failure: "timeout", ...nothing })
    assert.strictEqual(of("unknown_outcome"), TIMED_OUT)
    for (const reason of ["account", "invalid"] as const) {
      assert.deepStrictEqual(of(reason), { outcome: "fail", failure: "refused", ...nothing })
    }
    for (const reason of ["transient", "rate_limited"] as const)
      assert.strictEqual(of(reason, 3).retryAfterMillis, 3_000)
    assert.deepStrictEqual(hopeless("sealed"), { outcome: "fail", failure: "sealed", ...nothing })
  })
})

describe("what follows an attempt that failed", () => {
  const RETRY: Trouble = { outcome: "retry", failure: "status", status: 429, retryAfterMillis: null }

  const after = (trouble: Partial<Trouble>, attempts = 1, expiresInMillis = 3_600_000) =>
    afterTrouble(
      { attempts, of: { approval: { expiresAtMillis: NOON + expiresInMillis } } } as unknown as ClaimedNotice,
      { ...RETRY, ...trouble },
      NOON
    )

  it.effect("is another one after a while, or when the other side says", () =>
    Effect.gen(function* () {
      const next = yield* after({})
      assert.deepInclude(next, { state: "waiting", failure: "status", status: 429, atMillis: NOON })
      assert.isAbove(next.dueAtMillis, NOON)
      assert.isAtMost(next.dueAtMillis, NOON + 2_000)
      const late = yield* after({}, 7)
      assert.isAbove(late.dueAtMillis, NOON + 30_000)
      assert.strictEqual((yield* after({ retryAfterMillis: 600_000 })).dueAtMillis, NOON + 600_000)
      assert.isAbove((yield* after({ retryAfterMillis: 0 })).dueAtMillis, NOON)
    })
  )

  it.effect("is none after the last one, once the request is over, or if nobody knows whether it arrived", () =>
    Effect.gen(function* () {
      const failed = { state: "failed", failure: "status", status: 429, atMillis: NOON, dueAtMillis: NOON }
      assert.deepStrictEqual<unknown>(yield* after({}, ATTEMPTS_MAX), failed)
      assert.strictEqual((yield* after({}, ATTEMPTS_MAX - 1)).state, "waiting")
      const wait = { retryAfterMillis: 600_000 }
      assert.deepStrictEqual<unknown>(yield* after(wait, 1, 600_000), failed)
      assert.strictEqual((yield* after(wait, 1, 600_001)).state, "waiting")
      assert.deepStrictEqual<unknown>(yield* after({ outcome: "fail" }), failed)
      assert.deepStrictEqual<unknown>(yield* after({ outcome: "unknown" }), { ...failed, state: "unknown" })
    })
  )
})
