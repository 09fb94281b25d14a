import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  mailFollowingContract,
  mailReadingContract,
  read,
  readAndApply,
  repliesOf,
  written
} from "../../src/contracts/service/mailReading.js"
import { mailShutContract } from "../../src/contracts/service/mailShut.js"
import { mailBacklogContract, mailTroubleContract } from "../../src/contracts/service/mailTrouble.js"
import { SUITE } from "../../src/contracts/service/stories.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory } from "../../src/service/Service.js"

mailReadingContract("memory", quietMemory, PostOffice.layer)
mailFollowingContract("memory", quietMemory, PostOffice.layer)
mailShutContract("memory", quietMemory, PostOffice.layer)
mailTroubleContract("memory", quietMemory, PostOffice.layer)
mailBacklogContract("memory", quietMemory, PostOffice.layer)

describeLayer(Layer.provideMerge(PostOffice.layer, quietMemory), SUITE)("reading over a store that fails", (it) => {
  for (const operation of ["Inbound.receive", "OwnMailboxStore.moveCursor", "ReadingStore.ours"]) {
    it.effect(`what ${operation} did not do is done by the next reading, once`, () =>
      Effect.gen(function* () {
        const office = yield* PostOffice.PostOffice
        const faults = yield* MemoryFaults
        const { address, mails, of } = yield* written(2)
        for (const mail of mails) {
          yield* office.deliver(address, { from: mail.to.address, text: "No.", inReplyTo: mail.messageId })
        }
        yield* faults.failNext(operation, 1)
        yield* read
        yield* readAndApply
        assert.lengthOf(yield* repliesOf(of), 2)
        assert.strictEqual(yield* read, 0)
      }).pipe(Effect.orDie)
    )
  }
})
