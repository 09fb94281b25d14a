import { assert, describe, it } from "@effect/vitest"
import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { sourceWords } from "../src/console/trail/trailWords.js"

const event = (more: Partial<TrailEvent>): TrailEvent => ({
  eventId: "e",
  workspaceId: "w",
  observedAtMillis: 0,
  kind: "launched",
  source: "api",
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: "r1",
  operationId: null,
  email: null,
  detail: {},
  ...more
})

const callers = { calls: new Map([["r1", "k1"]]), keys: new Map([["k1", "Prospecting agent"]]) }

describe("who did it, on the trail's page", () => {
  it("is the key of the call, where the event names none", () => {
    assert.strictEqual(sourceWords(event({}), callers), "by the key “Prospecting agent”")
    assert.strictEqual(
      sourceWords(event({ detail: { by: "k1" }, requestId: null }), callers),
      "by the key “Prospecting agent”"
    )
  })

  it("is a person, where the call used no key of the list", () => {
    assert.strictEqual(sourceWords(event({}), { ...callers, keys: new Map() }), "in a person’s own name")
  })

  it("is a call, where the call is kept no more, and never a key for what no call did", () => {
    assert.strictEqual(sourceWords(event({ requestId: "r0" }), callers), "by a call")
    assert.strictEqual(sourceWords(event({ source: "system" }), callers), "by the service")
  })
})
