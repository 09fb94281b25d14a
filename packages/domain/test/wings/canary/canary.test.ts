import { assert, describe, it } from "@effect/vitest"
import { HOUR_MILLIS } from "../../../src/kernel/durations.js"
import {
  type Candidate,
  type Canary,
  choosePairs,
  dayOf,
  FROM_DAILY_MAX,
  measuredBy,
  PAIR_DAILY_MAX,
  restAfter,
  TO_DAILY_MAX,
  WORKSPACE_DAILY_MAX
} from "../../../src/wings/canary/Canary.js"
import { CanaryMachine } from "../../../src/wings/canary/CanaryMachine.js"
import { failedOf, NO_VERDICTS, verdictsOf } from "../../../src/wings/canary/verdicts.js"

const NOW = Date.UTC(2026, 10, 2, 12)

const at = (name: string, domain: string, organisation: string): Candidate => ({
  mailboxId: name,
  domain,
  organisation
})

const canary = (given: Partial<Canary>): Canary => ({
  ...NO_VERDICTS,
  workspaceId: "w",
  canaryId: "c",
  fromMailboxId: "a",
  toMailboxId: "b",
  domain: "acme.test",
  organisation: "google.com",
  day: dayOf(NOW),
  nth: 0,
  campaignId: "k",
  variant: null,
  state: "inbox",
  plannedAtMillis: NOW - HOUR_MILLIS,
  claimedAtMillis: NOW - HOUR_MILLIS,
  sentAtMillis: NOW - HOUR_MILLIS,
  arrivedAtMillis: NOW - HOUR_MILLIS,
  lookedAtMillis: NOW,
  nextAtMillis: null,
  isRemoved: true,
  says: "",
  ...given
})

describe("which canaries are sent", () => {
  it("never within one organisation, never a mailbox to itself, and never beyond any bound, however many mailboxes there are", () => {
    const organisations = ["google.com", "outlook.com", "yahoodns.net"]
    const all = Array.from({ length: 90 }, (_, index) =>
      at(`m${index}`, `d${index % 30}.test`, organisations[index % 3] ?? "")
    )
    const recent: Array<Canary> = []
    for (let hour = 0; hour < 72; hour += 1) {
      const nowMillis = NOW + hour * HOUR_MILLIS
      for (const { from, nth, to } of choosePairs(all, all, recent, nowMillis)) {
        assert.notStrictEqual(from.organisation, to.organisation)
        assert.notStrictEqual(from.mailboxId, to.mailboxId)
        const state = CanaryMachine.states[(hour + from.mailboxId.length) % CanaryMachine.states.length] ?? "junk"
        recent.push(
          canary({
            fromMailboxId: from.mailboxId,
            toMailboxId: to.mailboxId,
            domain: from.domain,
            organisation: to.organisation,
            day: dayOf(nowMillis),
            nth,
            state,
            lookedAtMillis: nowMillis
          })
        )
      }
    }
    const most = (keyOf: (one: Canary) => string) => {
      const counts = new Map<string, number>()
      for (const one of recent) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
      return Math.max(...counts.values())
    }
    assert.isAtMost(
      most(({ day, fromMailboxId, toMailboxId }) => `${day} ${fromMailboxId} ${toMailboxId}`),
      PAIR_DAILY_MAX
    )
    assert.isAtMost(
      most(({ day, fromMailboxId }) => `${day} ${fromMailboxId}`),
      FROM_DAILY_MAX
    )
    assert.isAtMost(
      most(({ day, toMailboxId }) => `${day} ${toMailboxId}`),
      TO_DAILY_MAX
    )
    assert.strictEqual(
      most(({ day }) => `${day}`),
      WORKSPACE_DAILY_MAX
    )
    // The bound of the day leaves out the pairs that were measured last: in three days each gets its turn once at most twice.
    assert.isAbove(new Set(recent.map(({ domain, organisation }) => `${domain} ${organisation}`)).size, 50)
  })

  it("mailboxes of one provider alone measure nothing", () => {
    const all = [at("a", "acme.test", "google.com"), at("b", "try-acme.test", "google.com")]
    assert.isEmpty(choosePairs(all, all, [], NOW))
  })
})

describe("what canaries say", () => {
  it("three of the last four elsewhere are bad, two or the newest are to be watched, and the inbox proves nothing good", () => {
    const results = (...states: ReadonlyArray<Canary["state"]>) =>
      states.map((state, index) => canary({ canaryId: `c${index}`, state, lookedAtMillis: NOW - index * HOUR_MILLIS }))
    const stateOf = (...states: ReadonlyArray<Canary["state"]>) => measuredBy(results(...states), NOW)[0]?.state
    assert.strictEqual(stateOf("inbox", "inbox", "inbox"), "unknown")
    assert.strictEqual(stateOf("junk", "inbox", "inbox"), "watch")
    assert.strictEqual(stateOf("inbox", "junk", "inbox"), "unknown")
    assert.strictEqual(stateOf("inbox", "junk", "missing"), "watch")
    assert.strictEqual(stateOf("missing", "junk"), "watch")
    assert.strictEqual(stateOf("inbox", "junk", "missing", "junk"), "bad")
    assert.strictEqual(stateOf("missing", "junk", "junk"), "bad")
    assert.strictEqual(stateOf("inbox", "inbox", "inbox", "junk", "junk", "junk"), "unknown")
    assert.isUndefined(stateOf("unknown", "dropped", "sent"))
    assert.strictEqual(measuredBy([canary({ dkim: "fail" })], NOW)[0]?.state, "watch")
    assert.isEmpty(measuredBy([canary({ lookedAtMillis: NOW - 8 * 24 * HOUR_MILLIS })], NOW))
  })

  it("a result only ever tightens: one that was in the inbox rests nobody", () => {
    const others = [1, 2].map((index) =>
      canary({ canaryId: `c${index}`, state: "junk", lookedAtMillis: NOW - index * HOUR_MILLIS })
    )
    assert.isNull(restAfter(canary({ state: "inbox" }), others, NOW))
    assert.isNotNull(restAfter(canary({ state: "junk" }), others, NOW))
    // Two may be chance.
    assert.isNull(restAfter(canary({ state: "junk" }), others.slice(1), NOW))
    assert.isNull(
      restAfter(
        canary({ state: "junk" }),
        others.map((one) => ({ ...one, organisation: "x.test" })),
        NOW
      )
    )
  })
})

describe("what the server that got it says", () => {
  const head = (...fields: ReadonlyArray<string>) => ({
    headers: fields.map((value) => ({ name: "authentication-results", value }))
  })

  it("is believed of the newest field alone, and only if that is a server of the mailbox's own", () => {
    const google = ["google.com"]
    const good = "mx.google.com; dkim=pass header.i=@acme.test; spf=fail (bad dkim=fail); dmarc=pass (p=NONE)"
    assert.deepStrictEqual(verdictsOf(head(good), google), {
      ...NO_VERDICTS,
      spf: "fail",
      dkim: "pass",
      dmarc: "pass"
    })
    assert.deepStrictEqual(verdictsOf(head("mx.evil.test; dkim=fail", good), google), NO_VERDICTS)
    assert.deepStrictEqual(verdictsOf(head("google.com.evil.test; dkim=pass"), google), NO_VERDICTS)
    // Without a server's name nothing says who wrote it.
    assert.deepStrictEqual(verdictsOf(head("spf=pass smtp.mailfrom=acme.test; dkim=pass"), google), NO_VERDICTS)
    assert.deepStrictEqual(verdictsOf(head(), google), NO_VERDICTS)
    assert.deepStrictEqual(
      verdictsOf(head('mx.google.com; dkim=fail; dkim=pass; spf="pass"; dmarc=invented'), google),
      { ...NO_VERDICTS, dkim: "pass" }
    )
  })

  /** As Microsoft's servers write it: no server's name, words of their own, and a verdict of all together. */
  const MICROSOFT =
    "spf=softfail (sender IP is 192.0.2.7) smtp.mailfrom=acme.test; dkim=timeout (key query timeout) header.d=acme.test;dkim=fail (signature did not verify) header.d=mailer.test;dmarc=bestguesspass action=none header.from=acme.test;compauth=fail reason=001"
  const VERDICTS = { spf: "softfail", dkim: "temperror", dmarc: "none", compauth: "fail" }
  const received = (host: string) => ({
    name: "received",
    value: `from mail.acme.test (192.0.2.7) by ${host} (10.167.249.6) with Microsoft SMTP Server id 15.20; Mon, 2 Nov 2026`
  })
  const results = (value: string) => ({ name: "authentication-results", value })
  const THEIRS = "CO1PEPF000066E8.mail.protection.outlook.com"

  it("a field without a server's name is that of the server that took the mail in below it", () => {
    const microsoft = ["outlook.com"]
    const arrived = [
      { name: "received", value: "from a.outlook.com by b.outlook.com with HTTPS; Mon, 2 Nov 2026" },
      results(MICROSOFT),
      { name: "received-spf", value: "SoftFail (protection.outlook.com: domain of acme.test)" },
      received(THEIRS)
    ]
    assert.deepStrictEqual(verdictsOf({ headers: arrived }, microsoft), VERDICTS)
    assert.deepStrictEqual(failedOf(VERDICTS), ["compauth"])
    // Who sent it wrote what lies below, and no server of another organisation speaks for this mailbox.
    assert.deepStrictEqual(verdictsOf({ headers: [received(THEIRS), results(MICROSOFT)] }, microsoft), NO_VERDICTS)
    const forged = [received(THEIRS), results("spf=pass; dkim=pass; compauth=pass"), received("mail.evil.test")]
    assert.deepStrictEqual(verdictsOf({ headers: forged }, microsoft), NO_VERDICTS)
    assert.deepStrictEqual(verdictsOf({ headers: arrived }, ["google.com"]), NO_VERDICTS)
  })

  it("Microsoft's older form, with the tenant's names between the results, is read alike", () => {
    const older =
      "spf=pass (sender IP is 192.0.2.7) smtp.mailfrom=acme.test; tenant.onmicrosoft.com; dkim=pass (signature was verified) header.d=acme.test;tenant.onmicrosoft.com; dmarc=pass action=none header.from=acme.test;compauth=softpass reason=201"
    assert.deepStrictEqual(verdictsOf({ headers: [results(older), received(THEIRS)] }, ["outlook.com"]), {
      spf: "pass",
      dkim: "pass",
      dmarc: "pass",
      compauth: "softpass"
    })
  })
})
