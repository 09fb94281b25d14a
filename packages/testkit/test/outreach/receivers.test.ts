import { assert, it } from "@effect/vitest"
import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { makeReceivers } from "@outbound/domain/outreach/sending/Breaker.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { givenWorkspace, HOUR } from "../../src/contracts/fixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as TestIds from "../../src/memory/TestIds.js"

type Answer = ReadonlyArray<string> | "silent" | "broken"

/** Name servers that answer so, and how often they were asked. */
const servers = (answers: Readonly<Record<string, Answer>>, other: Answer = []) => {
  const asked: Array<string> = []
  const layer = Layer.succeed(DomainRecords, {
    mx: (domain) =>
      Effect.suspend(() => {
        asked.push(domain)
        const answer = answers[domain] ?? other
        if (answer === "silent") return Effect.never
        return answer === "broken" ? Effect.fail(new RecordsUnavailable({ cause: domain })) : Effect.succeed(answer)
      }),
    txt: () => Effect.succeed([]),
    a: () => Effect.succeed([]),
    cname: () => Effect.succeed([])
  })
  return { asked, layer }
}

const given = Effect.gen(function* () {
  const sending = yield* SendingStore
  const { workspaceId } = yield* givenWorkspace()
  const find = yield* makeReceivers
  const { workspaceId: other } = yield* givenWorkspace()
  return {
    find: (address: string) => find(workspaceId, address),
    findElsewhere: (address: string) => find(other, address),
    known: sending.knownReceivers(workspaceId)
  }
})

const story = <E>(
  name: string,
  dns: Layer.Layer<DomainRecords> | null,
  body: Effect.Effect<void, E, Effect.Services<typeof given> | MemoryFaults>
) => it.effect(name, () => Effect.provide(body, Layer.mergeAll(memory, TestIds.layer, dns ?? Layer.empty)))

story(
  "without name servers an address is received by its own organisation, which is not noted as known",
  null,
  Effect.gen(function* () {
    const { find, known } = yield* given
    assert.strictEqual(yield* find("ann@mail.Acme.example"), "acme.example")
    assert.strictEqual((yield* known).size, 0)
  })
)

const one = servers(
  {
    "acme.example": ["aspmx.l.google.com", "mx.backup.example"],
    "none.example": [],
    "odd.example": ["localhost"],
    "broken.example": "broken",
    "silent.example": "silent"
  },
  []
)
story(
  "the organisation of the most preferred server receives it, and is noted; else its own does",
  one.layer,
  Effect.gen(function* () {
    const { find, known } = yield* given
    assert.strictEqual(yield* find("ann@ACME.example"), "google.com")
    assert.strictEqual(yield* find("ann@none.example"), "none.example")
    assert.strictEqual(yield* find("ann@sub.odd.example"), "odd.example")
    assert.strictEqual(yield* find("ann@odd.example"), "odd.example")
    assert.strictEqual(yield* find("ann@broken.example"), "broken.example")
    const silent = yield* Effect.forkChild(find("ann@silent.example"))
    yield* TestClock.adjust("4 seconds")
    assert.strictEqual(yield* Fiber.join(silent), "silent.example")
    assert.deepStrictEqual(Object.fromEntries(yield* known), {
      "acme.example": "google.com",
      "none.example": "none.example",
      "odd.example": "odd.example",
      "sub.odd.example": "odd.example"
    })
    yield* find("ann@broken.example")
    assert.lengthOf(
      one.asked.filter((domain) => domain === "broken.example"),
      2,
      "what was not answered is asked again"
    )
  })
)

const two = servers({}, ["mx.big.example"])
story(
  "it is remembered for six hours, by a clock that may be set back, and noted once for each workspace",
  two.layer,
  Effect.gen(function* () {
    const { find, findElsewhere } = yield* given
    const { watch } = yield* MemoryFaults
    const notes = (address: string, by = find) =>
      Effect.map(watch(by(address)), (used) => used.filter((one) => one === "SendingStore.noteReceiver").length)
    yield* TestClock.setTime(10 * HOUR)
    assert.strictEqual(yield* notes("ann@a.example"), 1)
    yield* TestClock.setTime(16 * HOUR - 1)
    assert.strictEqual(yield* notes("bob@a.example"), 0)
    assert.strictEqual(yield* notes("bob@a.example", findElsewhere), 1, "each workspace knows it")
    assert.strictEqual(yield* notes("bob@a.example"), 0)
    assert.lengthOf(two.asked, 1)
    yield* TestClock.setTime(16 * HOUR)
    assert.strictEqual(yield* find("ann@a.example"), "big.example")
    assert.lengthOf(two.asked, 2)
    yield* TestClock.setTime(9 * HOUR)
    yield* find("ann@a.example")
    assert.lengthOf(two.asked, 3)
  })
)

const many = servers({}, ["mx.big.example"])
story(
  "no more than five thousand domains are remembered",
  many.layer,
  Effect.gen(function* () {
    const { find } = yield* given
    const { watch } = yield* MemoryFaults
    for (let domain = 0; domain < 5_000; domain += 1) yield* find(`ann@d${domain}.example`)
    assert.notInclude(yield* watch(find("ann@d0.example")), "SendingStore.noteReceiver")
    assert.lengthOf(many.asked, 5_000)
    yield* find("ann@d5000.example")
    const used = yield* watch(find("ann@d0.example"))
    assert.lengthOf(many.asked, 5_002)
    assert.include(used, "SendingStore.noteReceiver")
    yield* find("ann@d5000.example")
    assert.lengthOf(many.asked, 5_002)
  })
)
