import { Effect, Schema, SchemaTransformation } from "effect"
import { flawed } from "../flawed.js"

const MICROS_PER_CREDIT = 1_000_000n

/** PostgreSQL's `bigint` holds 9.2e18. This leaves sums almost two orders of magnitude of headroom. */
export const CREDITS_MICROS_MAX = 10n ** 17n

const WIRE_PATTERN = /^(0|[1-9]\d*)(\.\d{1,6})?$/

const SIGNED_PATTERN = /^-?(0|[1-9]\d*)(\.\d{1,6})?$/

/** Digits of the largest whole amount. */
const WHOLE_DIGITS_MAX = String(CREDITS_MICROS_MAX / MICROS_PER_CREDIT).length

const NOT_AN_AMOUNT = 'must be a decimal string such as "12.5", with at most 6 decimals'
const TOO_MANY = "must not exceed the most credits an account can have"

/** A non-negative amount, in micro-credits. One credit is about 0.01 USD. */
export const Credits = Schema.BigInt.pipe(
  Schema.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: CREDITS_MICROS_MAX })),
  Schema.brand("Credits")
)
export type Credits = typeof Credits.Type

/** Brands micro-credits already known to be in range: stored, or the difference of two checked amounts. */
export const fromMicros = (micros: bigint): Credits =>
  // Amounts are made often. The schema, which says what is wrong, is asked only where something is.
  micros >= 0n && micros <= CREDITS_MICROS_MAX ? (micros as Credits) : Credits.make(micros)

export const format = (micros: bigint): string => {
  const sign = micros < 0n ? "-" : ""
  const size = micros < 0n ? -micros : micros
  const whole = size / MICROS_PER_CREDIT
  const fraction = (size % MICROS_PER_CREDIT).toString().padStart(6, "0").replace(/0+$/, "")
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** The wire form. Decoding accepts trailing zeros; encoding is canonical. */
export const CreditsFromWire = Schema.String.annotate({ message: NOT_AN_AMOUNT })
  .check(Schema.isPattern(WIRE_PATTERN, { message: NOT_AN_AMOUNT }))
  .annotate({
    identifier: "Credits",
    description: "Credits as a decimal string with at most 6 fraction digits.",
    examples: ["0", "0.2", "126"]
  })
  .pipe(
    Schema.decodeTo(
      Credits,
      SchemaTransformation.transformEffect({
        decode: (wire) => {
          const [whole = "0", fraction = ""] = wire.split(".")
          // A body has room for millions of digits. Parsing them takes seconds.
          if (whole.length > WHOLE_DIGITS_MAX) return flawed(TOO_MANY)
          const micros = BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.padEnd(6, "0"))
          return micros <= CREDITS_MICROS_MAX ? Effect.succeed(micros) : flawed(TOO_MANY)
        },
        encode: (micros) => Effect.succeed(format(micros))
      })
    )
  )

/** The wire form of what is left of an amount, and may be less than nothing. */
export const SignedCredits = Schema.String.check(Schema.isPattern(SIGNED_PATTERN)).annotate({
  identifier: "SignedCredits",
  description: "Credits as a decimal string; below zero, that much is missing.",
  examples: ["120.5", "-750"]
})

export const zero: Credits = Credits.make(0n)

/** For literals in code and tests: `credits("0.2")`. Throws on a malformed literal. */
export const credits: (wire: string) => Credits = Schema.decodeSync(CreditsFromWire)

export const plus = (a: Credits, b: Credits): Credits => fromMicros(a + b)

/** `a - b`, or zero if `b` is larger. */
export const minusOrZero = (a: Credits, b: Credits): Credits => (a > b ? fromMicros(a - b) : zero)

export const times = (amount: Credits, count: number): Credits => fromMicros(amount * BigInt(count))

export const min = (a: Credits, b: Credits): Credits => (a < b ? a : b)

/** How many whole units of `price` fit into `amount`. */
export const wholeUnits = (amount: Credits, price: Credits): number => Number(amount / price)

/** A ceiling given as a JSON number (`budget_credits`), rounded down so that it is never widened. */
export const fromNumberRoundedDown = (amount: number): Credits => {
  // The shortest decimal form is what the caller wrote. It has an exponent only below one micro-credit.
  if (amount < 1 / Number(MICROS_PER_CREDIT)) return zero
  const [whole = "0", fraction = ""] = String(amount).split(".")
  return Credits.make(BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.slice(0, 6).padEnd(6, "0")))
}
