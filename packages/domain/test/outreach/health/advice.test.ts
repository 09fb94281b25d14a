import { assert, describe, it } from "@effect/vitest"
import { sandboxLook } from "../../../src/outreach/authentication/sandboxLook.js"
import type { Check, CheckStatus } from "../../../src/outreach/authentication/Look.js"
import { ADVISED, domainAdvice, mailboxAdvice, STATE_REASONS } from "../../../src/outreach/health/advice.js"
import type { ReceiverHealth } from "../../../src/outreach/health/judgeReceivers.js"
import type { HealthState, Measured } from "../../../src/outreach/health/Measurements.js"

const NOW = Date.UTC(2027, 0, 4)
const DOMAIN = "acme.test"

const look = (status: Partial<Record<Check, CheckStatus>>) => {
  const found = sandboxLook("w", DOMAIN, NOW)
  const findings = { ...found.findings }
  for (const check of ["spf", "dkim", "dmarc", "mx"] as const) {
    findings[check] = { ...findings[check], status: status[check] ?? "pass", detail: `about ${check}` }
  }
  return { ...found, findings }
}

const receiver = (
  organisation: string,
  state: HealthState,
  measured: ReadonlyArray<Measured> = []
): ReceiverHealth => ({
  organisation,
  state,
  measured,
  sent: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  replied: 0,
  restingUntilMillis: null
})

const measure = (advice: Measured["advice"]): Measured => ({
  domain: DOMAIN,
  organisation: "m",
  by: "m",
  state: "bad",
  says: "s",
  atMillis: NOW,
  placement: null,
  advice
})

const codes = (advice: ReturnType<typeof domainAdvice>) => advice.map(({ by, code, subject }) => [code, subject, by])

describe("what is advised of a domain", () => {
  const of = (facts: Partial<Parameters<typeof domainAdvice>[1]>) =>
    domainAdvice(DOMAIN, { look: null, listedOn: [], receivers: [], ...facts }, NOW)

  it("is to publish each record that fails or is missing, in the words of what was found, and no other", () => {
    assert.deepStrictEqual(of({}), [])
    assert.deepStrictEqual(of({ look: look({ spf: "unknown", mx: "unknown" }) }), [])
    for (const status of ["fail", "missing"] as const) {
      for (const check of ["spf", "dkim", "dmarc", "mx"] as const) {
        const [only, ...others] = of({ look: look({ [check]: status }) })
        assert.deepInclude(only, { code: `publish_${check}`, subject: DOMAIN, text: `about ${check}`, by: "dns" })
        assert.strictEqual(/possible once SPF, DKIM and DMARC pass/.test(only?.effect ?? ""), check !== "mx")
        assert.isEmpty(others)
      }
    }
    const effects: ReadonlyArray<readonly [Check, RegExp]> = [
      ["spf", /^Receivers can tell the domain's servers/],
      ["dkim", /^Receivers can tell that a message/],
      ["dmarc", /^Large receivers refuse bulk mail/],
      ["mx", /^Answers and bounces arrive\.$/]
    ]
    for (const [check, effect] of effects)
      assert.match(of({ look: look({ [check]: "fail" }) })[0]?.effect ?? "", effect)
    const all = of({ look: look({ spf: "fail", dkim: "missing", dmarc: "fail", mx: "missing" }) })
    assert.deepStrictEqual(
      all.map(({ code }) => code),
      ["publish_spf", "publish_dkim", "publish_dmarc", "publish_mx"]
    )
  })

  it("is to be taken off each list, to write less where it is received badly, and what a measure says", () => {
    const measured = [measure(null), measure({ text: "Mend it.", effect: "It is well." })]
    const advice = of({
      listedOn: ["a.test", "b.test"],
      receivers: [receiver("m", "bad"), receiver("n", "watch", measured), receiver("o", "good")]
    })
    assert.deepStrictEqual(codes(advice), [
      ["ask_for_delisting", DOMAIN, "owner"],
      ["ask_for_delisting", DOMAIN, "owner"],
      ["write_less_to_receiver", "acme.test m", "agent"],
      ["mend_what_was_measured", "acme.test n", "owner"]
    ])
    assert.deepInclude(advice.at(-1), { text: "Mend it.", effect: "It is well." })
    assert.include(advice[0]?.text, "blocklist a.test")
    assert.match(advice[0]?.effect ?? "", /accept mail from the domain again/)
    assert.match(advice[2]?.effect ?? "", /refusals stop counting/)
  })
})

describe("what is advised of a mailbox", () => {
  const of = (...[paused, reasons = []]: [Parameters<typeof mailboxAdvice>[1], Parameters<typeof mailboxAdvice>[2]?]) =>
    mailboxAdvice("a@acme.test", paused, reasons)

  it("is what ends its pause, by its reason, and nothing where it ends by itself", () => {
    const [login] = of("login")
    const [unreachable] = of("unreachable")
    assert.deepInclude(login, { code: "reconnect_mailbox", by: "owner" })
    assert.match(login?.text ?? "", /refuses our sign-in/)
    assert.match(unreachable?.text ?? "", /could not be reached/)
    assert.match(login?.effect ?? "", /sends again, and its replies are read/)
    assert.deepInclude(of("upkeep")[0], { code: "top_up", by: "owner", effect: "The mailbox goes on by itself." })
    for (const reason of ["bounces", "complaints", "dmarc", "blocklist", "owner"] as const) {
      const [only] = of(reason, ["bounces_high"])
      assert.deepInclude(only, { code: "resume_mailbox", subject: "a@acme.test", by: "owner" })
      assert.include(only?.text, `(${reason})`)
      assert.match(only?.effect ?? "", /is judged from then on/)
    }
    assert.isEmpty(of("authentication"))
  })

  it("is to check addresses where many do not exist, and nothing for what passes by itself", () => {
    assert.deepInclude(of(null, ["resting", "bounces_high"])[0], { code: "verify_addresses", by: "agent" })
    assert.match(of(null, ["bounces_high"])[0]?.effect ?? "", /below 3 %/)
    assert.isEmpty(of(null, ["resting", "receiver_rests", "cap_reached", "ramping", "domain_listed"]))
  })
})

it("the words of an answer are those that agents know", () => {
  assert.deepStrictEqual([...ADVISED], ["owner", "dns", "agent"])
  const reasons = "domain_not_authenticated domain_listed bounces_high resting receiver_rests cap_reached ramping"
  assert.deepStrictEqual([...STATE_REASONS], reasons.split(" "))
})
