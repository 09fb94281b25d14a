import { assert, describe, it } from "@effect/vitest"
import type { AdmittedCall } from "@outbound/domain/calls/Attempt.js"
import type { Finish } from "@outbound/domain/calls/Handler.js"
import { failureOf, settlementOf, withNotes, withPeople } from "@outbound/domain/calls/settlementOf.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { CallNotes } from "@outbound/domain/sources/CallNotes.js"

const crypto = { mac: (_purpose: string, text: string) => `#${text}` } as unknown as Crypto["Service"]
const call = { requestId: "r", workspaceId: "w", idempotency: { key: "k" } } as unknown as AdmittedCall
const once = { ...call, idempotency: null } as AdmittedCall

const ended = (finish: Partial<Finish<unknown>>, of = call) => {
  const whole = { result: { email: "ann@acme.test" }, charge: credits("2"), ...finish }
  return withPeople(crypto, settlementOf(of, 7, whole), whole)
}

const refusal = refuse("not_found", {})
const down = refuse("provider_unavailable", { retry_after_seconds: 5 })

describe("the answer that a repeat gets", () => {
  it("is the first one, with what it cost, where the call came under a key", () => {
    const { outcome } = ended({ approvalId: "a" })
    assert.deepStrictEqual(outcome, {
      requestId: "r",
      httpStatus: 200,
      body: '{"email":"ann@acme.test"}',
      charged: credits("2"),
      approvalId: "a"
    })
    assert.isNull(ended({}).outcome?.approvalId)
    const { errorCode, httpStatus, status } = ended({})
    assert.deepStrictEqual([status, httpStatus, errorCode], ["succeeded", 200, null])
    assert.isTrue(ended({ interrupted: true }).interrupted)
    assert.notProperty(ended({}), "interrupted")
    assert.isNull(ended({}, once).outcome)
  })

  it("is the refusal where that was final, and none where the call may be made again", () => {
    const refused = ended({ refusal })
    assert.deepStrictEqual(
      [refused.status, refused.httpStatus, refused.errorCode, refused.outcome?.httpStatus],
      ["failed", 404, "not_found", 404]
    )
    assert.notInclude(refused.outcome?.body ?? "", "ann@acme.test")
    assert.strictEqual(ended({ repeat: refusal }).outcome?.httpStatus, 404)
    assert.strictEqual(ended({ repeat: refusal }).status, "succeeded")
    // What was delivered in part is charged, and the key is free for the rest.
    const partly = ended({ failure: down })
    assert.deepStrictEqual([partly.status, partly.charge, partly.outcome], ["failed", credits("2"), null])
    assert.isNull(ended({ runsAgain: true }).outcome)
  })

  it("of a call that failed is kept only while nobody knows what it did, and costs nothing", () => {
    const unknown = refuse("operation_unknown_state", { operation_id: "o" })
    const kept = failureOf(call, 7, unknown)
    assert.deepStrictEqual([kept.status, kept.charge, kept.outcome?.charged], ["unknown", zero, zero])
    assert.include(kept.outcome?.body ?? "", "operation_unknown_state")
    assert.isNull(failureOf(once, 7, unknown).outcome)
    const failed = failureOf(call, 7, down)
    assert.deepStrictEqual([failed.status, failed.outcome, failed.charge], ["failed", null, zero])
  })
})

describe("the people by whom an erasure finds a call", () => {
  const cache = { contact: JSON.stringify({ work_email: "bob@acme.test", fingerprint: "f" }) }
  const people = (finish: Partial<Finish<unknown>>, of = call) => ended(finish, of).subjects?.toSorted() ?? []

  it("are those of the answer that is kept, and of the contact that is remembered", () => {
    assert.deepStrictEqual(people({}), ["#w\nann@acme.test"])
    const both = people({ cache: cache as unknown as NonNullable<Finish<unknown>["cache"]> })
    assert.deepStrictEqual(both, ["#w\nann@acme.test", "#w\nbob@acme.test", "#w\nfingerprint\nf"])
    const contact = people({ cache: cache as unknown as NonNullable<Finish<unknown>["cache"]> }, once)
    assert.deepStrictEqual(contact, ["#w\nbob@acme.test", "#w\nfingerprint\nf"])
  })

  it("are those of a list's row, which keeps its answer without a key, and nobody where it failed", () => {
    const row = (finish: Partial<Finish<unknown>>) => {
      const whole = { result: { email: "ann@acme.test" }, charge: credits("1"), ...finish }
      return withPeople(crypto, { ...settlementOf(once, 7, whole), isListed: true }, whole).subjects
    }
    assert.deepStrictEqual(row({}), ["#w\nann@acme.test"])
    assert.isUndefined(row({ failure: down }))
    assert.isUndefined(row({ result: { count: 1 } }))
  })

  it("are nobody where nothing of them is kept", () => {
    assert.deepStrictEqual(people({}, once), [])
    assert.notProperty(ended({ result: { count: 1 } }), "subjects")
    // What is kept is the refusal, which names nobody.
    assert.deepStrictEqual(people({ refusal }), [])
    assert.deepStrictEqual(people({ repeat: refusal }), [])
    assert.deepStrictEqual(people({ result: { count: 1 } }), [])
  })

  it("are named beside a verdict on an address, by hash", () => {
    const { verdict } = ended({ verdict: { email: "ann@acme.test", status: "valid" } as never })
    assert.deepStrictEqual(verdict, { addressHash: "#w\nann@acme.test", status: "valid" } as never)
    assert.isUndefined(ended({}).verdict)
  })
})

it("what a call says of its costs is kept with it, where it says something", () => {
  const settlement = settlementOf(call, 7, { result: {}, charge: zero })
  const notes = (kept: object | null) => ({ kept: () => kept }) as unknown as CallNotes
  assert.strictEqual(withNotes(settlement, null), settlement)
  assert.strictEqual(withNotes(settlement, notes(null)), settlement)
  assert.deepStrictEqual(withNotes(settlement, notes({ costs: "1" })).notes as unknown, { costs: "1" })
})
