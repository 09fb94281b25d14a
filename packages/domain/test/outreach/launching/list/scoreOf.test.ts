import { assert, describe, it } from "@effect/vitest"
import { isCurrent, isVerified, type Verdict } from "../../../../src/data/verification/verdicts.js"
import { DAY_MILLIS } from "../../../../src/kernel/durations.js"
import { DEFAULT_RULES } from "../../../../src/kernel/workspaces/WorkspaceRules.js"
import {
  listObstacle,
  ruledOut,
  scorecardOf,
  TO_VERIFY_SHOWN_MAX
} from "../../../../src/outreach/launching/list/listGate.js"
import { DOMAINS_SHOWN_MAX, isRoleAddress, scoreOf } from "../../../../src/outreach/launching/list/scoreOf.js"
import { EMAIL_STATUSES, type EmailStatus } from "../../../../src/sources/ports/EmailVerifier.js"
import * as FC from "fast-check"

const NOW = 400 * DAY_MILLIS
const known = { nowMillis: NOW, maxAgeDays: 90, isDisposable: (domain: string) => domain === "throwaway.test" }

const verdict = (status: EmailStatus, days: number): Verdict => ({ status, checkedAtMillis: NOW - days * DAY_MILLIS })

const score = (...people: ReadonlyArray<readonly [email: string, verdict: Verdict | null]>) =>
  scoreOf(
    people.map(([email, one]) => ({ email, verdict: one })),
    known
  )

describe("what is known of a list", () => {
  it("a verdict counts to the last millisecond of the rule's days", () => {
    assert.isTrue(isCurrent(verdict("valid", 90), 90, NOW))
    assert.isFalse(isCurrent({ status: "valid", checkedAtMillis: NOW - 90 * DAY_MILLIS - 1 }, 90, NOW))
    assert.isTrue(isCurrent(verdict("valid", 365), 365, NOW))
    assert.isFalse(isCurrent(verdict("valid", 2), 1, NOW))
  })

  it("found good, or possibly good, is verified; unknown and invalid are not", () => {
    assert.deepStrictEqual(
      EMAIL_STATUSES.filter((status) => isVerified(verdict(status, 0))),
      ["valid", "catch_all_valid", "catch_all_unknown", "risky"]
    )
  })

  it("everybody is verified or not, and whom a verification could help is named once", () => {
    const of = score(
      ["a@one.test", verdict("valid", 1)],
      ["b@one.test", verdict("invalid", 1)],
      ["c@two.test", verdict("unknown", 1)],
      ["d@two.test", verdict("valid", 91)],
      ["e@three.test", null],
      ["f@three.test", verdict("invalid", 91)]
    )
    assert.deepStrictEqual([of.verified, of.unverified], [1, 5])
    assert.deepStrictEqual(of.toVerify, ["c@two.test", "d@two.test", "e@three.test", "f@three.test"])
    assert.deepStrictEqual(of.statuses, {
      valid: 1,
      invalid: 1,
      catch_all_valid: 0,
      catch_all_unknown: 0,
      risky: 0,
      unknown: 1
    })
    assert.strictEqual(of.oldestVerifiedAtMillis, NOW - DAY_MILLIS)
  })

  it("counts ages apart, and the domains with the most people first", () => {
    const days = [0, 7, 7.5, 30, 31, 90]
    const of = score(...days.map((day, index) => [`a${index}@mail.one.test`, verdict("valid", day)] as const))
    assert.deepStrictEqual(of.ages, [2, 2, 2, 0])
    assert.deepStrictEqual(of.domains, [{ domain: "one.test", people: 6 }])
    const many = score(...Array.from({ length: 9 }, (_, index) => [`a@d${index}.test`, null] as const), [
      "b@d8.test",
      null
    ])
    assert.lengthOf(many.domains, DOMAINS_SHOWN_MAX)
    assert.deepStrictEqual([many.domains[0], many.domainsTotal], [{ domain: "d8.test", people: 2 }, 9])
  })

  it("knows roles, disposable domains and providers of mail by the address alone", () => {
    const of = score(["info+eu@one.test", null], ["jo@throwaway.test", null], ["sales@gmail.com", null])
    assert.deepStrictEqual([of.role, of.disposable, of.freeMail], [2, 1, 1])
    assert.isTrue(isRoleAddress("Info@one.test") && !isRoleAddress("informatics.jo@one.test"))
    assert.isTrue(ruledOut({ ...DEFAULT_RULES, roleAddresses: "leave_out" })("info@one.test"))
    assert.isFalse(ruledOut(DEFAULT_RULES)("info@one.test"))
  })

  it("is refused exactly where the share of unverified people is larger than the rule's", () => {
    const Counts = FC.tuple(FC.nat(60), FC.nat(60), FC.nat(100))
    FC.assert(
      FC.property(Counts, ([verified, unverified, max]) => {
        const of = score(
          ...Array.from({ length: verified }, (_, index) => [`v${index}@one.test`, verdict("valid", 1)] as const),
          ...Array.from({ length: unverified }, (_, index) => [`u${index}@one.test`, null] as const)
        )
        const found = listObstacle(of, { ...DEFAULT_RULES, unverifiedMaxPercent: max })
        const isTooMany = verified + unverified > 0 && (100 * unverified) / (verified + unverified) > max
        assert.strictEqual(found !== null, isTooMany)
        assert.isNull(listObstacle(of, DEFAULT_RULES))
      })
    )
  })

  it("the refusal names at most so many addresses, the price of these and of all, and whom no verification helps", () => {
    const of = score(
      ["dead@one.test", verdict("invalid", 1)],
      ...Array.from({ length: TO_VERIFY_SHOWN_MAX + 20 }, (_, index) => [`u${index}@one.test`, null] as const)
    )
    const [name, { message }] = listObstacle(of, { ...DEFAULT_RULES, unverifiedMaxPercent: 0 })!
    assert.strictEqual(name, "list_not_verified")
    const { emails } = JSON.parse(/verify_emails (\{.*?\})/.exec(message)![1]!)
    assert.lengthOf(emails, TO_VERIFY_SHOWN_MAX)
    for (const words of [
      "121 of 121 people",
      "at most 100 credits",
      "20 people more need it",
      "120 credits at most in all",
      "1 person can't get mail"
    ]) {
      assert.include(message, words)
    }
    assert.notInclude(message, "dead@one.test")
  })

  it("the approval shows the rules that counted", () => {
    const shown = scorecardOf(score(["a@one.test", verdict("valid", 1)]), { ...DEFAULT_RULES, unverifiedMaxPercent: 5 })
    assert.deepInclude(shown, {
      verified: 1,
      unverified_max_percent: 5,
      verification_max_age_days: 90,
      domains_total: 1
    })
    assert.deepStrictEqual(shown.verified_by_age[0], { days: 7, people: 1 })
  })
})
