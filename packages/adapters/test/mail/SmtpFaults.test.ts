import { assert, describe, it } from "@effect/vitest"
import { smtpAnswerOf } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { faultySmtp, type SmtpFault, type SmtpMoment } from "@outbound/testkit/mail/FaultySmtp.js"
import { Effect, Result } from "effect"
import { countedClaim, inSession, makeAccount, makeMail } from "./support.js"

const says = (at: SmtpMoment, lines: string, after?: "drop"): SmtpFault => ({
  at,
  do: "answer",
  lines,
  ...(after === undefined ? {} : { after })
})

interface Case {
  readonly name: string
  readonly fault: SmtpFault
  readonly reason: ProviderFailureReason
  /** Whether the claim was spent. */
  readonly isClaimed: boolean
  /** How many copies such a server may deliver. */
  readonly copies: 0 | 1
}

const before = (name: string, fault: SmtpFault, reason: ProviderFailureReason): Case => ({
  name,
  fault,
  reason,
  isClaimed: false,
  copies: 0
})

/** The server answered for the content: what it refused did not happen, whatever else it did. */
const refused = (name: string, fault: SmtpFault, reason: ProviderFailureReason): Case => ({
  name,
  fault,
  reason,
  isClaimed: true,
  copies: 1
})

const lost = (name: string, fault: SmtpFault, copies: 0 | 1): Case => ({
  name,
  fault,
  reason: "unknown_outcome",
  isClaimed: true,
  copies
})

const CASES: ReadonlyArray<Case> = [
  before("no service in the greeting", says("greeting", "554 5.7.1 Not you", "drop"), "account"),
  before("421 in the greeting", says("greeting", "421 4.3.2 Too busy", "drop"), "transient"),
  before("garbage for a greeting", says("greeting", "HTTP/1.1 400 Bad Request", "drop"), "transient"),
  before("the login put off", says("auth", "454 4.7.0 Try later"), "rate_limited"),
  before("the login refused", says("auth", "535 5.7.8 Wrong"), "account"),
  before("the login refused without a status", says("auth", "534 Use an app password"), "account"),
  before("the sender refused", says("mail", "550 5.7.60 Not your address"), "account"),
  before("the sender refused without a status", says("mail", "553 Not your address"), "account"),
  before("the sender put off", says("mail", "451 4.3.0 Later"), "transient"),
  before("the message too large", says("mail", "552 5.3.4 Too large"), "invalid"),
  before("no such recipient", says("rcpt", "550 5.1.1 No such person"), "invalid"),
  before("no such recipient, without a status", says("rcpt", "550 No such person"), "invalid"),
  before("the recipient put off", says("rcpt", "451 4.2.1 Greylisted"), "transient"),
  before("the recipient put off for policy", says("rcpt", "450 4.7.1 Slower, please"), "rate_limited"),
  before("enough for today", says("rcpt", "550 5.4.5 Daily sending quota exceeded"), "rate_limited"),
  before("nothing more from this mailbox", says("rcpt", "550 5.7.1 Relaying denied"), "account"),
  before("421 at the recipient", says("rcpt", "421 4.3.2 Going down", "drop"), "transient"),
  before("garbage at the recipient", says("rcpt", "what?"), "transient"),
  before("the content not wanted", says("data", "554 5.5.1 No valid recipients"), "invalid"),
  before("the content put off", says("data", "451 4.3.0 Later"), "transient"),
  before("a confused server", says("data", "503 5.5.1 Bad sequence"), "transient"),
  ...(["greeting", "ehlo", "auth", "mail", "rcpt", "data"] as const).flatMap((at) => [
    before(`dropped at ${at}`, { at, do: "drop" }, "transient"),
    before(`stalled at ${at}`, { at, do: "stall" }, "transient"),
    before(`an endless answer at ${at}`, { at, do: "trickle" }, "transient")
  ]),
  refused("421 to the content", says("end", "421 4.3.2 Going down", "drop"), "transient"),
  refused("451 to the content", says("end", "451 4.3.0 Not stored"), "transient"),
  refused("550 to the content", says("end", "550 5.6.0 Not like this"), "invalid"),
  refused("552 to the content", says("end", "552 5.2.2 Full"), "invalid"),
  refused("554 for policy to the content", says("end", "554 5.7.1 Spam"), "account"),
  lost("dropped in the content", { at: "content", do: "drop" }, 0),
  lost("stalled in the content", { at: "content", do: "stall" }, 0),
  lost("dropped when the content was complete, without an answer", { at: "end", do: "drop" }, 1),
  lost("stalled when the content was complete", { at: "end", do: "stall" }, 1),
  lost("an endless answer to the content", { at: "end", do: "trickle" }, 1),
  lost("garbage for an answer to the content", says("end", "thanks"), 1),
  lost("an answer that is none to the content", says("end", "354 Go on"), 1),
  lost("half an answer to the content", says("end", "2", "drop"), 1)
]

const holds = ({ copies, fault, isClaimed, name, reason }: Case, features: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* faultySmtp({ fault, features })
    const { asked, claim } = countedClaim(true)
    const outcome = yield* Effect.result(
      inSession(makeAccount(server.port), (session) => session.send(makeMail(), claim))
    )
    if (Result.isSuccess(outcome)) return assert.fail(`${name}: it was ${outcome.success}`)
    assert.strictEqual(outcome.failure.reason, reason, name)
    assert.strictEqual(asked.times, isClaimed ? 1 : 0, name)
    assert.strictEqual(server.messages().length, copies, name)
    const code = /^[45]\d\d/.exec(fault.do === "answer" ? fault.lines : "")?.[0]
    if (code !== undefined) assert.strictEqual(smtpAnswerOf(outcome.failure)?.code, Number(code), name)
  })

const isSilence = ({ fault }: Case): boolean => fault.do === "stall" || fault.do === "trickle"

describe("whatever goes wrong, the outcome is said and no second copy is sent", () => {
  for (const features of [[], ["PIPELINING"]]) {
    const how = features.length === 0 ? "" : " (pipelined)"
    for (const one of CASES.filter((each) => !isSilence(each))) {
      it.live(`${one.name}${how}: ${one.reason}`, () => holds(one, features))
    }
    it.live(`silence at any point ends after its time${how}`, () =>
      Effect.forEach(CASES.filter(isSilence), (one) => holds(one, features), {
        concurrency: "unbounded",
        discard: true
      })
    )
  }

  it.live("a mailbox that has sent enough for the day is left alone for hours", () =>
    Effect.gen(function* () {
      const server = yield* faultySmtp({ fault: says("rcpt", "550 5.4.5 Daily sending quota exceeded") })
      const failure = yield* Effect.flip(
        inSession(makeAccount(server.port), (session) => session.send(makeMail(), Effect.succeed(true)))
      )
      assert.strictEqual(failure.retryAfterSeconds, 3 * 3_600)
    })
  )

  it.live("a server that refuses STARTTLS is told no secret", () =>
    Effect.gen(function* () {
      for (const features of [[], ["STARTTLS"]]) {
        const server = yield* faultySmtp({ fault: says("starttls", "502 5.5.1 Not here"), features })
        const failure = yield* Effect.flip(
          inSession(makeAccount(server.port, { security: "starttls" }), (session) =>
            session.send(makeMail(), Effect.succeed(true))
          )
        )
        assert.strictEqual(failure.reason, "account")
        assert.strictEqual(smtpAnswerOf(failure)?.phase, "tls")
        assert.deepStrictEqual(
          server.commands().map((line) => line.split(" ")[0]),
          ["EHLO", "STARTTLS"]
        )
      }
    })
  )

  it.live("what is lost while the claim is asked has not begun: it is not unknown", () =>
    Effect.gen(function* () {
      const server = yield* faultySmtp({ fault: null })
      const failure = yield* Effect.flip(
        inSession(makeAccount(server.port), (session) =>
          session.send(
            makeMail(),
            Effect.andThen(
              Effect.callback<void>((resume) => {
                server.hangUp(() => resume(Effect.void))
              }),
              Effect.as(Effect.sleep("50 millis"), true)
            )
          )
        )
      )
      assert.strictEqual(failure.reason, "transient")
      assert.isEmpty(server.messages())
    })
  )

  it.live("after each of them the session goes on with the next message", () =>
    Effect.gen(function* () {
      for (const fault of [
        says("rcpt", "550 5.1.1 No such person"),
        says("end", "451 4.3.0 Not stored"),
        { at: "end", do: "drop" } as const
      ]) {
        const server = yield* faultySmtp({ fault, connections: 1 })
        const next = makeMail()
        yield* inSession(makeAccount(server.port), (session) =>
          Effect.gen(function* () {
            yield* Effect.flip(session.send(makeMail(), Effect.succeed(true)))
            assert.strictEqual(yield* session.send(next, Effect.succeed(true)), "sent")
          })
        )
        assert.include(server.messages().at(-1), next.messageId)
      }
    })
  )
})
