import { assert } from "@effect/vitest"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Letter, PostOffice } from "../../mail/PostOffice.js"
import { describeStories } from "./describeStories.js"
import { apply, host, read, readAndApply, repliesOf, SEQUENCE, send, stateOf } from "./mailReading.js"
import { ALWAYS, campaign, type OwnService, taken, team, THURSDAY } from "./ownStories.js"
import { kindsOf, trailOf } from "./stories.js"

const DATE = "Thu, 25 Mar 2027 12:00:00 +0000"

/** What two mailboxes of one workspace get in one thread: mail of each other, and one answer twice. */
export const ownSideContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  let stories = 0

  /** One of two mailboxes has written to a person. */
  const asked = (email?: string) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(THURSDAY + 9 * 3_600_000)
      const of = yield* team(2)
      stories += 1
      const to = email ?? `asked-${stories}@recipients.test`
      const recipients = [{ email: to, first_name: "Robin", last_name: "Rye" }]
      const campaign_id = yield* campaign(of, { recipients, sequence: SEQUENCE, schedule: ALWAYS })
      yield* send(2)
      const [first] = yield* taken(of)
      const from = first!.mail.from.address
      const other = of.addresses.find((address) => address !== from) as string
      return { of, campaign_id, to, from, other, inReplyTo: first!.mail.messageId, text: first!.mail.text }
    })

  type Story = Effect.Success<ReturnType<typeof asked>>

  const state = ({ campaign_id, of, to }: Story) => stateOf(of, campaign_id, to)

  /** What the person, who is alone in the campaign, went through. */
  const told = ({ campaign_id, of }: Story) => Effect.map(trailOf(of.client, { campaign_id }), kindsOf)

  describeStories(Layer.provideMerge(post, service))(`mail between own mailboxes (${name})`, (it) => {
    /** Our own side writes so into the thread. How many answers that is. */
    const oursWrite = (story: Story, letter: Partial<Letter>) =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        yield* office.deliver(story.from, {
          from: story.other,
          text: "Robin, I'd be glad to join you two.\n\nKim",
          inReplyTo: story.inReplyTo,
          ...letter
        })
        const count = yield* read
        yield* apply
        return count
      })

    it.effect("of our own side stops nobody and counts nowhere: another mailbox, a colleague, one who is away", () =>
      Effect.gen(function* () {
        const story = yield* asked()
        const before = yield* told(story)
        const quoted = `On 25 March 2027 Jo <${story.from}> wrote:\n\n> ${story.text.replaceAll("\n", "\n> ")}`
        for (const letter of [
          {},
          { text: "Please stop writing to them, we are not interested." },
          { text: `Adding Sam.\n\n${quoted}` },
          { text: `Adding Sam.\n\nFrom: Jo <${story.from}>\nTo: Robin Rye <${story.to}>\nSubject: Hello\n\nHi` },
          { text: "I am away.", head: [["Auto-Submitted", "auto-replied"]] },
          { from: "Sam Sales <sam@acme.test>" },
          { from: "hello@acme.test", head: [["Reply-To", "jo@acme.test"]] }
        ] satisfies ReadonlyArray<Partial<Letter>>) {
          assert.strictEqual(yield* oursWrite(story, letter), 0, JSON.stringify(letter))
        }
        assert.strictEqual(yield* state(story), "active")
        assert.isEmpty(yield* repliesOf(story.of))
        assert.deepStrictEqual(yield* told(story), before)
      }).pipe(Effect.orDie)
    )

    const theirs: ReadonlyArray<readonly [why: string, (of: Story) => Partial<Letter>]> = [
      ["passes on their mail", () => ({ subject: "Fwd: Hello", text: "See below: they want us to stop." })],
      [
        "quotes an answer of theirs that came nowhere else",
        ({ to }) => ({ text: `FYI\n\nOn 25 March 2027 Robin <${to}> wrote:\n\n> Please stop.` })
      ],
      ["quotes their name alone", () => ({ text: "FYI\n\nAm 25.03.2027 schrieb Robin Rye:\n\n> Bitte nicht mehr." })],
      [
        "quotes somebody who answers for them",
        () => ({ text: "FYI\n\nVon: Rita <rita@recipients.test>\nAn: Jo\n\nBitte nicht mehr." })
      ],
      ["is of a list that sends theirs on", ({ to }) => ({ from: "desk@acme.test", head: [["X-Original-From", to]] })],
      ["is of a desk's program", () => ({ from: "desk@acme.test", head: [["Auto-Submitted", "auto-generated"]] })],
      [
        "is denied by the receiving server",
        () => ({ head: [["Authentication-Results", "mx.acme.test; dmarc=fail header.from=acme.test"]] })
      ]
    ]
    for (const [why, letter] of theirs) {
      it.effect(`from our own side counts as the person's where it ${why}`, () =>
        Effect.gen(function* () {
          const story = yield* asked()
          assert.strictEqual(yield* oursWrite(story, { text: "Please look.", ...letter(story) }), 1)
          assert.notStrictEqual(yield* state(story), "active")
        }).pipe(Effect.orDie)
      )
    }

    it.effect("quoting an answer that is known is ours again", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const story = yield* asked()
        yield* office.deliver(story.from, { from: story.to, text: "Tell me more.", inReplyTo: story.inReplyTo })
        yield* readAndApply
        const text = `Gladly!\n\nOn 25 March 2027 Robin <${story.to}> wrote:\n\n> Tell me more.`
        assert.strictEqual(yield* oursWrite(story, { text }), 0)
        assert.lengthOf(yield* repliesOf(story.of), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a person of our own company whom we wrote to answers, and so does their colleague", () =>
      Effect.gen(function* () {
        const story = yield* asked("pat@acme.test")
        assert.strictEqual(yield* oursWrite(story, { from: "sam@acme.test" }), 1)
        assert.strictEqual(yield* state(story), "replied")
        const again = yield* asked("kim@acme.test")
        assert.strictEqual(yield* oursWrite(again, { from: "kim@acme.test" }), 1)
        assert.strictEqual(yield* state(again), "replied")
      }).pipe(Effect.orDie)
    )

    it.effect("at a mail provider a mailbox of ours is ours, and everybody else a stranger", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        const story = yield* asked()
        const [mailbox] = story.of.mailboxes.filter(({ address }) => address === story.other)
        const shared = { ...mailbox!, mailboxId: crypto.randomUUID(), address: `ours-${stories}@gmail.com` }
        yield* atomically(sendings.insertMailboxes([shared]))
        assert.strictEqual(yield* oursWrite(story, { from: shared.address }), 0)
        assert.strictEqual(yield* oursWrite(story, { from: `theirs-${stories}@gmail.com` }), 1)
        assert.strictEqual(yield* state(story), "replied")
      }).pipe(Effect.orDie)
    )
  })

  describeStories(Layer.provideMerge(post, service))(`one answer in two mailboxes (${name})`, (it) => {
    /** The answer arrives in both mailboxes, as two letters. */
    const answerTwice = (story: Story, one: Partial<Letter>, copy: Partial<Letter>) =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const letter = { from: story.to, text: "Tell me more.", inReplyTo: story.inReplyTo }
        yield* office.deliver(story.from, { ...letter, ...one })
        yield* office.deliver(story.other, { ...letter, ...copy })
      })

    const dated = (date = DATE) => [["Date", date]] as const

    it.effect("is one reply and one event, whichever of its id, its words and its time a server left as it was", () =>
      Effect.gen(function* () {
        const id = "same@recipients.test"
        const copies: ReadonlyArray<readonly [Partial<Letter>, Partial<Letter>]> = [
          [
            { messageId: id, head: dated() },
            { messageId: id, head: dated() }
          ],
          [
            { messageId: id, head: dated() },
            { messageId: "new@relay.test", head: dated() }
          ],
          [
            { messageId: id, head: dated() },
            { messageId: id, head: dated("Thu, 25 Mar 2027 13:00:00 +0100") }
          ],
          [
            { messageId: id, head: dated() },
            { messageId: id, head: dated(), text: "[External]\n\nTell me more." }
          ]
        ]
        for (const [one, copy] of copies) {
          const story = yield* asked()
          yield* answerTwice(story, one, copy)
          yield* readAndApply
          assert.lengthOf(yield* repliesOf(story.of), 1, JSON.stringify(copy))
          assert.strictEqual(yield* state(story), "replied")
          assert.lengthOf(
            (yield* told(story)).filter((kind) => kind === "reply"),
            1
          )
        }
      }).pipe(Effect.orDie)
    )

    it.effect("is one reply where two hosts read and apply both at once", () =>
      Effect.gen(function* () {
        const story = yield* asked()
        yield* answerTwice(story, { messageId: "x@b.test", head: dated() }, { messageId: "x@b.test", head: dated() })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const [one, another] = [yield* host, yield* host]
            yield* Effect.all([one.reading.round, another.reading.round], { concurrency: 2 })
          })
        )
        yield* Effect.all([apply, apply], { concurrency: 2 })
        assert.lengthOf(yield* repliesOf(story.of), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("is two replies where its words or its time differ, even under one id", () =>
      Effect.gen(function* () {
        const later = dated("Thu, 25 Mar 2027 12:00:01 +0000")
        for (const copy of [
          { messageId: "same@b.test", head: later },
          { messageId: "other@b.test", head: dated(), text: "And the price?" }
        ]) {
          const story = yield* asked()
          yield* answerTwice(story, { messageId: "same@b.test", head: dated() }, copy)
          yield* readAndApply
          assert.lengthOf(yield* repliesOf(story.of), 2, JSON.stringify(copy))
        }
      }).pipe(Effect.orDie)
    )

    it.effect("stops for good by the copy that proves its sender, if the first does not", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const story = yield* asked()
        const letter = { from: story.to, subject: "Your mail", text: "Please stop.", messageId: "x@b.test" }
        const denied = [["Authentication-Results", "mx.acme.test; dmarc=fail header.from=b.test"]] as const
        yield* office.deliver(story.from, { ...letter, head: [...dated(), ...denied] })
        yield* readAndApply
        assert.strictEqual(yield* state(story), "failed")
        yield* office.deliver(story.other, { ...letter, head: dated() })
        yield* readAndApply
        assert.lengthOf(yield* repliesOf(story.of), 1)
        assert.include(yield* told(story), "suppressed")
      }).pipe(Effect.orDie)
    )
  })
}
