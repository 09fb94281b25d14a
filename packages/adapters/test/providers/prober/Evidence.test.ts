import { assert, it } from "@effect/vitest"
import { CallNotes } from "@outbound/domain/sources/CallNotes.js"
import { Effect } from "effect"
import { against, only, TARGET } from "./support.js"

it.live("what an answer rests on is kept: who was asked, what, and what it said", () =>
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
      got: "550 5.1.1 [address]: Recipient address rejected: User unknown"
    })
    assert.isTrue(server.heard().find(({ command }) => command.startsWith("MAIL"))?.hasTls)
  })
)

it.live("nothing that a server says of somebody is kept, however it names them", () =>
  Effect.gen(function* () {
    const email = "ada.k.lovelace+list@acme.test"
    const texts = [
      "550 5.1.1 Ada.K.Lovelace+list: no such user here",
      "550 5.1.1 ada.k.lovelace has no mailbox (#5.1.1)",
      "550 5.1.1 The account of Ada Lovelace (LOVELACE) is unknown",
      "550 5.1.1 user_lovelace9 unknown, <Ada.K.Lovelace+list@ACME.test> too",
      `550 5.1.1 ${"so it is, ".repeat(13)}ada.k.lovelace+list@acme.test`
    ]
    for (const text of texts) {
      const { evidence, verify } = yield* against({ rcpt: text })
      yield* verify(email)
      const notes = new CallNotes()
      for (const facts of evidence) notes.witness("prober", facts)
      const kept = notes.kept()?.evidence ?? ""
      assert.include(kept, "550 5.1.1", text)
      assert.notMatch(kept, /lovelace|\bada\b/i, text)
    }
  })
)

it.live("a server's own words stay readable beside a short name", () =>
  Effect.gen(function* () {
    const { evidence, verify } = yield* against({ rcpt: "550 5.1.1 Jo is unknown here: no John, no Jo" })
    yield* verify(TARGET)
    assert.include(JSON.stringify(evidence), "550 5.1.1 [mailbox] is unknown here: no John, no [mailbox]")
  })
)
