import { assert, describe, it } from "@effect/vitest"
import type { SmtpAnswer } from "@outbound/domain/outreach/mail/MailTransport.js"
import {
  type Blame,
  blameOf,
  evidenceOf,
  isPolicy,
  isRecipientsOwn,
  MEASURED_REST_MILLIS,
  RECEIVER_FORGIVEN_MILLIS,
  RECEIVER_REST_MILLIS,
  RECEIVERS_MIN,
  REFUSALS_MILLIS,
  refusalVerdict,
  restWaits
} from "@outbound/domain/outreach/sending/refusals.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import * as fc from "fast-check"

const said = (
  reason: ProviderFailureReason,
  phase: SmtpAnswer["phase"],
  code: number | null,
  status: string | null
): ProviderFailure =>
  new ProviderFailure({ provider: "smtp", reason, cause: { _tag: "SmtpAnswer", phase, code, status, text: "no" } })

describe("whom a refusal speaks about", () => {
  const cases: ReadonlyArray<readonly [ProviderFailure, Blame]> = [
    [said("account", "login", 535, "5.7.8"), "mailbox"],
    [said("account", "recipient", 530, "5.7.0"), "mailbox"],
    [said("account", "sender", 553, "5.7.1"), "mailbox"],
    [said("account", "recipient", 550, "5.1.8"), "mailbox"],
    [said("transient", "login", 454, "4.7.0"), "server"],
    [said("transient", "sender", 451, "4.3.0"), "server"],
    [said("transient", "connection", null, null), "server"],
    [said("account", "tls", null, null), "server"],
    [said("transient", "recipient", 421, "4.3.2"), "server"],
    [said("rate_limited", "content", 550, "5.4.5"), "server"],
    [said("account", "recipient", 554, "5.7.1"), "policy"],
    [said("account", "content", 550, "5.7.26"), "policy"],
    [said("rate_limited", "recipient", 450, "4.7.1"), "policy"],
    [said("account", "recipient", 550, "5.7.133"), "recipient"],
    [said("invalid", "recipient", 550, "5.1.1"), "recipient"],
    [said("invalid", "recipient", 552, "5.2.2"), "recipient"],
    [said("invalid", "content", 554, "5.6.0"), "recipient"],
    [said("invalid", "sender", 552, "5.3.4"), "recipient"],
    [said("transient", "recipient", 451, "4.3.0"), "later"],
    [said("transient", "recipient", 451, null), "later"],
    [said("unknown_outcome", "content", null, null), "nobody"],
    [said("account", "recipient", 534, null), "mailbox"],
    [said("account", "recipient", 535, null), "mailbox"],
    [said("account", "content", 538, null), "mailbox"],
    [said("account", "recipient", 550, "5.1.7"), "mailbox"],
    [said("account", "recipient", 550, null), "policy"],
    [said("account", "recipient", null, null), "policy"],
    [said("account", "recipient", 550, "5.1.1"), "policy"],
    [said("invalid", "recipient", 550, "5.7.1"), "policy"],
    [said("invalid", "recipient", 421, "5.7.1"), "server"],
    [said("account", "connection", 535, "5.7.8"), "server"],
    [said("rate_limited", "recipient", 452, "4.5.3"), "server"],
    [said("rate_limited", "recipient", 452, null), "server"],
    [said("invalid", "login", 550, null), "recipient"],
    [new ProviderFailure({ provider: "api", reason: "invalid" }), "recipient"],
    [new ProviderFailure({ provider: "api", reason: "account" }), "mailbox"],
    [new ProviderFailure({ provider: "api", reason: "transient" }), "server"],
    [new ProviderFailure({ provider: "api", reason: "rate_limited" }), "server"],
    [new ProviderFailure({ provider: "api", reason: "unknown_outcome" }), "nobody"],
    [
      new ProviderFailure({
        provider: "smtp",
        reason: "transient",
        cause: new StoreUnavailable({ operation: "x", cause: null })
      }),
      "nobody"
    ]
  ]

  it("one recipient's answer never speaks about the mailbox, except of its sign-in or its own address", () => {
    for (const [failure, blame] of cases) {
      assert.strictEqual(blameOf(failure), blame, JSON.stringify([failure.reason, failure.cause]))
    }
  })

  it("a code is the recipient's own or policy, never both", () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 4, 5), fc.nat(9), fc.nat(999), (kind, subject, detail) => {
        const status = `${kind}.${subject}.${detail}`
        assert.isFalse(isRecipientsOwn(status) && isPolicy(status), status)
        assert.strictEqual(isRecipientsOwn(status) || isPolicy(status), subject === 7 && kind !== 2, status)
      })
    )
    const own = Array.from({ length: 1_000 }, (_, detail) => `5.7.${detail}`).filter(isRecipientsOwn)
    assert.lengthOf(own, 16)
    assert.isFalse(own.some(isPolicy))
  })
})

describe("when refusals stop something", () => {
  const counts = fc
    .record({ people: fc.nat(500), refused: fc.nat(500), receivers: fc.nat(20), there: fc.nat(500) })
    .map(({ people, receivers, refused, there }) => ({
      mailbox: { people: Math.max(people, refused), refused, receivers: Math.min(receivers, refused) },
      receiver: { people: Math.max(people, refused), refused: Math.min(there, refused) }
    }))

  it("fewer people than the least stop nothing, and fewer organisations than three never stop the mailbox", () => {
    fc.assert(
      fc.property(counts, (given) => {
        const verdict = refusalVerdict(given, DEFAULT_CAPS)
        if (given.mailbox.refused < DEFAULT_CAPS.refusalsMin) assert.isNull(verdict)
        if (given.mailbox.receivers < RECEIVERS_MIN) assert.notStrictEqual(verdict, "mailbox")
      })
    )
  })

  it("a workspace that tolerates all refusals is never stopped, and one that tolerates none at the first", () => {
    const all = { refusalsMin: 1, mailboxRefusalsPercent: 100, receiverRefusalsPercent: 100 }
    const none = { refusalsMin: 0, mailboxRefusalsPercent: 0, receiverRefusalsPercent: 0 }
    fc.assert(fc.property(counts, (given) => assert.isNull(refusalVerdict(given, all))))
    const one = { mailbox: { people: 100, refused: 1, receivers: 1 }, receiver: { people: 100, refused: 1 } }
    assert.strictEqual(refusalVerdict(one, none), "receiver")
    assert.isNull(refusalVerdict({ ...one, receiver: { people: 9, refused: 0 } }, none))
  })

  it("the least number of people is enough, and no workspace can set it below one", () => {
    const limits = { refusalsMin: 5, mailboxRefusalsPercent: 0, receiverRefusalsPercent: 0 }
    const at = (refused: number) => ({
      mailbox: { people: 50, refused, receivers: 1 },
      receiver: { people: 50, refused }
    })
    assert.deepStrictEqual([refusalVerdict(at(4), limits), refusalVerdict(at(5), limits)], [null, "receiver"])
    const below = { ...limits, receiverRefusalsPercent: -1, refusalsMin: 0 }
    assert.deepStrictEqual([refusalVerdict(at(0), below), refusalVerdict(at(1), below)], [null, "receiver"])
  })

  it("a share is exceeded, not reached", () => {
    const at = (refused: number, receivers: number) => ({
      mailbox: { people: 50, refused, receivers },
      receiver: { people: 50, refused: 0 }
    })
    assert.isNull(refusalVerdict(at(10, 3), DEFAULT_CAPS))
    assert.strictEqual(refusalVerdict(at(11, 3), DEFAULT_CAPS), "mailbox")
    assert.isNull(refusalVerdict(at(11, 2), DEFAULT_CAPS))
  })
})

it("after a code an organisation is left alone for hours, and after a measure of our own for days", () => {
  assert.deepStrictEqual(restWaits("5.7.1"), RECEIVER_REST_MILLIS)
  assert.deepStrictEqual(restWaits(""), MEASURED_REST_MILLIS)
  const hour = 3_600_000
  assert.deepStrictEqual(RECEIVER_REST_MILLIS, { first: hour, max: 24 * hour })
  assert.deepStrictEqual(MEASURED_REST_MILLIS, { first: 24 * hour, max: 96 * hour })
  assert.deepStrictEqual([REFUSALS_MILLIS, RECEIVER_FORGIVEN_MILLIS], [72 * hour, 168 * hour])
})

describe("evidence", () => {
  it("is the server's words on one line, bounded, without anyone's address", () => {
    const words = evidenceOf("550 5.7.1\r\n <pat@example.com>:\u0007 Blocked by policy; see https://mx.example/why")
    assert.strictEqual(words, "550 5.7.1 <(address)>: Blocked by policy; see https://mx.example/why")
    // Long addresses take none of its room, and what is cut off ends in no half of one.
    const long = `  ${`${"a".repeat(60)}@example.com `.repeat(8)}${"b".repeat(300)}`
    assert.strictEqual(evidenceOf(long), `${"(address) ".repeat(8)}${"b".repeat(120)}`)
    // Of what a server sends, this much is looked at.
    const endless = `${`${"a".repeat(61)}@example.com `.repeat(10)}${"b".repeat(60)}${"c".repeat(9_000)}`
    assert.strictEqual(evidenceOf(endless), `${"(address) ".repeat(10)}${"b".repeat(60)}`)
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        const evidence = evidenceOf(`${text} pat@example.com`)
        assert.isAtMost(evidence.length, 200)
        assert.notMatch(evidence, /\p{Cc}|pat@example/u)
      })
    )
  })
})
