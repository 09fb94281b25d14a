import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { HeldLimit, HeldMailboxes, layer } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { type ConnectedMailbox, HOLD_MILLIS, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const MAILBOXES = 10_000

const mailbox = (at: number) => ({ own: { mailboxId: `m${at}` } }) as ConnectedMailbox

/** A store with more mailboxes than the host may hold: it gives as many as are asked for. */
const store = Layer.mock(OwnMailboxStore)({
  hold: ({ limit }) => Effect.succeed(Array.from({ length: limit }, (_, at) => mailbox(at))),
  release: () => Effect.void
})

const host = layer.pipe(
  Layer.provide([store, Layer.succeed(Ids, { next: () => "host" }), Layer.succeed(HeldLimit, MAILBOXES)])
)

describe("a host that starts", () => {
  it.effect("takes few at first, so that others share, and holds ten thousand within three minutes", () =>
    Effect.gen(function* () {
      const mailboxes = yield* HeldMailboxes
      const first = yield* mailboxes.renew
      assert.lengthOf(first, 250)
      let waited = 0
      let held = first.length
      while (held < MAILBOXES && waited < 600_000) {
        const millis = yield* mailboxes.renewMillis
        waited += millis
        yield* TestClock.adjust(Duration.millis(millis))
        held = (yield* mailboxes.renew).length
      }
      assert.strictEqual(held, MAILBOXES)
      assert.isBelow(waited, 180_000)
    }).pipe(Effect.provide(host))
  )
})

describe("a hold", () => {
  const few = layer.pipe(
    Layer.provide([store, Layer.succeed(Ids, { next: () => "host" }), Layer.succeed(HeldLimit, 2)])
  )
  const heldNow = Effect.flatMap(HeldMailboxes, ({ held }) => Effect.map(held, (all) => all.length))
  const prepared = Effect.gen(function* () {
    const fresh: Array<string> = []
    const { renewWith } = yield* HeldMailboxes
    yield* renewWith((mailboxes) => Effect.sync(() => fresh.push(...mailboxes.map(({ own }) => own.mailboxId))))
    return fresh
  })

  it.effect("is over for its host before the store gives the mailbox to another", () =>
    Effect.gen(function* () {
      yield* (yield* HeldMailboxes).renew
      assert.strictEqual(yield* heldNow, 2)
      yield* TestClock.adjust(HOLD_MILLIS - 2_001)
      assert.strictEqual(yield* heldNow, 2)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* heldNow, 0)
    }).pipe(Effect.provide(few))
  )

  it.effect("that is renewed in time needs no preparation again; one that had lapsed does", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* prepared, ["m0", "m1"])
      yield* TestClock.adjust(HOLD_MILLIS / 4)
      assert.deepStrictEqual(yield* prepared, [])
      yield* TestClock.adjust(HOLD_MILLIS)
      assert.deepStrictEqual(yield* prepared, ["m0", "m1"])
    }).pipe(Effect.provide(few))
  )

  it.effect("shows a mailbox only once it is prepared", () =>
    Effect.gen(function* () {
      const { held, renewWith } = yield* HeldMailboxes
      let seen = -1
      yield* renewWith(() => Effect.map(held, (all) => void (seen = all.length)))
      assert.strictEqual(seen, 0)
      assert.strictEqual(yield* heldNow, 2)
    }).pipe(Effect.provide(few))
  )
})
