import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { proofless } from "./proof.js"
import { type Act, type Script, scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, impatient, proberOf, TARGET } from "./support.js"

const DEADLINE_MILLIS = 800

/** What a test may take on a machine that has other things to do. */
const SLACK_MILLIS = 6_000

const SERVERS = 100
const AT_ONCE = 12

const reply = fc.constantFrom(
  "250 2.1.5 Ok",
  "250-Well\n250 Ok",
  "251 Will forward",
  "252 Perhaps",
  "220 Go on",
  "221 Bye",
  "354 Go on",
  "421 4.3.2 Going down",
  "450 4.7.1 Greylisted",
  "452 4.2.2 Full",
  "451 Later",
  "500 What?",
  "503 5.5.1 Bad sequence",
  "550 5.1.1 User unknown",
  "550-5.1.1 No such user\n550 5.1.1 here",
  "550 User unknown",
  "550 No",
  "550 5.7.1 Blocked by spamhaus",
  "552 5.2.2 Over quota",
  "554 Transaction failed",
  "250-Ok\n550 No",
  "999 Ok",
  "Ok"
)

const few = fc.integer({ min: 0, max: 80 })

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: reply },
  fc.constantFrom<Act>({ do: "drop" }, { do: "stall" }, { do: "endless" }, { do: "long" }),
  fc.record({ do: fc.constant("trickle" as const), text: reply, everyMillis: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ do: fc.constant("twice" as const), text: reply, afterMillis: few }),
  fc.record({ do: fc.constant("late" as const), text: reply, afterMillis: few }),
  fc.record({ do: fc.constant("last" as const), text: reply }),
  fc.record({
    do: fc.constant("raw" as const),
    text: fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      fc.tuple(reply, reply).map(([one, other]) => `${one}\r\n${other}\r\n`)
    )
  })
)

/** Mostly as it should be, so that sessions come to the recipients. */
const usually = (usual: string) => fc.oneof({ weight: 5, arbitrary: fc.constant<Act>(usual) }, act)

interface Behaviour {
  readonly script: Omit<Script, "rcpt">
  readonly target: Act
  readonly others: Act
}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  script: fc.record({
    greeting: usually("220 mail.test ESMTP"),
    ehlo: usually("250-mail.test\n250 PIPELINING"),
    mail: usually("250 2.1.0 Ok"),
    rset: usually("250 2.0.0 Ok")
  }),
  target: fc.oneof({ weight: 2, arbitrary: fc.constantFrom<Act>("250 2.1.5 Ok", "550 5.1.1 User unknown") }, act),
  others: fc.oneof({ weight: 2, arbitrary: fc.constantFrom<Act>("550 5.1.1 User unknown", "250 2.1.5 Ok") }, act)
})

const seed = Number(process.env["PROBER_SEED"] ?? 20_261_120)

it.live("whatever a server does, an answer comes in time, and is neither valid nor invalid without its words", () =>
  Effect.gen(function* () {
    const statuses = new Set<string>()
    yield* Effect.forEach(
      fc.sample(behaviour, { numRuns: SERVERS, seed }),
      ({ others, script, target }) =>
        Effect.scoped(
          Effect.gen(function* () {
            const rcpt = (address: string) => (address === TARGET ? target : others)
            const server = yield* scriptedSmtp({ ...script, rcpt })
            const { verify } = yield* proberOf(ACME, {
              ...impatient,
              commandMillis: 400,
              smtpPort: server.port,
              deadlineMillis: DEADLINE_MILLIS
            })
            // The second one finds what the first has left behind.
            for (const _ of [1, 2]) {
              const began = Date.now()
              const { status } = yield* verify(TARGET)
              const told = JSON.stringify({ script, target, others, status, heard: server.heard() })
              assert.isBelow(Date.now() - began, DEADLINE_MILLIS + SLACK_MILLIS, told)
              assert.isNull(proofless(status, server.heard()), told)
              statuses.add(status)
            }
          })
        ),
      { concurrency: AT_ONCE, discard: true }
    )
    for (const status of ["valid", "invalid", "unknown"]) assert.isTrue(statuses.has(status), status)
  })
)
