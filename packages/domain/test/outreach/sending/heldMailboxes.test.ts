import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { HeldLimit, HeldMailboxes, layer } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { type ConnectedMailbox, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
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
