import { makeProber } from "@outbound/adapters/providers/prober/Prober.js"
import { proberDefaults } from "@outbound/adapters/providers/open/ProberSettings.js"
import { assert, it } from "@effect/vitest"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { mailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { peopleOf, salesUsers } from "../support/OwnMail.js"

const PEOPLE = peopleOf("person", 30)
const NOBODY = peopleOf("nobody", 30)

it.live("Postfix says who has a mailbox, who has none, and where everybody has one; over TLS, and gets no mail", () =>
  Effect.gen(function* () {
    const bed = yield* mailBed({ users: salesUsers(1), recipients: [...PEOPLE, "@open.test"] })
    const zones = Object.fromEntries(["people.test", "open.test"].map((name) => [name, { a: ["127.0.0.1"] }]))
    const names = yield* mailNameServer(zones)
    const { check, verifier } = yield* makeProber({
      ...proberDefaults(),
      resolvers: [names.address],
      heloName: "probe.outbound.test",
      smtpPort: bed.ports.strict,
      allowPrivateTargets: true,
      hostPaceMillis: 0,
      checkDomain: "people.test"
    })
    const evidence: Array<string> = []
    const reach = {
      ...noAccess,
      evidence: (_: string, facts: object) => Effect.sync(() => void evidence.push(JSON.stringify(facts)))
    }
    const statuses = (emails: ReadonlyArray<string>) =>
      Effect.forEach(emails, (email) => verifier.verify(email), { concurrency: 10 }).pipe(
        Effect.map((checks) => [...new Set(checks.map(({ status }) => status))]),
        Effect.provideService(CurrentSourceAccess, reach)
      )
    assert.deepStrictEqual(yield* statuses(PEOPLE), ["valid"])
    assert.deepStrictEqual(yield* statuses(NOBODY), ["invalid"])
    assert.deepStrictEqual(yield* statuses(peopleOf("anybody", 3).map((email) => email.replace("people", "open"))), [
      "catch_all_unknown"
    ])
    for (const facts of evidence.slice(0, 60)) assert.include(facts, `"tls":true`)
    for (const person of PEOPLE) assert.deepStrictEqual(bed.inbox(person), [])
    assert.include(
      (yield* check).map(({ state, what }) => `${what} ${state}`),
      "smtp_port works"
    )
  })
)
