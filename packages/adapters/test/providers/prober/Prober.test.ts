import { assert } from "@effect/vitest"
import { emailVerifierSuite } from "@outbound/testkit/contracts/providers/emailVerifier.js"
import type { MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, only, proberOf, TARGET } from "./support.js"

emailVerifierSuite(
  {
    name: "the prober",
    make: Effect.gen(function* () {
      const one = yield* scriptedSmtp({ rcpt: only(TARGET, "info@acme.test") })
      const every = yield* scriptedSmtp({}, { address: "127.0.0.2", port: one.port })
      assert.strictEqual(every.port, one.port)
      const zones: Readonly<Record<string, MailZone>> = {
        ...ACME,
        "open.test": { a: ["127.0.0.2"] },
        "null.test": { mx: [[0, ""]] },
        "broken.test": { rcode: 2 }
      }
      const { prober } = yield* proberOf(zones, { smtpPort: one.port })
      return { source: prober.verifier, server: null }
    })
  },
  {
    cases: [
      { says: "a person", request: TARGET, expected: { status: "valid", isCatchAllDomain: false } },
      { says: "nobody", request: "nobody@acme.test", expected: { status: "invalid", isCatchAllDomain: false } },
      { says: "a function", request: "info@acme.test", expected: { status: "risky", isCatchAllDomain: false } },
      {
        says: "somebody where everybody is taken",
        request: "jo@open.test",
        expected: { status: "catch_all_unknown", isCatchAllDomain: true }
      },
      {
        says: "somebody where no mail is taken",
        request: "jo@null.test",
        expected: { status: "invalid", isCatchAllDomain: false }
      },
      {
        says: "somebody of whom nothing can be known",
        request: "jo@broken.test",
        expected: { status: "unknown", isCatchAllDomain: false }
      }
    ]
  }
)
