import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  mailFollowingContract,
  mailReadingContract,
  read,
  readAndApply,
  repliesOf,
  stateOf,
  written
} from "../../src/contracts/service/mailReading.js"
import { mailShutContract } from "../../src/contracts/service/mailShut.js"
import { mailBacklogContract, mailTroubleContract } from "../../src/contracts/service/mailTrouble.js"
import { ownSideContract } from "../../src/contracts/service/ownSide.js"
import { SUITE } from "../../src/contracts/service/stories.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory } from "../../src/service/Service.js"

mailReadingContract("memory", quietMemory, PostOffice.layer)
mailFollowingContract("memory", quietMemory, PostOffice.layer)
mailShutContract("memory", quietMemory, PostOffice.layer)
ownSideContract("memory", quietMemory, PostOffice.layer)
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

describeLayer(Layer.provideMerge(PostOffice.layer, quietMemory), SUITE)("who is meant", (it) => {
  it.effect(
    "is found by the fields in which lists and helpdesks keep who wrote, and in what a colleague passes on",
    () =>
      Effect.gen(function* () {
        const office = yield* PostOffice.PostOffice
        const { address, campaign_id, mails, of } = yield* written(5)
        const subject = "Re: Hello"
        const [first, second, third, fourth, untouched] = mails
        const letters = [
          { from: "Desk <desk@helpdesk.test>", subject, text: "No.", head: [["Reply-To", first!.to.address]] },
          {
            from: "'Pat' via Sales <sales@lists.test>",
            subject,
            text: "No.",
            head: [["X-Original-From", second!.to.address]]
          },
          { from: "assistant@other.test", subject, text: "No.", head: [["Sender", third!.to.address]] },
          { from: "boss@other.test", subject: "FW: Hello", text: `Please stop.\n\n${fourth!.text}` }
        ] as const
        for (const letter of letters) yield* office.deliver(address, letter)
        yield* readAndApply
        for (const mail of [first, second, third, fourth]) {
          assert.notStrictEqual(yield* stateOf(of, campaign_id, mail!.to.address), "active", mail!.to.address)
        }
        assert.strictEqual(yield* stateOf(of, campaign_id, untouched!.to.address), "active")
      }).pipe(Effect.orDie)
  )

  it.effect("is found by their address without its tag, where nothing else names them", () =>
    Effect.gen(function* () {
      const office = yield* PostOffice.PostOffice
      const { address, campaign_id, mails, of } = yield* written(2)
      const [asked, other] = mails
      const from = asked!.to.address.replace("@", "+shop@")
      yield* office.deliver(address, { from, subject: "Your mails", text: "Please stop." })
      yield* readAndApply
      assert.strictEqual(yield* stateOf(of, campaign_id, asked!.to.address), "unsubscribed")
      assert.strictEqual(yield* stateOf(of, campaign_id, other!.to.address), "active")
    }).pipe(Effect.orDie)
  )

  it.effect("who invites us to a meeting has answered, and has asked for no end, whatever their calendar writes", () =>
    Effect.gen(function* () {
      const office = yield* PostOffice.PostOffice
      const { address, campaign_id, mails, of } = yield* written(1)
      const [{ to }] = mails as [(typeof mails)[number]]
      yield* office.deliver(address, {
        from: to.address,
        subject: "Invitation: Intro @ Thu 3 Dec 2026 10am",
        text: "Intro\n\nUnsubscribe me from these invitations.",
        head: [["Auto-Submitted", "auto-generated"]],
        report: {
          type: "mixed",
          parts: [{ type: "text/calendar", text: "BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR" }]
        }
      })
      yield* readAndApply
      assert.strictEqual(yield* stateOf(of, campaign_id, to.address), "replied")
      const [reply] = yield* repliesOf(of)
      assert.isNull(reply.classification)
    }).pipe(Effect.orDie)
  )
})
