import { assert, it } from "@effect/vitest"
import { polling } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { type SandboxLetter, SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { messageTo, sandboxSendingContract, type SandboxWay } from "@outbound/testkit/contracts/sandboxSending.js"
import * as MemorySandboxLetters from "@outbound/testkit/memory/MemorySandboxLetters.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import { overWire } from "@outbound/sandbox/providers/SandboxMail.js"
import { makeSandboxSending } from "@outbound/sandbox/providers/SandboxSending.js"
import { Effect, Layer, Option, Queue, type Scope } from "effect"
import * as Imap from "../../src/mail/Imap.js"
import * as Smtp from "../../src/mail/Smtp.js"

/** Whatever is named was sent by us. */
const reading = Layer.succeed(ReadingStore, {
  ours: (_workspaceId, messageIds) => Effect.succeed(messageIds),
  newestOfLead: () => Effect.succeedNone,
  newestTo: () => Effect.succeedNone,
  sides: () => Effect.succeedNone,
  leftUnder: () => Effect.succeed(new Map()),
  learn: () => Effect.void,
  unclassified: () => Effect.succeed([]),
  openReply: () => Effect.succeedNone,
  classify: () => Effect.succeed(false)
})

type Letters = SandboxLetters["Service"]

/** A host's own server, over the letters that all of them share. */
const host = (letters: Letters, events: Queue.Queue<InboundEvent>) => {
  const inbound = Inbound.of({ receive: (received) => Effect.asVoid(Queue.offerAll(events, received)) })
  return overWire(makeSandboxSending(inbound)).pipe(
    Effect.provide(Layer.mergeAll(Smtp.layer(), Imap.layer, TestCrypto.layer, reading, polling)),
    Effect.provideService(Inbound, inbound),
    Effect.provideService(SandboxLetters, letters)
  )
}

const memory = Effect.map(Layer.build(MemorySandboxLetters.layer), (context) => {
  const found = Layer.succeedContext(context)
  return Effect.provide(SandboxLetters, found)
}).pipe(Effect.flatten)

const way: Effect.Effect<SandboxWay, never, Scope.Scope> = Effect.gen(function* () {
  const events = yield* Queue.unbounded<InboundEvent>()
  const { deliver, reply } = yield* host(yield* memory, events)
  return {
    deliver,
    reply,
    comesBack: (count) => Queue.takeN(events, count),
    more: Queue.size(events)
  }
})

sandboxSendingContract("by SMTP and IMAP", way, "real")

it.live("sandbox mail: of two hosts each letter is read by one, wherever its message was accepted", () =>
  Effect.gen(function* () {
    const letters = yield* memory
    const events = yield* Queue.unbounded<InboundEvent>()
    // A busy host may be longer over its letters than it holds them, and then the other reads them again.
    const held: Letters = { ...letters, take: (ask) => letters.take({ ...ask, holdMillis: 600_000 }) }
    const hosts = [yield* host(held, events), yield* host(held, events)]
    const sent = Array.from({ length: 40 }, (_, n) => messageTo(`interested+${n}@magic.test`))
    yield* Effect.forEach(sent, (message, n) => hosts[n % 2]!.deliver(message), { concurrency: 8 })
    const read = yield* Queue.takeN(events, sent.length)
    assert.sameMembers(
      read.map(({ inReplyTo }) => inReplyTo),
      sent.map(({ messageId }) => messageId)
    )
    assert.strictEqual(yield* Queue.size(events), 0)
    assert.isEmpty(yield* letters.take({ nowMillis: Date.now() + 3_600_000, limit: 100, holdMillis: 1 }))
  })
)

it.live("sandbox mail: an answer outlives the host that accepted its message", () =>
  Effect.gen(function* () {
    const letters = yield* memory
    const events = yield* Queue.unbounded<InboundEvent>()
    const message = messageTo("not_interested@magic.test")
    yield* Effect.scoped(Effect.flatMap(host(letters, events), ({ deliver }) => deliver(message)))
    assert.strictEqual(yield* Queue.size(events), 0)
    yield* host(letters, events)
    const event = yield* Queue.take(events)
    assert.deepInclude(event, { inReplyTo: message.messageId, classification: "not_interested" })
  })
)

it.live("sandbox mail: what can't be kept is not accepted, and may be sent again", () =>
  Effect.gen(function* () {
    const letters = yield* memory
    const events = yield* Queue.unbounded<InboundEvent>()
    let isDown = true
    const put = (letter: SandboxLetter) =>
      isDown ? Effect.fail(new StoreUnavailable({ operation: "put", cause: "down" })) : letters.put(letter)
    const { deliver } = yield* host({ ...letters, put }, events)
    const message = messageTo("interested@magic.test")
    const refused = yield* Effect.flip(deliver(message))
    assert.strictEqual(refused.reason, "transient")
    isDown = false
    yield* deliver(message)
    assert.strictEqual((yield* Queue.take(events)).inReplyTo, message.messageId)
    assert.isTrue(Option.isNone(yield* Queue.poll(events)))
  })
)
