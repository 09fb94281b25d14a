import { assert, it } from "@effect/vitest"
import { domainState } from "../../../src/outreach/health/judgeDomain.js"
import {
  OTHER_RECEIVERS,
  receiversOf,
  receiverState,
  RECEIVERS_SHOWN_MAX
} from "../../../src/outreach/health/judgeReceivers.js"
import type { ReceiverCounts, ReceiverRow } from "../../../src/outreach/health/HealthReads.js"
import { mailboxAdvice } from "../../../src/outreach/health/advice.js"
import { sandboxLook } from "../../../src/outreach/authentication/sandboxLook.js"
import { MAILBOX_PAUSE_REASONS } from "../../../src/outreach/sending/MailboxMachine.js"
import { DEFAULT_CAPS } from "../../../src/kernel/workspaces/WorkspaceStore.js"

const NOW = Date.UTC(2027, 0, 4)

const counts = (given: Partial<ReceiverCounts>): ReceiverCounts => ({
  sent: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  replied: 0,
  ...given
})

const row = (given: Partial<ReceiverRow>): ReceiverRow => ({
  ...counts({ sent: 1 }),
  domain: "acme.test",
  receiver: null,
  mailDomain: "",
  ...given
})

it("a receiver's state follows from what is proven, and is unknown without evidence", () => {
  const cases: ReadonlyArray<readonly [Partial<ReceiverCounts>, boolean, string]> = [
    [{}, false, "unknown"],
    [{ sent: 19 }, false, "unknown"],
    [{ sent: 20 }, false, "good"],
    [{ sent: 100, bounced: 1 }, false, "good"],
    [{ sent: 100, bounced: 2 }, false, "watch"],
    [{ sent: 100, bounced: 3 }, false, "watch"],
    [{ sent: 100, bounced: 4 }, false, "bad"],
    [{ sent: 1_000, complained: 1 }, false, "good"],
    [{ sent: 500, complained: 1 }, false, "watch"],
    [{ sent: 300, complained: 1 }, false, "bad"],
    [{ sent: 10, refused: 2 }, false, "watch"],
    [{ sent: 5, refused: 4 }, false, "watch"],
    [{ sent: 5, refused: 5 }, false, "bad"],
    [{ sent: 100 }, true, "bad"]
  ]
  for (const [given, isResting, state] of cases) {
    assert.strictEqual(receiverState(counts(given), isResting, DEFAULT_CAPS), state, JSON.stringify(given))
  }
})

it("messages are counted where they were handed in, or else by the organisation of their domain", () => {
  const rows = [
    row({ receiver: "google.com", sent: 5 }),
    row({ mailDomain: "mail.example.co.uk", sent: 3 }),
    row({ mailDomain: "example.co.uk", sent: 4, replied: 1 }),
    // Name servers said at another time who receives its mail.
    row({ mailDomain: "mailed.test", sent: 2 }),
    // Of people who were erased.
    row({ sent: 100 }),
    row({ domain: "other.test", receiver: "google.com", sent: 9 })
  ]
  const rest = {
    domain: "acme.test",
    mailbox: "a@acme.test",
    receiver: "mx.test",
    times: 1,
    status: "5.7.1",
    says: ""
  }
  const rests = [
    { ...rest, restsUntilMillis: NOW + 1 },
    { ...rest, mailbox: "b@acme.test", restsUntilMillis: NOW + 2 },
    { ...rest, receiver: "over.test", restsUntilMillis: NOW }
  ]
  assert.deepStrictEqual(
    receiversOf(
      "acme.test",
      { rows, rests, known: new Map([["mailed.test", "google.com"]]), measured: [] },
      DEFAULT_CAPS,
      NOW
    ).map(({ organisation, replied, restingUntilMillis, sent }) => [organisation, sent, replied, restingUntilMillis]),
    [
      ["mx.test", 0, 0, NOW + 2],
      ["example.co.uk", 7, 1, null],
      ["google.com", 7, 0, null],
      [OTHER_RECEIVERS, 100, 0, null]
    ]
  )
})

it("the smallest receivers are one line, and none is lost", () => {
  const rows = Array.from({ length: 80 }, (_, index) => row({ receiver: `r${index}.test`, sent: index + 1 }))
  const found = receiversOf("acme.test", { rows, rests: [], known: new Map(), measured: [] }, DEFAULT_CAPS, NOW)
  assert.lengthOf(found, RECEIVERS_SHOWN_MAX + 1)
  assert.strictEqual(found.at(-1)?.organisation, OTHER_RECEIVERS)
  assert.strictEqual(
    found.reduce((sum, { sent }) => sum + sent, 0),
    (80 * 81) / 2
  )
})

it("a domain's state needs evidence: a record, a listing, or how its mail was received", () => {
  const facts = (domain: string) => ({ look: sandboxLook("w", domain, NOW), listedOn: [], receivers: [] })
  assert.strictEqual(domainState({ look: null, listedOn: [], receivers: [] }, NOW), "unknown")
  assert.strictEqual(domainState(facts("acme.test"), NOW), "good")
  assert.strictEqual(domainState(facts("spf-fail-a.test"), NOW), "bad")
  assert.strictEqual(domainState(facts("no-dmarc-a.test"), NOW), "bad")
  assert.strictEqual(domainState({ ...facts("acme.test"), listedOn: ["dbl.test"] }, NOW), "bad")
  assert.strictEqual(domainState({ ...facts("acme.test"), receivers: [{ state: "bad" }] }, NOW), "watch")
  assert.strictEqual(domainState({ ...facts("acme.test"), receivers: [{ state: "unknown" }] }, NOW), "good")
  const { look } = facts("acme.test")
  const without = (check: "dkim" | "mx", status: "unknown" | "missing") => ({
    ...facts("acme.test"),
    look: { ...look, findings: { ...look.findings, [check]: { ...look.findings[check], status } } }
  })
  assert.strictEqual(domainState(without("mx", "missing"), NOW), "watch")
  assert.strictEqual(domainState(without("dkim", "unknown"), NOW), "unknown")
})

it("each pause that does not end by itself has advice, and none that loosens is an agent's", () => {
  for (const reason of MAILBOX_PAUSE_REASONS) {
    const advice = mailboxAdvice("a@acme.test", reason, [])
    // The domain's own advice says what to publish; the mailbox goes on by itself.
    assert.lengthOf(advice, reason === "authentication" ? 0 : 1)
    assert.isTrue(advice.every(({ by }) => by === "owner"))
  }
  assert.deepStrictEqual(mailboxAdvice("a@acme.test", null, []), [])
  assert.deepStrictEqual(
    mailboxAdvice("a@acme.test", null, ["bounces_high"]).map(({ by, code }) => [code, by]),
    [["verify_addresses", "agent"]]
  )
})
