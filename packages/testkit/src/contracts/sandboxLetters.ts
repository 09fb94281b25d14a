import { assert, it } from "@effect/vitest"
import { type SandboxLetter, SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { Effect, type Layer } from "effect"
import { freshId, NOON, SUITE } from "./fixtures.js"

const HOLD = 30_000
const HOSTS = 4

/** What every store of the letters on their way guarantees. */
export const sandboxLettersContract = <E>(name: string, adapter: Layer.Layer<SandboxLetters, E>): void => {
  const letterOf = (given: Partial<SandboxLetter> = {}): SandboxLetter => ({
    workspaceId: freshId(),
    messageId: `${freshId()}@acme-mail.test`,
    toAddress: "jo@acme-mail.test",
    persona: "interested",
    raw: "Subject: Re: Hello\r\n\r\nYes.\r\n",
    dueAtMillis: NOON,
    ...given
  })

  /** Takes everything that is due, and leaves others' letters to the tests they belong to. */
  const takeOf = (mine: ReadonlyArray<SandboxLetter>, nowMillis: number, limit = 1_000) =>
    Effect.gen(function* () {
      const letters = yield* SandboxLetters
      const taken = yield* letters.take({ nowMillis, limit, holdMillis: HOLD })
      return taken.filter(({ messageId }) => mine.some((one) => one.messageId === messageId))
    })

  it.layer(adapter, SUITE)(`letters on their way (${name})`, (it) => {
    it.effect("a letter is taken when it is due, as it was put, and once until its hold is over or it is done", () =>
      Effect.gen(function* () {
        const letters = yield* SandboxLetters
        const [first, second] = [letterOf(), letterOf({ dueAtMillis: NOON + 1, persona: "bounce" })]
        yield* letters.put(second)
        yield* letters.put(first)
        yield* letters.put({ ...first, raw: "another", dueAtMillis: NOON - 1 })
        const both = [first, second]
        assert.isEmpty(yield* takeOf(both, NOON - 1))
        assert.deepStrictEqual(yield* takeOf(both, NOON + 1), both)
        assert.isEmpty(yield* takeOf(both, NOON + HOLD))
        yield* letters.done([first])
        assert.deepStrictEqual(yield* takeOf(both, NOON + 1 + HOLD), [second])
        yield* letters.done([second])
        yield* letters.done([])
        assert.isEmpty(yield* takeOf(both, NOON + 10 * HOLD))
      })
    )

    it.effect("of hosts that reach for a letter at once, one gets it", () =>
      Effect.gen(function* () {
        const letters = yield* SandboxLetters
        const mine = Array.from({ length: 20 }, () => letterOf())
        yield* Effect.forEach(mine, letters.put)
        const taken = yield* Effect.replicateEffect(takeOf(mine, NOON + 5), HOSTS, { concurrency: "unbounded" })
        assert.sameMembers(
          taken.flat().map(({ messageId }) => messageId),
          mine.map(({ messageId }) => messageId)
        )
        yield* letters.done(mine)
      })
    )
  })
}
