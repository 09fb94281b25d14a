import { assert, describe, it } from "@effect/vitest"
import type { EmailStatus } from "@outbound/domain/ports/providers/EmailVerifier.js"
import { EVIDENCE_CHARS_MAX } from "@outbound/domain/providers/CallNotes.js"
import { emailVerifierSuite } from "@outbound/testkit/contracts/providers/emailVerifier.js"
import type { MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect, Either, Fiber, Schema } from "effect"
import { isDisposable, isRole } from "../../src/prober/addresses.js"
import { ProberSettings } from "../../src/prober/ProberSettings.js"
import { type Reading, readingOf } from "../../src/prober/refusals.js"
import { ReplyReader } from "../../src/prober/Reply.js"
import { type Act, type Script, scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, against, impatient, only, proberOf, TARGET } from "./support.js"

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

/** Only the one address is answered otherwise; whoever else is unknown. */
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
  again("puts the other one off", { rcpt: (a) => (a === TARGET ? "250 Ok" : "450 4.7.1 Greylisted") }, "unproven")
]

describe("of a server that", () => {
  it.scopedLive.each(ROWS)("$name, no more is said than it proves, within the deadline", (one) =>
    Effect.gen(function* () {
      const { asked, evidence, server, verify } = yield* against(one.script, one.because === "lost" ? impatient : {})
      const began = Date.now()
      const { isCatchAllDomain, status } = yield* verify(TARGET)
      if (one.because === "lost") assert.isBelow(Date.now() - began, 4_000)
      assert.deepStrictEqual([status, evidence[0]?.["because"]], [one.status, one.because])
      assert.strictEqual(isCatchAllDomain, one.because === "takes_every_address")
      assert.strictEqual(asked.length, one.isAskedAgain === true ? 1 : 0)
      for (const facts of evidence) assert.isBelow(JSON.stringify(facts).length, EVIDENCE_CHARS_MAX)
      for (const { command } of server.heard()) assert.notMatch(command, /^(?:DATA|BDAT|AUTH)/i)
    })
  )
})

it.scopedLive("what an answer rests on is kept: who was asked, what, and what it said", () =>
  Effect.gen(function* () {
    const { evidence, server, verify } = yield* against({ rcpt: only(TARGET), features: ["STARTTLS"] })
    yield* verify(TARGET)
    const random = server.heard().findLast(({ command }) => command.startsWith("RCPT"))?.command ?? ""
    assert.match(random, /^RCPT TO:<[a-z]{18}@acme\.test>$/)
    const [talk] = evidence[0]!["asked"] as unknown as [
      { host: string; address: string; tls: boolean; said: ReadonlyArray<unknown> }
    ]
    assert.deepStrictEqual([talk.host, talk.address, talk.tls], ["mx.acme.test", "127.0.0.1", true])
    assert.deepInclude(talk.said, { sent: `RCPT TO:<${TARGET}>`, got: "250 2.1.5 Ok" })
    assert.deepInclude(talk.said, {
      sent: `${random} (made up)`,
      got: `550 5.1.1 ${random.slice(8)}: Recipient address rejected: User unknown`
    })
    assert.isTrue(server.heard().find(({ command }) => command.startsWith("MAIL"))?.hasTls)
  })
)

const zoneRow = (name: string, zones: Readonly<Record<string, MailZone>>, status: EmailStatus, because: string) => ({
  name,
  zones,
  status,
  because
})

describe("of a domain", () => {
  const mx = { a: ["127.0.0.1"] }
  it.scopedLive.each([
    zoneRow("that does not exist", {}, "invalid", "no_such_domain"),
    zoneRow("that takes no mail", { "acme.test": { mx: [[0, ""]] } }, "invalid", "takes_no_mail"),
    zoneRow("of which the name server fails", { "acme.test": { rcode: 2 } }, "unknown", "unresolved"),
    zoneRow("of which the name server says nothing", { "acme.test": { silent: true } }, "unknown", "unresolved"),
    zoneRow("without any host", { "acme.test": {} }, "unknown", "no_mail_host"),
    zoneRow("with an address for a host name", { "acme.test": { mx: [[10, "127.0.0.1"]] } }, "unknown", "no_mail_host"),
    zoneRow("whose host has no address", { "acme.test": { mx: [[10, "mx.acme.test"]] } }, "unknown", "unresolved"),
    zoneRow("of which MX is denied", { "acme.test": { a: ["127.0.0.1"], deniesMx: true } }, "valid", "accepted"),
    zoneRow("that is its own host", { "acme.test": { a: ["127.0.0.1"] } }, "valid", "accepted"),
    zoneRow(
      "whose host is another name of one",
      { "acme.test": { mx: [[10, "mx.acme.test"]] }, "mx.acme.test": { cname: "a.mail.test" }, "a.mail.test": mx },
      "valid",
      "accepted"
    ),
    zoneRow(
      "with a null MX among others",
      {
        "acme.test": {
          mx: [
            [0, ""],
            [10, "mx.acme.test"]
          ]
        },
        "mx.acme.test": mx
      },
      "valid",
      "accepted"
    )
  ])("$name", ({ because, status, zones }) =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only(TARGET) })
      const { evidence, verify } = yield* proberOf(zones, { smtpPort: server.port })
      assert.deepStrictEqual([(yield* verify(TARGET)).status, evidence[0]?.["because"]], [status, because])
    })
  )

  it.scopedLive("whose host leads inside, nothing is asked, by whichever form", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only(TARGET) })
      for (const host of [
        { a: ["127.0.0.1"] },
        { a: ["1.1.1.1", "127.0.0.1"] },
        { a: ["169.254.169.254"] },
        { aaaa: ["0:0:0:0:0:ffff:7f00:1"] }
      ]) {
        const zones = { ...ACME, "mx.acme.test": host }
        const { evidence, verify } = yield* proberOf(zones, { smtpPort: server.port, allowPrivateTargets: false })
        assert.deepStrictEqual([(yield* verify(TARGET)).status, evidence[0]?.["because"]], ["unknown", "not_public"])
      }
      assert.strictEqual(server.connections(), 0)
    })
  )

  it.scopedLive("the next host is asked where the first can't be reached or does not greet", () =>
    Effect.gen(function* () {
      const first = yield* scriptedSmtp(
        { greeting: { do: "last", text: "421 4.3.2 Not now" } },
        { address: "127.0.0.2" }
      )
      const second = yield* scriptedSmtp({ rcpt: only(TARGET) }, { address: "127.0.0.3", port: first.port })
      const zones: Readonly<Record<string, MailZone>> = {
        "acme.test": {
          mx: [
            [30, "c.acme.test"],
            [10, "a.acme.test"],
            [20, "b.acme.test"]
          ]
        },
        "a.acme.test": { a: ["127.0.0.4"] },
        "b.acme.test": { a: ["127.0.0.2"] },
        "c.acme.test": { a: ["127.0.0.3"] }
      }
      const { verify } = yield* proberOf(zones, { smtpPort: first.port })
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.deepStrictEqual([first.connections(), second.connections()], [1, 1])
    })
  )
})

it.scopedLive("an answer that is said three times does not stand for those to the next two commands", () =>
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

it.scopedLive("what is known without asking is not asked: impossible, disposable", () =>
  Effect.gen(function* () {
    const { evidence, names, verify } = yield* proberOf({}, {})
    for (const email of [
      "no-at-sign",
      "two..dots@acme.test",
      `${"x".repeat(65)}@acme.test`,
      "jo@127.0.0.1",
      "jo@acme",
      "jo@mailinator.com",
      "jo@eu.mailinator.com"
    ]) {
      assert.strictEqual((yield* verify(email)).status, "invalid", email)
    }
    assert.strictEqual(names.questions(), 0)
    assert.deepStrictEqual(
      new Set(evidence.map(({ because }) => because)),
      new Set(["impossible_address", "disposable_domain"])
    )
    assert.isFalse(isDisposable("gmail.com"))
    assert.isTrue(isRole("info") && isRole("sales+eu") && !isRole("jo.salesman"))
  })
)

it.scopedLive("the mailbox of a function is risky though it exists, and invalid where it does not", () =>
  Effect.gen(function* () {
    const { verify } = yield* against({ rcpt: only("info@acme.test") })
    assert.strictEqual((yield* verify("info@acme.test")).status, "risky")
    assert.strictEqual((yield* verify("sales@acme.test")).status, "invalid")
  })
)

it.scopedLive("addresses beyond ASCII are asked of servers that know them, and of no other", () =>
  Effect.gen(function* () {
    const email = "zoë@acme.test"
    const knowing = yield* against({ rcpt: only(email), features: ["SMTPUTF8"] })
    assert.strictEqual((yield* knowing.verify(email)).status, "valid")
    const international = yield* proberOf(
      { "xn--bcher-kva.test": { a: ["127.0.0.1"] } },
      { smtpPort: (yield* scriptedSmtp({ rcpt: only("jo@xn--bcher-kva.test") })).port }
    )
    assert.strictEqual((yield* international.verify("Jo@Bücher.test")).status, "valid")
    assert.include(
      knowing.server.heard().map(({ command }) => command),
      "MAIL FROM:<> SMTPUTF8"
    )
    const other = yield* against({ rcpt: only(email) })
    assert.strictEqual((yield* other.verify(email)).status, "unknown")
    assert.notInclude(
      other.server.heard().map(({ command }) => command),
      `RCPT TO:<${email}>`
    )
  })
)

describe("asked again", () => {
  /** Puts every recipient off the first time. */
  const greylist: Script = {
    rcpt: (address, others) => (others.includes(address) ? only(TARGET)(address) : "450 4.7.1 Greylisted")
  }

  it.scopedLive("a greylist is passed with the same recipients, and the next call knows", () =>
    Effect.gen(function* () {
      const { asked, evidence, known, prober, server, verify } = yield* against(greylist)
      assert.strictEqual((yield* verify(TARGET)).status, "unknown")
      const [request] = asked
      assert.deepInclude(request, { source: "prober", subject: TARGET, email: TARGET, afterSeconds: 330 })
      known.set(TARGET, { _tag: "Pending", request: request?.request ?? {} })
      const { length } = server.heard()
      assert.strictEqual((yield* verify(TARGET)).status, "unknown")
      assert.strictEqual(server.heard().length, length)

      const answer = yield* prober.followUp.followUp(request?.request ?? {}, 1)
      if (answer._tag !== "Answer") return assert.fail(answer._tag)
      known.set(TARGET, { _tag: "Answered", answer: answer.answer, answeredAtMillis: 0 })
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.deepInclude(evidence.at(-1), { because: "accepted", answered_at: "1970-01-01T00:00:00.000Z" })
      assert.strictEqual(asked.length, 1)
    })
  )

  it.scopedLive("a server that keeps putting off is given up after some tries", () =>
    Effect.gen(function* () {
      const { prober } = yield* against({ rcpt: "451 4.7.1 Later" })
      const request = { email: TARGET, random: "abcdef" }
      const tags = yield* Effect.forEach([1, 2, 3, 4], (tries) => prober.followUp.followUp(request, tries))
      assert.deepStrictEqual(
        tags.map(({ _tag }) => _tag),
        ["Again", "Again", "Again", "Gone"]
      )
      assert.deepStrictEqual(yield* prober.followUp.followUp({ nothing: true }, 1), { _tag: "Gone" })
    })
  )
})

describe("of many addresses", () => {
  const people = Array.from({ length: 60 }, (_, at) => `jo${at}@acme.test`)
  const half = people.filter((_, at) => at % 2 === 0)

  it.scopedLive("at one domain, few connections ask for all, and one asks for another that does not exist", () =>
    Effect.gen(function* () {
      const { names, server, verify } = yield* against({ rcpt: only(...half) }, { deadlineMillis: 8_000 })
      const checks = yield* Effect.forEach(people, verify, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        checks.map(({ status }) => status),
        people.map((_, at) => (at % 2 === 0 ? "valid" : "invalid"))
      )
      assert.isAtMost(server.most(), 2)
      // Each connection is good for 20 addresses, or 8 refusals.
      assert.isAtMost(server.connections(), 7)
      const strangers = server.heard().filter(({ command }) => /RCPT TO:<[a-z]{18}@/.test(command))
      assert.isAtMost(strangers.length, 2)
      assert.isAtMost(names.questions(), 3)
    })
  )

  it.scopedLive("at a domain that takes every address, the first are asked for and the rest not", () =>
    Effect.gen(function* () {
      const { server, verify } = yield* against({})
      yield* verify(TARGET)
      for (const email of people) assert.isTrue((yield* verify(email)).isCatchAllDomain)
      assert.strictEqual(server.heard().filter(({ command }) => command.startsWith("RCPT")).length, 2)
    })
  )

  it.scopedLive("at a host that minds a second connection, one is enough", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({
        rcpt: only(...half),
        greeting: (open) => (open > 1 ? { do: "last", text: "421 4.7.0 Too many connections" } : "220 mail.test")
      })
      const { verify } = yield* proberOf(ACME, {
        smtpPort: server.port,
        probesPerConnection: 500,
        deadlineMillis: 8_000
      })
      const checks = yield* Effect.forEach(people, verify, { concurrency: "unbounded" })
      assert.isTrue(checks.every(({ status }) => status === "valid" || status === "invalid"))
      assert.isAtMost(server.connections(), 8)
    })
  )

  it.scopedLive("at a host that drops, it is left alone after two", () =>
    Effect.gen(function* () {
      const { evidence, server, verify } = yield* against({ greeting: { do: "drop" } })
      for (const email of people) assert.strictEqual((yield* verify(email)).status, "unknown")
      assert.strictEqual(server.connections(), 2)
      assert.include(JSON.stringify(evidence.at(-1)), "lost")
    })
  )

  it.scopedLive("at many domains, connections are bounded in all", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only() })
      const names = Array.from({ length: 12 }, (_, at) => `d${at}.test`)
      const zones = Object.fromEntries(names.map((name) => [name, { a: ["127.0.0.1"] }]))
      const { verify } = yield* proberOf(zones, { smtpPort: server.port, connectionsMax: 3 })
      const checks = yield* Effect.forEach(names, (name) => verify(`jo@${name}`), { concurrency: "unbounded" })
      assert.isTrue(checks.every(({ status }) => status === "invalid"))
      assert.isAtMost(server.most(), 4)
    })
  )

  it.scopedLive("there is a pace", () =>
    Effect.gen(function* () {
      const { verify } = yield* against({ rcpt: only() }, { hostPaceMillis: 60 })
      const began = Date.now()
      yield* Effect.forEach(people.slice(0, 6), verify, { concurrency: "unbounded" })
      assert.isAtLeast(Date.now() - began, 290)
    })
  )
})

it.scopedLive(
  "a kept connection that ended unnoticed is made anew, and one that is not used is closed with a word",
  () =>
    Effect.gen(function* () {
      const { server, verify } = yield* against({
        rcpt: only(TARGET),
        mail: (earlier) => (earlier < 2 ? "250 2.1.0 Ok" : { do: "drop" })
      })
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.strictEqual(server.connections(), 2)
      const polite = yield* against({ rcpt: only(TARGET) }, { idleMillis: 20 })
      yield* polite.verify(TARGET)
      yield* Effect.iterate(0, {
        while: () => polite.server.open() > 0,
        body: (turns) =>
          Effect.as(
            Effect.promise(() => new Promise(setImmediate)),
            turns + 1
          )
      })
      assert.strictEqual(polite.server.heard().at(-1)?.command, "QUIT")
    })
)

it.scopedLive("who stops waiting leaves no connection behind", () =>
  Effect.gen(function* () {
    const { server, verify } = yield* against(
      { rcpt: { do: "stall" } },
      { commandMillis: 5_000, deadlineMillis: 5_000 }
    )
    const asking = yield* Effect.fork(verify(TARGET))
    const turn = Effect.promise(() => new Promise(setImmediate))
    const until = (isSo: () => boolean): Effect.Effect<void> =>
      Effect.suspend(() => (isSo() ? Effect.void : Effect.zipRight(turn, until(isSo))))
    yield* until(() => server.heard().some(({ command }) => command.startsWith("RCPT")))
    yield* Fiber.interrupt(asking)
    yield* until(() => server.open() === 0)
  })
)

it.scopedLive("a service that can't ask at all says so, rather than that nothing is known", () =>
  Effect.gen(function* () {
    const deaf = yield* proberOf({}, { resolvers: ["127.0.0.1:9"] })
    assert.strictEqual((yield* Effect.flip(deaf.verify(TARGET))).reason, "transient")

    const unwanted = yield* proberOf({ "acme.test": { rcode: 5 } }, {})
    assert.strictEqual((yield* Effect.flip(unwanted.verify(TARGET))).reason, "transient")

    const server = yield* scriptedSmtp({}, { address: "127.0.0.2" })
    const names = Array.from({ length: 7 }, (_, at) => `d${at}.test`)
    const zones = Object.fromEntries(names.map((name) => [name, { a: ["127.0.0.5"] }]))
    const { verify } = yield* proberOf(zones, { smtpPort: server.port })
    const ends = yield* Effect.forEach(names, (name) => Effect.either(verify(`jo@${name}`)))
    assert.deepStrictEqual(
      ends.map(({ _tag }) => _tag),
      ["Right", "Right", "Right", "Right", "Right", "Left", "Left"]
    )
  })
)

it("settings that could not be used are refused when they are read", () => {
  const read = Schema.decodeUnknownEither(ProberSettings)
  for (const settings of [
    { resolvers: ["ns.acme.test"] },
    { resolvers: ["192.0.2.1:99999"] },
    { source_address: "192.0.2.999" },
    { mail_from: "jo@acme.test>\r\nDATA" },
    { helo_name: "two words" },
    { deadline_millis: 20_000 },
    { check_host: "" }
  ]) {
    assert.isTrue(Either.isLeft(read(settings)), JSON.stringify(settings))
  }
  const settings = { resolvers: ["192.0.2.1", "192.0.2.1:5353", "[2001:db8::1]:53"], source_address: "2001:db8::2" }
  assert.isTrue(Either.isRight(read({ ...settings, mail_from: "verify@acme.test", helo_name: "[192.0.2.1]" })))
})

describe("the check", () => {
  const HELO: Readonly<Record<string, MailZone>> = {
    "probe.outbound.test": { a: ["127.0.0.1"] },
    "1.0.0.127.in-addr.arpa": { ptr: "probe.outbound.test" }
  }
  const states = (findings: ReadonlyArray<{ readonly what: string; readonly state: string }>) =>
    Object.fromEntries(findings.map(({ state, what }) => [what, state]))

  it.scopedLive("says that all is well, what is not tested, and what is blocked", () =>
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

describe("a refusal", () => {
  const read = (text: string): Reading => {
    const { replies } = new ReplyReader().push(Buffer.from(`${text.replaceAll("\n", "\r\n")}\r\n`))
    return readingOf(replies[0]!)
  }

  it("is proof where it speaks of the mailbox", () => {
    for (const text of [
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking the recipient's email address for typos or unnecessary spaces.",
      "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
      "550 5.4.1 Recipient address rejected: Access denied. [DB5EUR03FT012.eop-EUR03.prod.protection.outlook.com]",
      "550 5.1.1 <sender-relay@blocked.test>: Recipient address rejected: User unknown in virtual mailbox table",
      "550 No such user here",
      "550 sorry, no mailbox here by that name (#5.1.1)",
      "554 delivery error: dd This user doesn't have an acme.test account (jo@acme.test) [0]",
      "550 <jo@acme.test>: unknown user",
      "550 Invalid recipient <jo@acme.test> (#5.1.1)",
      "550 5.2.1 The email account that you tried to reach is disabled.",
      "550 Unrouteable address"
    ]) {
      assert.strictEqual(read(text), "no_mailbox", text)
    }
  })

  it("is none where it speaks of us, or of nothing", () => {
    for (const text of [
      "550 5.7.1 Recipient unknown",
      "550 5.7.606 Access denied, banned sending IP [192.0.2.1]",
      "550 5.1.1 unknown user, or your IP is on our blacklist",
      "554 5.7.1 <jo@acme.test>: Relay access denied",
      "550 5.1.8 Sender address rejected: Domain not found",
      "550 Sender verify failed: no such user",
      "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      "550 Mailbox unavailable",
      "554 Transaction failed",
      "501 5.1.3 Bad recipient address syntax",
      "503 5.5.1 Bad sequence: no such user",
      "252 no such user",
      "354 Go on"
    ]) {
      assert.notInclude(["accepted", "no_mailbox", "full"], read(text), text)
    }
  })
})

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
