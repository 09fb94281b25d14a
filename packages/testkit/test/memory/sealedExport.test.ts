import { assert, it } from "@effect/vitest"
import {
  commitmentOf,
  eventHash,
  firstLine,
  lastLine,
  NO_SEAL,
  type SealedEvent,
  sealHash,
  sealLines
} from "@outbound/domain/kernel/trail/seals.js"
import { TRAIL_KINDS } from "@outbound/domain/kernel/trail/TrailEvent.js"
import * as fc from "fast-check"
import { faultOf } from "../../src/contracts/seals.js"
import { freshId, hashOf, NOON } from "../../src/contracts/fixtures.js"

const workspaceId = freshId()

const event = fc
  .record({ kind: fc.constantFrom(...TRAIL_KINDS), at: fc.nat(1_000), isNamed: fc.boolean(), detail: fc.json() })
  .map(({ at, detail, isNamed, kind }): SealedEvent => {
    const eventId = freshId()
    const [email, salt] = isNamed ? [`${eventId}@example.com`, freshId()] : [null, null]
    return {
      eventId,
      kind,
      source: "system",
      observedAtMillis: NOON + at,
      campaignId: null,
      campaignLeadId: isNamed ? freshId() : null,
      replyId: null,
      requestId: null,
      operationId: null,
      person: email === null || salt === null ? null : commitmentOf(hashOf, salt, email),
      email,
      salt,
      detail
    }
  })

/** The export of a chain with these events, by seal. */
const exportOf = (batches: ReadonlyArray<ReadonlyArray<SealedEvent>>) => {
  const lines = [firstLine(workspaceId)]
  let head = NO_SEAL
  for (const [index, events] of batches.entries()) {
    const link = { workspaceId, number: index + 1, previous: head, sealedAtMillis: NOON, count: events.length }
    head = sealHash(
      hashOf,
      link,
      events.map((one) => eventHash(hashOf, one))
    )
    lines.push(...sealLines(hashOf, { ...link, hash: head }, events))
  }
  lines.push(lastLine({ seals: batches.length, events: batches.flat().length, head }))
  return { lines, head }
}

const batches = fc.array(fc.array(event, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })

/** One change of one line: its members are forged, it goes, comes twice, or trades places with the next. */
const tampered = (lines: ReadonlyArray<string>, at: number, how: string, name: number): ReadonlyArray<string> => {
  const line = lines[at] ?? ""
  switch (how) {
    case "changed": {
      const members = Object.entries(JSON.parse(line) as Record<string, unknown>)
      const which = name % members.length
      const forged = members.map(([key, value], index) => [
        key,
        index === which ? (typeof value === "number" ? value + 1 : `${String(value)}0`) : value
      ])
      return lines.with(at, JSON.stringify(Object.fromEntries(forged)))
    }
    case "removed":
      return lines.toSpliced(at, 1)
    case "repeated":
      return lines.toSpliced(at, 0, line)
    default:
      return at + 1 < lines.length
        ? lines.toSpliced(at, 2, lines[at + 1] ?? "", line)
        : lines.toSpliced(at - 1, 2, line, lines[at - 1] ?? "")
  }
}

it("an export as it was written verifies, also by a head that was noted earlier", () =>
  fc.assert(
    fc.property(batches, (given) => {
      const { head, lines } = exportOf(given)
      assert.isNull(faultOf(lines))
      assert.isNull(faultOf(lines, head))
      assert.isNull(faultOf(lines, exportOf(given.slice(0, 1)).head))
    })
  ))

it("any line that is changed, removed, repeated or moved is found", () =>
  fc.assert(
    fc.property(
      batches,
      fc.nat(),
      fc.nat(),
      fc.constantFrom("changed", "removed", "repeated", "moved"),
      (given, at, name, how) => {
        const { lines } = exportOf(given)
        assert.isNotNull(faultOf(tampered(lines, at % lines.length, how, name)))
      }
    ),
    { numRuns: 1_000 }
  ))

it("a chain that was made anew is right in itself, and a head noted earlier shows it", () =>
  fc.assert(
    fc.property(batches, event, (given, other) => {
      const { head } = exportOf(given)
      const { lines } = exportOf([[other], ...given.slice(1)])
      assert.isNull(faultOf(lines))
      assert.isNotNull(faultOf(lines, head))
      assert.isNotNull(faultOf(exportOf(given.slice(0, -1)).lines, head))
    })
  ))

it("a seal of another chain in the place of one of this chain is found", () =>
  fc.assert(
    fc.property(event, event, event, (one, other, last) => {
      const ours = exportOf([[one], [last]]).lines
      const theirs = exportOf([[other], [last]]).lines
      assert.strictEqual(
        faultOf([...ours.slice(0, 3), ...theirs.slice(3)]),
        "the seal does not follow the one before it"
      )
    })
  ))

it("what an outsider needs is three hashes: their exact texts", () => {
  const one: SealedEvent = {
    eventId: "01900000-0000-7000-8000-000000000001",
    kind: "sent",
    source: "system",
    observedAtMillis: NOON,
    campaignId: "01900000-0000-7000-8000-000000000002",
    campaignLeadId: null,
    replyId: null,
    requestId: null,
    operationId: null,
    person: hashOf("salt\nann@example.com"),
    email: "ann@example.com",
    salt: "salt",
    detail: `{"step":1}`
  }
  assert.strictEqual(commitmentOf(hashOf, "salt", "ann@example.com"), one.person)
  const hash = eventHash(hashOf, one)
  const text = [one.eventId, "sent", "system", "2026-03-10T12:00:00.000Z", one.campaignId, "", "", "", "", one.person]
  assert.strictEqual(hash, hashOf([...text, `{"step":1}`].join("\n")))
  const link = { workspaceId, number: 1, previous: NO_SEAL, sealedAtMillis: NOON, count: 1 }
  assert.strictEqual(
    sealHash(hashOf, link, [hash]),
    hashOf(`outbound trail seal 1\n${workspaceId}\n1\n${NO_SEAL}\n2026-03-10T12:00:00.000Z\n1\n${hash}`)
  )
})
