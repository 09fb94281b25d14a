import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { makeSealing } from "../../../src/control/trail/Sealing.js"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { retainedSince } from "../../../src/kernel/trail/retention.js"
import { SealStore } from "../../../src/kernel/trail/SealStore.js"
import {
  eventOf,
  makeTell,
  ofLead,
  type Told,
  TRAIL_KINDS,
  TRAIL_SOURCES,
  type TrailEvent,
  TrailStore
} from "../../../src/kernel/trail/TrailEvent.js"
import { wireEvent } from "../../../src/kernel/trail/wireEvent.js"

const NOON = Date.UTC(2026, 2, 10, 12)
const WORKSPACE = "00000000-0000-4000-8000-000000000001"

const TOLD: Told = { workspaceId: WORKSPACE, kind: "removed", source: "console" }

/** Ids that say which one they are, and of what time. */
const counted = () => {
  let count = 0
  return { next: (atMillis: number) => `${(count += 1)} of ${atMillis}` }
}

const EMPTY: TrailEvent = {
  ...TOLD,
  eventId: `1 of ${NOON}`,
  observedAtMillis: NOON,
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  email: null,
  detail: {}
}

/** The words in a sentence of the contract. */
const wordsOf = (sentence: RegExp): ReadonlyArray<string> => {
  const page = readFileSync(new URL("../../../../../docs/contract/trail.md", import.meta.url), "utf8")
  return [...(sentence.exec(page)?.[1] ?? "").matchAll(/`(\w+)`/g)].map(([, word = ""]) => word)
}

describe("an event of the trail", () => {
  it("has one of the kinds and sources that the contract says", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(TRAIL_KINDS, wordsOf(/^The kinds are (.*?)\. The sources/m))
    assert.deepStrictEqual<ReadonlyArray<string>>(TRAIL_SOURCES, wordsOf(/The sources are (.*?)\.$/m))
  })

  it("is of now, names nobody and nothing that it was not told, and keeps all that it was", () => {
    assert.deepStrictEqual(eventOf(counted(), NOON, TOLD), EMPTY)
    const whole = {
      campaignId: "campaign",
      campaignLeadId: "lead",
      replyId: "reply",
      requestId: "request",
      operationId: "operation",
      email: "ann@example.com",
      detail: { step: 1 }
    }
    assert.deepStrictEqual(eventOf(counted(), NOON, { ...TOLD, ...whole }), { ...EMPTY, ...whole })
  })

  it("has no address where its person was erased", () => {
    assert.isNull(eventOf(counted(), NOON, { ...TOLD, email: "" }).email)
    assert.isNull(eventOf(counted(), NOON, { ...TOLD, email: null }).email)
  })

  it("that is about a lead says whose it is, and no more of them", () => {
    const lead = { workspaceId: WORKSPACE, campaignId: "campaign", campaignLeadId: "lead", email: "ann@example.com" }
    const whole = { ...lead, firstName: "Ann" }
    assert.deepStrictEqual<Record<string, string>>(ofLead(whole), lead)
  })

  it("goes to callers with its time and ids, and without an address that is not retained", () => {
    const shown = {
      id: EMPTY.eventId,
      kind: "removed",
      observed_at: "2026-03-10T12:00:00.000Z",
      source: "console",
      campaign_id: null,
      campaign_lead_id: "lead",
      reply_id: null,
      request_id: null,
      operation_id: null,
      detail: {}
    } as const
    const event = { ...EMPTY, campaignLeadId: "lead" }
    assert.deepStrictEqual<object>(wireEvent(event), shown)
    assert.deepStrictEqual<object>(wireEvent({ ...event, email: "ann@example.com" }), {
      ...shown,
      email: "ann@example.com"
    })
  })

  it("keeps its address for 24 months of the calendar, and not a day less or more", () => {
    assert.strictEqual(retainedSince(NOON), Date.UTC(2024, 2, 10, 12))
    assert.strictEqual(retainedSince(Date.UTC(2026, 0, 31)), Date.UTC(2024, 0, 31))
  })

  it.effect("is told alone or with others, in one round trip, in the order given", () =>
    Effect.gen(function* () {
      const appended: Array<ReadonlyArray<TrailEvent>> = []
      const append = (events: ReadonlyArray<TrailEvent>) => Effect.sync(() => void appended.push(events))
      const tell = yield* makeTell.pipe(
        Effect.provideService(TrailStore, { append } as never),
        Effect.provideService(Ids, counted())
      )
      yield* tell(NOON, TOLD) as Effect.Effect<void>
      yield* tell(NOON, [TOLD, { ...TOLD, kind: "stop" }]) as Effect.Effect<void>
      assert.deepStrictEqual(appended, [
        [EMPTY],
        [
          { ...EMPTY, eventId: `2 of ${NOON}` },
          { ...EMPTY, eventId: `3 of ${NOON}`, kind: "stop" }
        ]
      ])
    })
  )
})

describe("a round of sealing", () => {
  const roundOver = (locked: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const store = {
        lockUnsealed: (nowMillis: number) => Effect.sync(() => (asked.push(["lock", nowMillis]), locked)),
        seal: (...given: ReadonlyArray<unknown>) => Effect.sync(() => (asked.push(["seal", ...given]), 7))
      }
      const atomically = (body: Effect.Effect<unknown>) =>
        Effect.andThen(
          Effect.sync(() => asked.push("begin")),
          Effect.tap(body, () => Effect.sync(() => asked.push("end")))
        )
      const round = yield* makeSealing.pipe(
        Effect.provideService(SealStore, store as never),
        Effect.provideService(UnitOfWork, { atomically } as never)
      )
      yield* TestClock.setTime(NOON)
      return [yield* round, asked] as const
    })

  it.effect("seals the chains that it could lock, in the transaction that locked them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* roundOver([WORKSPACE]), [
        7,
        ["begin", ["lock", NOON], ["seal", [WORKSPACE], NOON], "end"]
      ])
    })
  )

  it.effect("does nothing more where nothing waits", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* roundOver([]), [0, ["begin", ["lock", NOON], "end"]])
    })
  )
})
