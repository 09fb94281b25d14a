import { assert, describe, it } from "@effect/vitest"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Exit } from "effect"
import { type Answer, bytesOf } from "../../vendors/Exchange.js"
import type { ReplayServer } from "../../vendors/ReplayServer.js"
import { offsetsTo, rounds, sampleTo } from "../../thorough.js"
import { answered, type Case, type Named, type Subject, told, type WireFaults } from "./sources.js"
import { askSpoiled, faultyOf } from "./wire.js"

const LONGEST_BYTES = 4_000

/** The server of a subject that asks over a wire. */
const serverOf = (server: ReplayServer | null): ReplayServer => {
  if (server === null) throw new Error("a source that asks nobody has no wire to cut")
  return server
}

/**
 * For what buys, sends, or is charged for: whatever byte of the exchange is the last one that got through, in either
 * direction, the vendor is asked at most once, and the call reports "nothing happened" only with proof. All
 * vendors are spoken to by the same code, so a quick run cuts each of their answers at a sample of its bytes.
 */
export const vendorFaultsSuite = <S extends Named, Request, Result>(
  subject: Subject<S>,
  one: Case<Request, Result>,
  wire: WireFaults,
  ask: (source: S, request: Request) => Effect.Effect<Result, ProviderFailure>
): void => {
  const { good: answer } = faultyOf(one.exchanges ?? [], wire)
  const before = wire.faulty ?? 0
  // Nothing is said over a connection that is about to go.
  const good: Answer = { ...answer, headers: { ...answer.headers, connection: "close" } }

  describe(`${subject.name}, cut off`, () => {
    it.effect("cut inside the request: asked once, and never reported as not sent", () =>
      Effect.gen(function* () {
        const made = yield* subject.make
        const server = serverOf(made.server)
        server.on(...(one.exchanges ?? []), { ...faultyOf(one.exchanges ?? [], wire).exchange, answer: good })
        yield* told(ask(made.source, one.request))
        const { bytes = 0, text = "" } = server.received[before] ?? {}
        assert.isTrue(bytes > 0 && bytes < LONGEST_BYTES, `${bytes} bytes`)
        // Written at once, it arrives at once: whatever the byte, the same was read, and the same is seen at the other end.
        for (const at of sampleTo(bytes, [0, bytes - Buffer.byteLength(text), bytes])) {
          server.forget()
          server.cutRequestsAt(at, before)
          const [, failure] = yield* told(Effect.flip(ask(made.source, one.request)))
          assert.isAtMost(server.begun(), 1 + before, `byte ${at}: how often it was asked`)
          if (at > 0) assert.strictEqual(failure.reason, "unknown_outcome", `byte ${at}`)
          // Nothing was read, but it may have been on its way.
          else assert.include(["unknown_outcome", "transient"], failure.reason)
        }
      })
    )

    it.effect("cut inside the answer: asked once, and believed only whole", () =>
      Effect.gen(function* () {
        const made = yield* subject.make
        const server = serverOf(made.server)
        const total = bytesOf(good).length
        assert.isBelow(total, LONGEST_BYTES)
        for (const at of offsetsTo(total - 1, [0, bytesOf(good).indexOf("\r\n\r\n") + 4, total])) {
          server.forget()
          const cut: Answer = { ...good, fault: { kind: "cut", bytes: at } }
          const [, failure] = yield* askSpoiled(made, one, wire, cut, ask)
          assert.strictEqual(failure.reason, "unknown_outcome", `byte ${at}`)
          assert.strictEqual(server.received.length, 1 + before, `byte ${at}: how often it was asked`)
        }
        yield* answered(made, one, ask)
      })
    )

    it.effect("where nothing can have arrived, that is said", () =>
      Effect.gen(function* () {
        const made = yield* subject.make
        yield* serverOf(made.server).close
        const [, failure] = yield* told(Effect.flip(ask(made.source, one.request)))
        assert.strictEqual(failure.reason, "transient")
      })
    )

    it.effect("on a connection that was kept, and closed at the other end: never asked twice", () =>
      Effect.gen(function* () {
        const made = yield* subject.make
        const server = serverOf(made.server)
        for (let round = 0; round < rounds(20, 3); round += 1) {
          yield* answered(made, one, ask)
          server.forget()
          const closed: Answer = { ...good, fault: { kind: "closed" } }
          const [, failure] = yield* askSpoiled(made, one, wire, closed, ask)
          assert.deepStrictEqual([failure.reason, server.begun()], ["unknown_outcome", 1 + before])
          // Closed while nobody asks: whether the next one notices in time or not, it asks once.
          yield* answered(made, one, ask)
          server.forget()
          server.drop()
          const after = yield* Effect.exit(told(ask(made.source, one.request)))
          // What follows its effect, a look at what it did, is no second one.
          assert.isAtMost(server.begun(), (one.exchanges ?? []).length)
          if (Exit.isSuccess(after)) assert.strictEqual(server.begun(), (one.exchanges ?? []).length)
        }
      })
    )
  })
}
