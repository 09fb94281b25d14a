import { assert, it } from "@effect/vitest"
import { isCurrent, isVerified, replaces, type Verdict } from "../../src/data/verification/verdicts.js"
import { EMAIL_STATUSES } from "../../src/sources/ports/EmailVerifier.js"

const verdict = (status: Verdict["status"], checkedAtMillis: number): Verdict => ({ status, checkedAtMillis })

it("the newer verdict counts, but one that could establish nothing replaces only another such", () => {
  for (const before of EMAIL_STATUSES) {
    for (const after of EMAIL_STATUSES) {
      const says = after !== "unknown" || before === "unknown"
      for (const [then, now, isNewer] of [
        [10, 11, true],
        [10, 10, true],
        [11, 10, false]
      ] as const) {
        assert.strictEqual(
          replaces(verdict(before, then), verdict(after, now)),
          isNewer && says,
          `${before} ${after} ${then} ${now}`
        )
      }
    }
  }
})

it("a verdict counts for so many days, to the moment, and says that an address takes mail or that it may", () => {
  const day = 86_400_000
  assert.isTrue(isCurrent(verdict("valid", 5), 2, 5 + 2 * day))
  assert.isFalse(isCurrent(verdict("valid", 5), 2, 6 + 2 * day))
  for (const status of EMAIL_STATUSES)
    assert.strictEqual(isVerified(verdict(status, 0)), status !== "unknown" && status !== "invalid", status)
})
