import { assert, describe, it } from "@effect/vitest"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { EVIDENCE_CHARS_MAX } from "@outbound/domain/sources/CallNotes.js"
import { Effect } from "effect"
import type { Act, Script } from "./ScriptedSmtp.js"
import { against, impatient, only, TARGET } from "./support.js"

interface Row {
  readonly name: string
  readonly script: Script
  readonly status: EmailStatus
  readonly because: string
  /** Whether it asks again later. */
  readonly isAskedAgain?: true
}

const row = (name: string, script: Script, status: EmailStatus, because: string): Row => ({
  name,
  script,
  status,
  because
})

/** Only one address gets another answer; all others are unknown. */
const to = (act: Act): Script => ({ rcpt: (address) => (address === TARGET ? act : only()(address)) })

const unknown = (name: string, script: Script, because: string): Row => row(name, script, "unknown", because)
const again = (name: string, script: Script, because: string): Row => ({
  ...unknown(name, script, because),
  isAskedAgain: true
})

const LONG = (code: string, status = ""): string =>
  `${`${code}-${status}${"and so on ".repeat(60)}\n`.repeat(15)}${code} ${status}the end`

const ROWS: ReadonlyArray<Row> = [
  row("takes the person and nobody else", { rcpt: only(TARGET) }, "valid", "accepted"),
  row("knows nobody of that name", { rcpt: only() }, "invalid", "no_such_mailbox"),
  row("takes everybody", {}, "catch_all_unknown", "takes_every_address"),
  row("says that the mailbox is full", to("552 5.2.2 Over quota"), "risky", "mailbox_full"),
  row("says that the mailbox is full for now", to("452 4.2.2 Mailbox full"), "risky", "mailbox_full"),
  row(
    "speaks in many lines",
    { rcpt: only(TARGET), mail: "250-2.1.0 Well\n250-then\n250 2.1.0 Ok" },
    "valid",
    "accepted"
  ),
  row(
    "explains itself at length",
    { greeting: LONG("220"), mail: LONG("250"), rcpt: LONG("550", "5.1.1 ") },
    "invalid",
    "no_such_mailbox"
  ),
  row(
    "wants to hear EHLO once",
    { rcpt: only(TARGET), ehlo: (earlier) => (earlier === 0 ? "250-mx Hello\n250 SIZE 1" : "503 5.5.1 Twice") },
    "valid",
    "accepted"
  ),
  unknown("can't be told from what it says", { rcpt: only(TARGET), ehlo: "250 Ok" }, "lost"),
  row("knows HELO alone", { rcpt: only(TARGET), ehlo: "502 5.5.1 What?" }, "valid", "accepted"),
  row("offers TLS", { rcpt: only(TARGET), features: ["STARTTLS"] }, "valid", "accepted"),
  row(
    "offers TLS and refuses it",
    { rcpt: only(TARGET), features: ["STARTTLS"], starttls: "454 4.7.0 No" },
    "valid",
    "accepted"
  ),
  row(
    "offers TLS and can't",
    { rcpt: only(TARGET), features: ["STARTTLS"], starttls: { do: "no_tls" } },
    "valid",
    "accepted"
  ),
  row(
    "gives byte by byte, in time",
    { rcpt: only(TARGET), mail: { do: "trickle", text: "250 Ok", everyMillis: 2 } },
    "valid",
    "accepted"
  ),
  row(
    "ends each line with a line feed alone",
    { rcpt: only(TARGET), mail: { do: "raw", text: "250 Ok\n" } },
    "valid",
    "accepted"
  ),

  unknown("refuses for policy", to("550 5.7.1 Message rejected due to local policy"), "policy"),
  unknown(
    "refuses us by a block list",
    to("550 5.1.1 Blocked, see https://www.spamhaus.org/query/ip/192.0.2.1"),
    "policy"
  ),
  unknown("refuses without a reason", to("550 Requested action not taken"), "rejected"),
  unknown("refuses everybody without a reason", { rcpt: "550 No" }, "rejected"),
  unknown("refuses us to everybody", { rcpt: "554 5.7.1 Client host rejected: Access denied" }, "policy"),
  unknown(
    "takes the person, and others for policy not",
    { rcpt: (address) => (address === TARGET ? "250 Ok" : "550 5.7.1 Too many unknown") },
    "unproven"
  ),
  row(
    "takes everybody, one at a time",
    { rcpt: (_address, _others, earlier) => (earlier === 0 ? "250 Ok" : "550 One recipient at a time") },
    "catch_all_unknown",
    "takes_every_address"
  ),
  unknown("refuses the sender", { mail: "550 5.1.8 Sender domain not found" }, "refused"),
  unknown("greets with 554", { greeting: "554 5.7.1 No service for you" }, "refused"),
  unknown("says VRFY's answer", to("252 2.1.5 Can't say"), "unclear"),
  unknown("greets with what is no SMTP", { greeting: "SSH-2.0-OpenSSH_9.6" }, "lost"),
  unknown("greets with bytes", { greeting: { do: "raw", text: "\u0000\u0001\r\n\u00ff\r\n" } }, "lost"),
  unknown("mixes codes in one reply", to("250-Ok\n550 No"), "lost"),
  unknown(
    "says nothing to RSET in time",
    { rcpt: only(TARGET), rset: { do: "late", text: "250 Ok", afterMillis: 600 } },
    "lost"
  ),
  unknown("refuses RSET", { rcpt: only(TARGET), rset: "550 No" }, "lost"),
  unknown("answers once more than it was asked", { rcpt: only(), mail: "250 Ok\n250 Ok" }, "lost"),
  unknown(
    "answers twice, so that every answer is taken for that to the next command",
    {
      mail: { do: "twice", text: "250 Ok", afterMillis: 15 },
      rcpt: { do: "late", text: "550 5.1.1 User unknown", afterMillis: 60 }
    },
    "lost"
  ),
  unknown(
    "says all answers at once",
    { mail: { do: "raw", text: "250 Ok\r\n250 Ok\r\n550 5.1.1 No\r\n250 Ok\r\n" } },
    "lost"
  ),
  unknown(
    "gives a byte at a time, for ever",
    to({ do: "trickle", text: "250 Ok, and more of it", everyMillis: 60 }),
    "lost"
  ),
  unknown("never ends a reply", to({ do: "endless" }), "lost"),
  unknown("never ends a line", to({ do: "long" }), "lost"),
  ...(["greeting", "ehlo", "mail", "rcpt", "rset"] as const).flatMap((stage) => [
    unknown(`drops at ${stage}`, { rcpt: only(TARGET), [stage]: { do: "drop" } }, "lost"),
    unknown(`falls silent at ${stage}`, { rcpt: only(TARGET), [stage]: { do: "stall" } }, "lost")
  ]),

  again("is too busy to greet", { greeting: { do: "last", text: "421 4.3.2 Too many connections" } }, "busy"),
  again("has no time for the sender", { mail: "451 4.3.0 Try again later" }, "busy"),
  again("goes away at the recipient", { rcpt: { do: "last", text: "421 4.3.2 Going down" } }, "put_off"),
  again("greylists", { rcpt: "451 4.7.1 Greylisted, try again in five minutes" }, "put_off"),
  again("greylists and hangs up", { rcpt: { do: "last", text: "450 4.7.1 Greylisted" } }, "put_off"),
  again("greylists and makes no sense from then on", { rcpt: "450 4.7.1 Greylisted", rset: "550 No" }, "put_off"),
  again("puts the other one off", { rcpt: (a) => (a === TARGET ? "250 Ok" : "450 4.7.1 Greylisted") }, "unproven")
]

describe("of a server that", () => {
  it.live.each(ROWS)("$name, no more is said than it proves, within the deadline", (one) =>
    Effect.gen(function* () {
      const { asked, evidence, server, verify } = yield* against(one.script, one.because === "lost" ? impatient : {})
      const began = Date.now()
      const { isCatchAllDomain, status } = yield* verify(TARGET)
      if (one.because === "lost") assert.isBelow(Date.now() - began, 20_000)
      assert.deepStrictEqual([status, evidence[0]?.["because"]], [one.status, one.because])
      assert.strictEqual(isCatchAllDomain, one.because === "takes_every_address")
      assert.strictEqual(asked.length, one.isAskedAgain === true ? 1 : 0)
      for (const facts of evidence) assert.isBelow(JSON.stringify(facts).length, EVIDENCE_CHARS_MAX)
      for (const { command } of server.heard()) assert.notMatch(command, /^(?:DATA|BDAT|AUTH)/i)
    })
  )
})

it.live("an answer that is said three times does not stand for those to the next two commands", () =>
  Effect.gen(function* () {
    const known = "ann@acme.test"
    const { verify } = yield* against({
      mail: (earlier) => (earlier < 2 ? "250 Ok" : { do: "twice", text: "250 Ok", afterMillis: 20, again: true }),
      rcpt: (address) =>
        address === TARGET ? { do: "late", text: "550 5.1.1 User unknown", afterMillis: 100 } : only(known)(address)
    })
    assert.strictEqual((yield* verify(known)).status, "valid")
    // Found out, it is asked over another connection, where it does not do so.
    assert.strictEqual((yield* verify(TARGET)).status, "invalid")
  })
)
