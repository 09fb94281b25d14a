/** Faults that change nothing anybody could notice, each under the reason. Checked to be still in the code. */
const CREDITS = "packages/domain/src/kernel/money/Credits.ts"
const SEND_RULE = "packages/domain/src/outreach/sending/sendRule.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const EQUIVALENTS = {
  "where both amounts are the same, both arms give that amount": of(CREDITS, ["a > b", "a >= b"], ["a < b", "a <= b"]),
  "the quick way past the schema: what does not take it is checked by the schema, and the same amounts pass": of(
    CREDITS,
    [
      "micros >= 0n && micros <= CREDITS_MICROS_MAX ? (micros as Credits) : Credits.make(micros)",
      "Credits.make(micros)"
    ],
    ["micros >= 0n", "micros > 0n"],
    ["micros <= CREDITS_MICROS_MAX", "micros < CREDITS_MICROS_MAX"]
  ),
  "zero has the same size with a minus and without one": of(CREDITS, ["micros < 0n", "micros <= 0n", 2]),
  "only the compiler tells an absent value from null here: neither is used, nor later than now": of(
    SEND_RULE,
    ["approval ?? undefined", "approval"],
    ["mailbox?.restsUntilMillis ?? nowMillis", "mailbox?.restsUntilMillis"]
  ),
  "a company without a limit has some left, whether one or two": of(SEND_RULE, ["1", "(1 + 1)"])
}
