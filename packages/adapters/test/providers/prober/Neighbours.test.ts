import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { scriptedSmtp } from "./ScriptedSmtp.js"
import { impatient, only, proberOf } from "./support.js"

const NAMES = ["odd", "one", "two", "three", "four"]

/** Domains of one mail server. */
const ZONES = {
  ...Object.fromEntries(NAMES.map((name) => [`${name}.test`, { mx: [[10, "mx.host.test"]] as [[number, string]] }])),
  "mx.host.test": { a: ["127.0.0.1"] }
}

const PEOPLE = NAMES.slice(1).map((name) => `jo@${name}.test`)

for (const behaviour of ["drop", "stall"] as const) {
  it.live(`a domain whose recipients make the server ${behaviour} costs its neighbours nothing`, () =>
    Effect.gen(function* () {
      const answers = only(...PEOPLE)
      const server = yield* scriptedSmtp({
        rcpt: (address) => (address.endsWith("@odd.test") ? { do: behaviour } : answers(address))
      })
      const { verify } = yield* proberOf(ZONES, { ...impatient, smtpPort: server.port })
      for (let tries = 0; tries < 4; tries += 1) {
        assert.strictEqual((yield* verify(`p${tries}@odd.test`)).status, "unknown")
      }
      const checks = yield* Effect.forEach(PEOPLE, verify)
      assert.deepStrictEqual(
        checks.map(({ status }) => status),
        PEOPLE.map(() => "valid")
      )
      // It is left alone itself.
      const before = server.connections()
      assert.strictEqual((yield* verify("again@odd.test")).status, "unknown")
      assert.strictEqual(server.connections(), before)
    })
  )
}

it.live("a server that falls silent for several domains in a row is left alone as a whole", () =>
  Effect.gen(function* () {
    const server = yield* scriptedSmtp({ rcpt: { do: "drop" } })
    const { verify } = yield* proberOf(ZONES, { ...impatient, smtpPort: server.port })
    for (const email of PEOPLE) yield* verify(email)
    const before = server.connections()
    assert.strictEqual((yield* verify("jo@odd.test")).status, "unknown")
    assert.strictEqual(server.connections(), before)
  })
)

it.live("a link-local address is never asked, even where private ones are", () =>
  Effect.gen(function* () {
    const server = yield* scriptedSmtp({ rcpt: only("jo@inside.test") })
    for (const host of [
      { a: ["169.254.169.254"] },
      { a: ["127.0.0.1", "169.254.1.1"] },
      { aaaa: ["fe80:0:0:0:0:0:0:1"] },
      { aaaa: ["0:0:0:0:0:ffff:a9fe:a9fe"] },
      { aaaa: ["fd00:ec2:0:0:0:0:0:254"] }
    ]) {
      const zones = { "inside.test": { mx: [[10, "mx.inside.test"]] as [[number, string]] }, "mx.inside.test": host }
      const { evidence, verify } = yield* proberOf(zones, { smtpPort: server.port, allowPrivateTargets: true })
      assert.strictEqual((yield* verify("jo@inside.test")).status, "unknown")
      assert.strictEqual(evidence[0]?.["because"], "not_public", JSON.stringify(host))
    }
    assert.strictEqual(server.connections(), 0)
  })
)
