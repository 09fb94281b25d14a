import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as FC from "fast-check"
import { makeRenderer } from "../../../src/verbs/JsonSchema.js"
import {
  credits,
  CREDITS_MICROS_MAX,
  CreditsFromWire,
  format,
  fromMicros,
  fromNumberRoundedDown,
  min,
  minusOrZero,
  plus,
  SignedCredits,
  times,
  wholeUnits,
  zero
} from "../../../src/kernel/money/Credits.js"

const anyMicros = FC.bigInt({ min: 0n, max: CREDITS_MICROS_MAX })
const someMicros = FC.bigInt({ min: 0n, max: 10n ** 12n })
const decode = Schema.decodeUnknownResult(CreditsFromWire)
const encode = Schema.encodeSync(CreditsFromWire)

it("every amount survives the wire, to the last micro-credit", () =>
  FC.assert(
    FC.property(anyMicros, (micros) => {
      const wire = encode(fromMicros(micros))
      assert.match(wire, /^(0|[1-9]\d*)(\.\d{1,6})?$/)
      assert.strictEqual(credits(wire) as bigint, micros)
      assert.strictEqual(format(micros), wire)
    })
  ))

it("what comes in with trailing zeros goes out without", () =>
  FC.assert(
    FC.property(someMicros, (micros) => {
      const wire = format(micros)
      const padded = wire.includes(".") ? wire.padEnd(wire.indexOf(".") + 7, "0") : `${wire}.000000`
      assert.strictEqual(encode(credits(padded)), wire)
    })
  ))

it("nothing else is an amount", () => {
  const wrong = [
    "",
    "-1",
    "+1",
    "01",
    "1.",
    ".5",
    "1e3",
    "1,5",
    " 1",
    "1 ",
    "0.0000001",
    "1.1234567",
    "NaN",
    "0x10",
    "١",
    1,
    1n,
    null,
    "100000000000.000001",
    "9".repeat(100)
  ]
  for (const wire of wrong) assert.isTrue(Result.isFailure(decode(wire)), String(wire))
  assert.strictEqual(credits("100000000000") as bigint, CREDITS_MICROS_MAX)
})

it("sums and differences lose nothing, and nothing goes below zero", () =>
  FC.assert(
    FC.property(someMicros, someMicros, (a, b) => {
      const [x, y] = [fromMicros(a), fromMicros(b)]
      assert.strictEqual(minusOrZero(plus(x, y), y), x)
      assert.strictEqual(minusOrZero(x, y) as bigint, a > b ? a - b : 0n)
      assert.strictEqual(plus(min(x, y), fromMicros(a > b ? a - b : 0n)), x)
    })
  ))

it("whole units never cost more than there is, and one more would", () =>
  FC.assert(
    FC.property(someMicros, FC.bigInt({ min: 1n, max: 10n ** 9n }), (amount, price) => {
      const units = wholeUnits(fromMicros(amount), fromMicros(price))
      assert.isTrue(times(fromMicros(price), units) <= amount)
      assert.isTrue(times(fromMicros(price), units + 1) > amount)
    })
  ))

it("a negative difference is written as one, to the last micro-credit", () => {
  assert.deepStrictEqual(
    [-1n, -1_500_000n, -1_000_000n, 0n].map((micros) => format(micros)),
    ["-0.000001", "-1.5", "-1", "0"]
  )
})

it("an amount that is too large is told so, and not that it is no amount", () => {
  for (const wire of ["100000000000.000001", "100000000001", "9".repeat(100)]) {
    const refused = decode(wire)
    assert.match(String(Result.isFailure(refused) ? refused.failure : ""), /must not exceed the most/, wire)
  }
})

it("an amount with millions of digits is refused without reading them as a number", () => {
  const wire = "9".repeat(1_000_000)
  const millisOf = (work: () => unknown): number => {
    const since = performance.now()
    work()
    return performance.now() - since
  }
  assert.isBelow(
    millisOf(() => assert.isTrue(Result.isFailure(decode(wire)))),
    millisOf(() => BigInt(wire) * 2n)
  )
})

it("a ceiling of one micro-credit is one, and of less is none", () => {
  assert.deepStrictEqual(
    [0.000001, 0.0000009, 0, 1e-7, 0.0000019].map((amount) => fromNumberRoundedDown(amount) as bigint),
    [1n, 0n, 0n, 0n, 1n]
  )
})

it("an amount beyond what an account can hold is a defect, not a wrong balance", () => {
  assert.throws(() => plus(fromMicros(CREDITS_MICROS_MAX), fromMicros(1n)))
  assert.throws(() => fromMicros(-1n))
})

it("a ceiling given as a number is never widened, and loses less than a micro-credit", () =>
  FC.assert(
    FC.property(FC.double({ min: 0, max: 2_000, noNaN: true }), (amount) => {
      const micros = fromNumberRoundedDown(amount)
      const exact = (wire: string): bigint => {
        const [whole = "0", fraction = ""] = wire.split(".")
        return BigInt(whole) * 10n ** 30n + BigInt(fraction.slice(0, 30).padEnd(30, "0"))
      }
      const asked = amount < 1e-6 ? 0n : exact(String(amount))
      const taken = micros * 10n ** 24n
      assert.isTrue(taken <= asked && asked - taken < 10n ** 24n)
    })
  ))

it("ceilings mean the decimal number that was written", () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0.29, "0.29"],
    [1.1, "1.1"],
    [4.35, "4.35"],
    [2_000, "2000"],
    [0.0000019, "0.000001"],
    [0.9999999999, "0.999999"],
    [1.9999999999999998, "1.999999"],
    [9e-7, "0"],
    [5e-324, "0"]
  ]
  for (const [amount, wire] of cases) assert.strictEqual(format(fromNumberRoundedDown(amount)), wire, String(amount))
  assert.strictEqual(fromNumberRoundedDown(0), zero)
})

it("says of amounts what a document of the API shows, under a name, with examples", () => {
  const { definitions, render } = makeRenderer()
  render(CreditsFromWire)
  render(SignedCredits)
  const { Credits, SignedCredits: signed } = definitions()
  assert.deepInclude(Credits, {
    description: "Credits as a decimal string with at most 6 fraction digits.",
    examples: ["0", "0.2", "126"]
  })
  assert.deepInclude(signed, {
    description: "Credits as a decimal string; below zero, that much is missing.",
    examples: ["120.5", "-750"]
  })
})
