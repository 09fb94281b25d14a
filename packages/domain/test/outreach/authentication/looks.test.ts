import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { askNames } from "../../../src/outreach/authentication/askNames.js"
import { authenticationRefusal } from "../../../src/outreach/authentication/gate.js"
import {
  AUTHENTICATING,
  type DomainLook,
  FAILING_MILLIS,
  failingOf,
  type Findings,
  FRESH_MILLIS,
  isMended,
  lookAfter,
  mustPause
} from "../../../src/outreach/authentication/Look.js"
import { DAY_MILLIS, HOUR_MILLIS } from "../../../src/kernel/durations.js"
import { DomainRecords, RecordsUnavailable } from "../../../src/outreach/mail/DomainRecords.js"
import type { SeenSignature } from "../../../src/outreach/mail/MailProbe.js"

const NOW = Date.UTC(2027, 0, 4)
const KEY = ["v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB"]
const SPF = ["v=spf1 ip4:192.0.2.1 ~all"]
const DMARC = ["v=DMARC1; p=reject"]

/** Name servers with these texts; null: they do not answer. */
const asked = (
  domain: string,
  texts: Readonly<Record<string, ReadonlyArray<string>>> | null,
  seen: ReadonlyArray<SeenSignature> = [],
  selectors: ReadonlyArray<string> = []
) =>
  Effect.runPromise(
    askNames(
      DomainRecords.of({
        mx: () => (texts === null ? Effect.fail(new RecordsUnavailable({ cause: 0 })) : Effect.succeed(["mx.test"])),
        a: () => Effect.succeed([]),
        cname: () => Effect.succeed([]),
        txt: (name) =>
          texts === null ? Effect.fail(new RecordsUnavailable({ cause: 0 })) : Effect.succeed(texts[name] ?? [])
      }),
      domain,
      { selectors, seen },
      NOW
    )
  )

const GREEN = { "acme.test": SPF, "google._domainkey.acme.test": KEY, "_dmarc.acme.test": DMARC }

const shown = ({ dkim, dmarc, spf }: Findings) => [
  [spf.status, spf.aligned],
  [dkim.status, dkim.aligned],
  [dmarc.status, dmarc.aligned]
]

const look = (before: DomainLook | null, findings: Findings, atMillis: number) =>
  lookAfter(before, { workspaceId: "w", domain: "acme.test", findings, listed: null }, atMillis)

it("what mail was seen to be signed with decides on DKIM, before what stands in the DNS", async () => {
  const own = [{ signer: "acme.test", selector: "google" }]
  const other = [{ signer: "host.test", selector: "s1" }]
  const bare = { "acme.test": SPF, "_dmarc.acme.test": DMARC }
  const pass = ["pass" as const, true]
  // A key that nobody saw used passes, and is not known to be aligned.
  assert.deepStrictEqual(shown(await asked("acme.test", GREEN)), [pass, ["pass", null], pass])
  assert.deepStrictEqual(shown(await asked("acme.test", GREEN, own)), [pass, pass, pass])
  assert.deepStrictEqual(shown(await asked("acme.test", bare, own)), [pass, ["missing", null], pass])
  assert.deepStrictEqual(shown(await asked("acme.test", bare, other)), [pass, ["fail", false], pass])
  // Somebody turned signing on since.
  assert.deepStrictEqual(shown(await asked("acme.test", GREEN, other)), [pass, ["pass", null], pass])
  // No selector is known, and none of the usual ones has a key: nothing is proven.
  assert.deepStrictEqual(shown(await asked("acme.test", bare)), [pass, ["unknown", null], pass])
  assert.deepStrictEqual(shown(await asked("acme.test", bare, [], ["own"]))[1], ["missing", null])
  const revoked = { ...bare, "google._domainkey.acme.test": ["v=DKIM1; p="] }
  assert.deepStrictEqual(shown(await asked("acme.test", revoked, own))[1], ["fail", null])
})

it("a subdomain has its organisation's policy, and is aligned with its signature", async () => {
  const texts = { "mail.acme.test": SPF, "s._domainkey.acme.test": KEY, "_dmarc.acme.test": DMARC }
  const findings = await asked("mail.acme.test", texts, [{ signer: "acme.test", selector: "s" }])
  assert.deepStrictEqual(shown(findings), [
    ["pass", true],
    ["pass", true],
    ["pass", true]
  ])
})

it("an SPF record that allows everybody, stands twice or takes too many look-ups fails, and says how to mend it", async () => {
  const many = `v=spf1 ${Array.from({ length: 11 }, (_, index) => `include:s${index}.test`).join(" ")} ~all`
  for (const [texts, words] of [
    [["v=spf1 +all"], "~all"],
    [[...SPF, ...SPF], "Merge"],
    [[many], "look-ups"]
  ] as const) {
    const { spf } = await asked("acme.test", { ...GREEN, "acme.test": texts })
    assert.deepStrictEqual([spf.status, spf.aligned], ["fail", null])
    assert.include(spf.detail, words)
  }
  const { spf } = await asked("acme.test", { ...GREEN, "acme.test": [] })
  assert.strictEqual(spf.status, "missing")
  assert.include(spf.detail, "v=spf1")
})

it("silence keeps what was found, for three days and no longer, and proves nothing", async () => {
  const silent = await asked("acme.test", null)
  assert.deepStrictEqual(
    AUTHENTICATING.map((check) => silent[check].status),
    ["unknown", "unknown", "unknown"]
  )
  const none = look(null, silent, NOW)
  assert.deepStrictEqual([failingOf(none, NOW), none.failingSinceMillis, isMended(none, NOW)], [[], null, false])
  const bad = look(null, await asked("acme.test", { ...GREEN, "_dmarc.acme.test": [] }), NOW)
  const later = look(bad, silent, NOW + DAY_MILLIS)
  assert.deepStrictEqual(failingOf(later, NOW + FRESH_MILLIS), ["dmarc"])
  assert.strictEqual(later.failingSinceMillis, NOW)
  assert.deepStrictEqual(failingOf(later, NOW + FRESH_MILLIS + 1), [])
  // The last look must have been answered.
  assert.isFalse(mustPause(look(later, silent, NOW + FAILING_MILLIS), null, NOW + FAILING_MILLIS))
  assert.isFalse(isMended(look(later, silent, NOW + 2 * FRESH_MILLIS), NOW + 2 * FRESH_MILLIS))
})

it("a mailbox pauses three days after the first look that failed, or after a person resumed it", async () => {
  const found = await asked("acme.test", { ...GREEN, "_dmarc.acme.test": [] })
  const at = (atMillis: number): Findings => ({ ...found, dmarc: { ...found.dmarc, checkedAtMillis: atMillis } })
  const first = look(null, at(NOW), NOW)
  const end = NOW + FAILING_MILLIS
  assert.isFalse(mustPause(look(first, at(end - 1), end - 1), null, end - 1))
  const last = look(first, at(end), end)
  assert.isTrue(mustPause(last, null, end))
  assert.isFalse(mustPause(last, NOW + HOUR_MILLIS, end))
  const good = look(last, await asked("acme.test", GREEN), end)
  assert.deepStrictEqual([good.failingSinceMillis, isMended(good, end)], [null, true])
})

it("a refusal names each domain that fails, and the words of three at most", async () => {
  const found = await asked("acme.test", { ...GREEN, "_dmarc.acme.test": [] })
  const looks = ["d", "b", "a", "c", "e"].map((name) => ({ ...look(null, found, NOW), domain: `${name}.test` }))
  assert.isNull(authenticationRefusal("warn", looks, NOW))
  assert.isNull(authenticationRefusal("require", [], NOW))
  const refusal = authenticationRefusal("require", looks, NOW)
  assert.deepStrictEqual(refusal?.details, {
    reason: "domain_not_authenticated",
    domains: ["a", "b", "c", "d", "e"].map((name) => ({ domain: `${name}.test`, failing: ["dmarc"] }))
  })
  assert.include(refusal?.message, "2 more domains are not authenticated.")
})

it("a failure that a look found is seen by that look, however long the name servers took to answer", async () => {
  const found = await asked("acme.test", { ...GREEN, "_dmarc.acme.test": [] })
  const at = (atMillis: number): Findings => ({ ...found, dmarc: { ...found.dmarc, checkedAtMillis: atMillis } })
  const takesMillis = 2_000
  const first = look(null, at(NOW), NOW + takesMillis)
  const end = NOW + takesMillis + FAILING_MILLIS
  assert.isFalse(mustPause(look(first, at(end - 1), end - 1 + takesMillis), null, end - 1 + takesMillis))
  assert.isTrue(mustPause(look(first, at(end), end + takesMillis), null, end + takesMillis))
})
