import { assert, describe, it } from "@effect/vitest"
import type { MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect, Result, Schema } from "effect"
import { ProberSettings } from "../../../src/providers/open/ProberSettings.js"
import { scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, proberOf, TARGET } from "./support.js"

it.live("a service that can't ask at all says so, rather than that nothing is known", () =>
  Effect.gen(function* () {
    const deaf = yield* proberOf({}, { resolvers: ["127.0.0.1:9"] })
    assert.strictEqual((yield* Effect.flip(deaf.verify(TARGET))).reason, "transient")

    const unwanted = yield* proberOf({ "acme.test": { rcode: 5 } }, {})
    assert.strictEqual((yield* Effect.flip(unwanted.verify(TARGET))).reason, "transient")

    const server = yield* scriptedSmtp({}, { address: "127.0.0.2" })
    const names = Array.from({ length: 7 }, (_, at) => `d${at}.test`)
    const zones = Object.fromEntries(names.map((name) => [name, { a: ["127.0.0.5"] }]))
    const { verify } = yield* proberOf(zones, { smtpPort: server.port })
    const ends = yield* Effect.forEach(names, (name) => Effect.result(verify(`jo@${name}`)))
    assert.deepStrictEqual(
      ends.map(({ _tag }) => _tag),
      ["Success", "Success", "Success", "Success", "Success", "Failure", "Failure"]
    )
  })
)

it("settings that could not be used are refused when they are read", () => {
  const read = Schema.decodeUnknownResult(ProberSettings)
  for (const settings of [
    { resolvers: ["ns.acme.test"] },
    { resolvers: ["192.0.2.1:99999"] },
    { source_address: "192.0.2.999" },
    { mail_from: "jo@acme.test>\r\nDATA" },
    { helo_name: "two words" },
    { deadline_millis: 20_000 },
    { check_host: "" }
  ]) {
    assert.isTrue(Result.isFailure(read(settings)), JSON.stringify(settings))
  }
  const settings = { resolvers: ["192.0.2.1", "192.0.2.1:5353", "[2001:db8::1]:53"], source_address: "2001:db8::2" }
  assert.isTrue(Result.isSuccess(read({ ...settings, mail_from: "verify@acme.test", helo_name: "[192.0.2.1]" })))
})

describe("the check", () => {
  const HELO: Readonly<Record<string, MailZone>> = {
    "probe.outbound.test": { a: ["127.0.0.1"] },
    "1.0.0.127.in-addr.arpa": { ptr: "probe.outbound.test" }
  }
  const states = (findings: ReadonlyArray<{ readonly what: string; readonly state: string }>) =>
    Object.fromEntries(findings.map(({ state, what }) => [what, state]))

  it.live("says that all is well, what is not tested, and what is blocked", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({})
      const base = { smtpPort: server.port }
      const well = yield* proberOf({ ...ACME, ...HELO }, { ...base, checkDomain: "acme.test" })
      assert.deepStrictEqual(states(yield* well.prober.check), {
        resolver: "works",
        smtp_port: "works",
        helo_name: "works",
        reverse_name: "works"
      })
      const bare = yield* proberOf({ "probe.outbound.test": { a: ["192.0.2.7"] } }, base)
      assert.deepStrictEqual(states(yield* bare.prober.check), {
        resolver: "works",
        smtp_port: "untested",
        helo_name: "warning",
        reverse_name: "warning"
      })
      const blocked = yield* proberOf(HELO, { ...base, checkHost: "127.0.0.5" })
      const findings = yield* blocked.prober.check
      assert.strictEqual(states(findings)["smtp_port"], "fails")
      assert.include(findings.map(({ text }) => text).join(), "blocked")
      const deaf = yield* proberOf({}, { resolvers: ["127.0.0.1:9"] })
      assert.deepStrictEqual(states(yield* deaf.prober.check), { resolver: "fails" })
    })
  )
})
