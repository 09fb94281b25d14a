import { assert } from "@effect/vitest"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, Layer } from "effect"
import { type Letter, PostOffice } from "../../mail/PostOffice.js"
import { describeStories } from "./describeStories.js"
import { apply, read, readAndApply, repliesOf, stateOf, written } from "./mailReading.js"
import type { OwnService } from "./ownStories.js"

const LEFT_AS = "0102018f-bbbb-000000@relay.example"
const COLLEAGUE = "boss@b-group.test"

/** What is learned from answers where a server replaces our ids. */
export const learnedIdsStories = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  /** Two people were written to; the first answers so. */
  const answered = (letter: Omit<Letter, "from" | "text">, text = "I will ask my boss.") =>
    Effect.gen(function* () {
      const office = yield* PostOffice
      const story = yield* written(2)
      const [asked, other] = story.mails
      yield* office.deliver(story.address, { from: asked!.to.address, text, ...letter })
      yield* readAndApply
      assert.lengthOf(yield* repliesOf(story.of), 1)
      return { ...story, asked: asked!.to.address, other: other!.to.address, office }
    })

  type Story = Effect.Success<ReturnType<typeof answered>>

  /** The colleague asks for an end, and quotes nothing. How many answers that is. */
  const colleagueStops = ({ address, office }: Story, id: string, more: Partial<Letter> = {}) =>
    Effect.gen(function* () {
      const head = [["References", `<${id}>`] as const, ...(more.head ?? [])]
      yield* office.deliver(address, { from: COLLEAGUE, text: "Please stop writing to us.", ...more, head })
      const count = yield* read
      yield* apply
      return count
    })

  const isSuppressed = ({ of }: Story, email: string) =>
    Effect.gen(function* () {
      const store = yield* SuppressionStore
      const { workspaceId } = of.client
      return (yield* store.sourcesOf(workspaceId, addressHashOf(yield* Crypto, workspaceId, email))).length > 0
    })

  describeStories(Layer.provideMerge(post, service))(`ids learned from answers (${name})`, (it) => {
    it.effect("the first answer teaches the id that left: a colleague's stop that names it alone counts for both", () =>
      Effect.gen(function* () {
        const away = [["Auto-Submitted", "auto-replied"]] as const
        const story = yield* answered({ inReplyTo: LEFT_AS, head: away }, "I am away until Monday.")
        assert.strictEqual(yield* stateOf(story.of, story.campaign_id, story.asked), "active")
        assert.isFalse(yield* isSuppressed(story, story.asked))
        assert.strictEqual(yield* colleagueStops(story, LEFT_AS), 1)
        assert.strictEqual(yield* stateOf(story.of, story.campaign_id, story.asked), "unsubscribed")
        assert.strictEqual(yield* stateOf(story.of, story.campaign_id, story.other), "active")
        assert.isTrue(yield* isSuppressed(story, story.asked))
        assert.isTrue(yield* isSuppressed(story, COLLEAGUE))
      }).pipe(Effect.orDie)
    )

    it.effect("a colleague whom the receiving server denies stops the person, and is not suppressed", () =>
      Effect.gen(function* () {
        const story = yield* answered({ inReplyTo: LEFT_AS })
        const head = [["Authentication-Results", "mx.acme.test; dmarc=fail header.from=b-group.test"]] as const
        assert.strictEqual(yield* colleagueStops(story, LEFT_AS, { head }), 1)
        assert.isTrue(yield* isSuppressed(story, story.asked))
        assert.isFalse(yield* isSuppressed(story, COLLEAGUE))
      }).pipe(Effect.orDie)
    )

    const unlearned: ReadonlyArray<readonly [why: string, id: string, letter: Omit<Letter, "from" | "text">]> = [
      ["no answer names", "another@relay.example", { inReplyTo: LEFT_AS }],
      ["an unrelated mail of the person answers", LEFT_AS, { inReplyTo: LEFT_AS, subject: "Re: Invoice 7" }],
      ["is among others of the thread", LEFT_AS, { inReplyTo: LEFT_AS, head: [["References", "<first@b.test>"]] }],
      [
        "a denied sender names",
        LEFT_AS,
        { inReplyTo: LEFT_AS, head: [["Authentication-Results", "mx.acme.test; dmarc=fail"]] }
      ]
    ]
    for (const [why, id, letter] of unlearned) {
      it.effect(`an id that ${why} is learned of nobody, and a stranger's mail that names it does nothing`, () =>
        Effect.gen(function* () {
          const story = yield* answered(letter)
          assert.strictEqual(yield* colleagueStops(story, id), 0)
          assert.isFalse(yield* isSuppressed(story, COLLEAGUE))
        }).pipe(Effect.orDie)
      )
    }

    it.effect("an id of the writer's own domain is of a mail of theirs, and teaches nothing", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const story = yield* written(2)
        const [asked, other] = story.mails.map(({ to }) => to.address)
        const id = `own-mail@${asked!.replace(/^.*@/, "")}`
        yield* office.deliver(story.address, { from: asked!, text: "And another thing.", inReplyTo: id })
        yield* readAndApply
        assert.strictEqual(yield* colleagueStops({ ...story, asked: asked!, other: other!, office }, id), 0)
      }).pipe(Effect.orDie)
    )
  })
}
