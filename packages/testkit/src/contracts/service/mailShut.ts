import { assert, layer as describeLayer } from "@effect/vitest"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { LOGIN_TRIES_MAX, tellingOf, UNREADABLE_MILLIS } from "@outbound/domain/outreach/replies/MailReading.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { PostOffice } from "../../mail/PostOffice.js"
import { apply, host, repliesOf, restsOf, written } from "./mailReading.js"
import type { OwnService, Team } from "./ownStories.js"
import { patience } from "../../service/patience.js"
import { SUITE, trailOf } from "./stories.js"

const pass = (duration: Duration.Input, step: Duration.Input) =>
  Effect.repeat(TestClock.adjust(step), { times: Math.ceil(Duration.toMillis(duration) / Duration.toMillis(step)) - 1 })

/** Lets time pass until it is so. */
const until = <E, R>(isSo: Effect.Effect<boolean, E, R>, step: Duration.Input) =>
  Effect.gen(function* () {
    for (const isPatient = patience(); isPatient();) {
      yield* TestClock.adjust(step)
      if (yield* isSo) return
    }
    assert.fail("it did not come to that")
  })

const pauses = (of: Team) =>
  Effect.map(trailOf(of.client, { kind: "mailbox_paused" }), (events) => events.map(({ detail }) => detail["reason"]))

const answers = (of: Team) => Effect.map(Effect.andThen(apply, repliesOf(of)), (replies) => replies.length)

/** A mailbox that lets nobody in, or that nobody comes to: what a host that follows it does, and what its owner sees. */
export const mailShutContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeLayer(Layer.provideMerge(post, service), SUITE)(`mailboxes that are shut (${name})`, (it) => {
    const shut = Effect.gen(function* () {
      const office = yield* PostOffice
      const { address, mails, of } = yield* written(1)
      const [mail] = mails
      const { reading } = yield* host
      yield* Effect.forkScoped(reading.run)
      yield* office.failNext(address, "account", LOGIN_TRIES_MAX)
      yield* until(
        Effect.map(pauses(of), (reasons) => reasons.includes("login")),
        "5 seconds"
      )
      // It would be let in again, and nobody knocks yet.
      yield* office.deliver(address, { from: mail!.to.address, text: "No.", inReplyTo: mail!.messageId })
      yield* pass("30 minutes", "1 minute")
      assert.strictEqual(yield* answers(of), 0)
      const { workspaceId } = of.client
      const { mailboxId } = of.mailboxes[0]!
      return { of, workspaceId, mailboxId }
    })

    it.effect(
      "one that lets nobody in is knocked at once an hour; whom it lets in reads, and its owner lets it go on",
      () =>
        Effect.gen(function* () {
          const sendings = yield* SendingStore
          const { mailboxId, of, workspaceId } = yield* shut
          yield* pass("35 minutes", "1 minute")
          assert.strictEqual(yield* answers(of), 1)
          const mailbox = yield* sendings.mailbox(workspaceId, mailboxId)
          assert.strictEqual(Option.getOrThrow(mailbox).pauseReason, "login")
          assert.deepStrictEqual(yield* pauses(of), ["login"])
        }).pipe(Effect.orDie)
    )

    it.effect("one that its owner lets go on is read at once, and sends nothing before", () =>
      Effect.gen(function* () {
        const admin = yield* MailboxAdmin
        const { mailboxId, of, workspaceId } = yield* shut
        yield* admin.resume(workspaceId, mailboxId, "system")
        assert.isTrue(yield* restsOf(of), "it is read first")
        yield* pass("30 seconds", "5 seconds")
        assert.strictEqual(yield* answers(of), 1)
      }).pipe(Effect.orDie)
    )

    it("an owner is alerted to a mailbox that can't be read for hours, for any reason", () => {
      const failing = (failingForMillis: number, refusals = 0, isShut = false) =>
        tellingOf({ refusals, isShut, failingForMillis })
      assert.deepStrictEqual(
        [0, UNREADABLE_MILLIS - 1].map((millis) => failing(millis)),
        [null, null]
      )
      assert.strictEqual(failing(UNREADABLE_MILLIS), "unreachable")
      assert.deepStrictEqual(
        [LOGIN_TRIES_MAX - 1, LOGIN_TRIES_MAX].map((refusals) => failing(0, refusals)),
        [null, "login"]
      )
      assert.strictEqual(failing(UNREADABLE_MILLIS, 1, true), "login")
    })
  })
}
