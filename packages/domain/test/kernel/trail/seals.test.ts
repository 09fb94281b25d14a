import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { createHash } from "node:crypto"
import {
  commitmentOf,
  eventHash,
  firstLine,
  lastLine,
  NO_SEAL,
  NOTHING_VERIFIED,
  type SealedEvent,
  type SealedTotals,
  sealHash,
  sealLines,
  type TrailSeal,
  type Verified,
  verifiedFault,
  verifyLine
} from "../../../src/kernel/trail/seals.js"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const WORKSPACE = "00000000-0000-4000-8000-000000000001"
const NOON = Date.UTC(2026, 0, 1, 12)

const event = (at: number, given: Partial<SealedEvent> = {}): SealedEvent => ({
  eventId: `e${at}`,
  kind: "sent",
  source: "api",
  observedAtMillis: NOON + at,
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  person: null,
  email: null,
  salt: null,
  detail: "{}",
  ...given
})

/** A chain of seals over these events, and what it holds after each. */
const chain = (...groups: ReadonlyArray<ReadonlyArray<SealedEvent>>) => {
  const totals: Array<SealedTotals> = [{ seals: 0, events: 0, head: NO_SEAL }]
  const lines = groups.map((events, at) => {
    const before = totals[at]!
    const open = { workspaceId: WORKSPACE, number: at + 1, previous: before.head, sealedAtMillis: NOON + at }
    const seal = { ...open, count: events.length }
    const hashes = events.map((one) => eventHash(sha256, one))
    const made: TrailSeal = { ...seal, hash: sealHash(sha256, seal, hashes) }
    totals.push({ seals: at + 1, events: before.events + events.length, head: made.hash })
    return sealLines(sha256, made, events)
  })
  return { totals, lines }
}

const verified = (lines: ReadonlyArray<string>, noted: string | null = null): Verified | string => {
  let at: Verified = NOTHING_VERIFIED
  for (const line of lines) {
    const next = verifyLine(sha256, noted, at, line)
    if (Result.isFailure(next)) return next.failure
    at = next.success
  }
  return verifiedFault(noted, at) ?? at
}

const { lines, totals } = chain([event(1), event(2)], [event(3)], [event(4), event(5), event(6)])
const whole = [firstLine(WORKSPACE), ...lines.flat(), lastLine(totals[3]!)]

describe("a part of an export", () => {
  it("says what came before it, and goes on from there", () => {
    for (const from of [0, 1, 2, 3]) {
      const part = [firstLine(WORKSPACE, totals[from]), ...lines.slice(from).flat(), lastLine(totals[3]!)]
      const found = verified(part)
      assert.isObject(found)
      const { after, events, head, isEnded, lines: read, open, seals, workspaceId } = found as Verified
      assert.deepStrictEqual({ seals, events, head }, totals[3])
      assert.deepStrictEqual([after, isEnded, open, workspaceId], [totals[from], true, null, WORKSPACE])
      assert.strictEqual(read, part.length)
      assert.strictEqual("after" in JSON.parse(part[0]!), from > 0)
    }
  })

  it("holds a head that was noted where it begins, or later, and no other one", () => {
    const part = [firstLine(WORKSPACE, totals[1]), ...lines.slice(1).flat(), lastLine(totals[3]!)]
    for (const at of [1, 2, 3]) assert.isObject(verified(part, totals[at]!.head), String(at))
    assert.match(String(verified(part, "a".repeat(64))), /not in this chain/)
    // Who noted the head of an empty trail noted nothing that could be missing.
    assert.isObject(verified(whole, NO_SEAL))
    assert.isFalse(NOTHING_VERIFIED.isNotedSeen)
    assert.deepStrictEqual([NOTHING_VERIFIED.lines, NO_SEAL.length], [0, sha256("").length])
  })

  it("that begins elsewhere than it says is found", () => {
    const part = [firstLine(WORKSPACE, totals[1]), ...lines.slice(2).flat(), lastLine(totals[3]!)]
    assert.strictEqual(verified(part), "seal 2 is missing")
    const moved = [firstLine(WORKSPACE, { ...totals[2]!, head: totals[1]!.head }), ...lines.slice(2).flat()]
    assert.strictEqual(verified(moved), "the seal does not follow the one before it")
  })
})

describe("an export", () => {
  it("begins with its format, and each event stands in a seal", () => {
    const [first = "", seal = "", one = ""] = whole
    for (const begin of [seal, one, lastLine(totals[0]!)]) {
      assert.match(String(verified([begin])), /begins with the line that names its format/)
    }
    assert.strictEqual(verified([first, one]), "the event is in no seal")
    assert.strictEqual(verified([first, seal, seal]), "an event of seal 1 is missing")
    assert.match(String(verified([first, first])), /in no seal|begins|ends/)
  })

  it("skips no number, though the seals follow each other", () => {
    const open = { workspaceId: WORKSPACE, number: 2, previous: NO_SEAL, sealedAtMillis: NOON, count: 1 }
    const seal = { ...open, hash: sealHash(sha256, open, [eventHash(sha256, event(1))]) }
    const skipped = [firstLine(WORKSPACE), ...sealLines(sha256, seal, [event(1)])]
    assert.strictEqual(verified(skipped), "seal 1 is missing")
  })

  it("shows an address only with the salt that commits to it", () => {
    const [salt, email] = ["salt", "ann@acme.test"]
    const person = commitmentOf(sha256, salt, email)
    const exported = (given: Partial<SealedEvent>) => {
      const made = chain([event(1, { person, ...given })])
      return verified([firstLine(WORKSPACE), ...made.lines.flat(), lastLine(made.totals[1]!)])
    }
    assert.isObject(exported({ email, salt }))
    assert.isObject(exported({}))
    for (const given of [{ email }, { salt }, { email, salt: "other" }, { email: "bob@acme.test", salt }]) {
      assert.strictEqual(exported(given), "the address is not the one that was sealed", JSON.stringify(given))
    }
    // Nor is one that is missing taken for the text that absent things would make.
    const odd = commitmentOf(sha256, "null", "null")
    assert.strictEqual(
      exported({ person: commitmentOf(sha256, salt, "null"), salt }),
      "the address is not the one that was sealed"
    )
    assert.strictEqual(
      exported({ person: commitmentOf(sha256, "null", email), email }),
      "the address is not the one that was sealed"
    )
    assert.isObject(exported({ person: odd }))
  })
})

describe("the hash of an event", () => {
  it("changes with each of its fields, and with none into another's place", () => {
    const full = event(1, {
      campaignId: "c",
      campaignLeadId: "l",
      replyId: "r",
      requestId: "q",
      operationId: "o",
      person: "p"
    })
    const others: ReadonlyArray<Partial<SealedEvent>> = [
      { eventId: "x" },
      { kind: "reply" },
      { source: "system" },
      { observedAtMillis: NOON },
      { campaignId: null },
      { campaignLeadId: null },
      { replyId: null },
      { requestId: null },
      { operationId: null },
      { person: null },
      { detail: "{ }" },
      { campaignId: "l", campaignLeadId: "c" },
      { replyId: "q", requestId: "r" },
      { operationId: "p", person: "o" }
    ]
    const hashes = [full, ...others.map((given) => ({ ...full, ...given }))].map((one) => eventHash(sha256, one))
    assert.strictEqual(new Set(hashes).size, hashes.length)
  })
})
