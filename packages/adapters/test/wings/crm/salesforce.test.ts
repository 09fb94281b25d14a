import { assert, describe, it } from "@effect/vitest"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { queryOf } from "@outbound/testkit/wings/crm/vendors/soqlTables.js"
import { quoted } from "../../../src/wings/crm/salesforce/soql.js"
import { HOSTS } from "../../../src/wings/crm/salesforce/sessions.js"
import { servedSalesforce } from "./served.js"

const ALL = { cursor: null, sinceMillis: null }

const saidOf = (step: Effect.Effect<unknown, ProviderFailure>) =>
  Effect.map(Effect.flip(step), ({ reason, retryAfterSeconds }) => [reason, retryAfterSeconds])

const error = (status: number, errorCode: string, message = "") => ({ status, json: [{ errorCode, message }] })

const note = { marker: "outbound-1", text: "They replied.\nReference: outbound-1", atMillis: 0, ownerRef: null }

describe("Salesforce", () => {
  it.effect("a token is asked for once, and once more when it is refused, for what has an effect too", () =>
    Effect.gen(function* () {
      const { crm, open, there, world } = yield* servedSalesforce
      const ann = world.person(["ann@buyer.test"])
      yield* crm.owners
      yield* crm.page(ALL)
      assert.strictEqual(there.granted(), 1)
      there.expire()
      yield* crm.write(ann.id, note)
      assert.deepStrictEqual([there.granted(), world.notes.length], [2, 1])
      // The account is opened anew for each turn, and its token is remembered.
      yield* open(SECRET).owners
      assert.strictEqual(there.granted(), 2)
    }).pipe(Effect.orDie)
  )

  it.effect("a session that is refused again and again ends, and asks for one token more each time", () =>
    Effect.gen(function* () {
      const { crm, served, there } = yield* servedSalesforce
      const refusal = error(401, "INVALID_SESSION_ID")
      there.instead("/query", refusal, refusal, refusal)
      assert.deepStrictEqual(yield* saidOf(crm.owners), ["account", undefined])
      assert.strictEqual(there.granted(), 1)
      assert.deepStrictEqual(yield* saidOf(crm.owners), ["account", undefined])
      assert.strictEqual(there.granted(), 2)
      assert.lengthOf(
        served.received.filter(({ path }) => path.endsWith("/query")),
        2
      )
      yield* Effect.flip(crm.owners)
      yield* crm.owners
    }).pipe(Effect.orDie)
  )

  it.effect("its own codes say what to do", () =>
    Effect.gen(function* () {
      const { crm, there } = yield* servedSalesforce
      for (const [answer, said] of [
        [error(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."), ["rate_limited", 3_600]],
        [error(403, "REQUEST_LIMIT_EXCEEDED", "ConcurrentRequests Limit exceeded."), ["rate_limited", 60]],
        [error(400, "INVALID_FIELD", "No such column 'Email'"), ["account", undefined]],
        [error(403, "API_DISABLED_FOR_ORG"), ["account", undefined]],
        [error(400, "MALFORMED_QUERY"), ["invalid", undefined]],
        [error(400, "UNABLE_TO_LOCK_ROW"), ["transient", undefined]],
        [error(503, "SERVER_UNAVAILABLE"), ["transient", undefined]],
        [{ text: "<html>Down for maintenance</html>" }, ["transient", undefined]],
        [{ json: { records: [], done: false } }, ["transient", undefined]],
        [{ json: { records: [], done: false, nextRecordsUrl: "/services/apexrest/pay" } }, ["transient", undefined]]
      ] as const) {
        there.instead("/query", answer)
        assert.deepStrictEqual(yield* saidOf(crm.owners), [...said], JSON.stringify(answer))
      }
    }).pipe(Effect.orDie)
  )

  it.effect("leads who opted out are named, and a user who may not see them is for its owner to mend", () =>
    Effect.gen(function* () {
      const { crm, there, world } = yield* servedSalesforce
      const ref = yield* crm.create(
        { email: "lea@many.test", firstName: null, lastName: null, companyName: null },
        null
      )
      world.change(world.persons[0]!, { mail: "opted_out" })
      const { records } = yield* crm.page({ cursor: "leads:", sinceMillis: null })
      assert.deepStrictEqual(
        records.map((record) => [record.ref, record.fields]),
        [[`lead:${ref}`, [["HasOptedOutOfEmail", "true"]]]]
      )
      there.hidden.add("HasOptedOutOfEmail")
      assert.deepStrictEqual(yield* saidOf(crm.page({ cursor: "leads:", sinceMillis: null })), ["account", undefined])
    }).pipe(Effect.orDie)
  )

  it.effect("a refusal that only the owner can mend names Salesforce's code, and no secret", () =>
    Effect.gen(function* () {
      const { crm, open, refused, there } = yield* servedSalesforce
      assert.strictEqual((yield* Effect.flip(refused.owners)).reason, "account")
      // A secret that looks like words, in every member of a refusal.
      const words = "correct-horse-battery"
      there.instead("/token", { status: 400, json: { error: words, error_description: words, message: words } })
      const failure = yield* Effect.flip(open(words).owners)
      assert.strictEqual(failure.reason, "account")
      assert.notInclude(`${String(failure.cause)} ${JSON.stringify(failure)}`, words)
      for (const [answer, reason] of [
        [{ status: 503 }, "transient"],
        [{ json: { token_type: "Bearer" } }, "transient"],
        [{ json: { access_token: "with\nlines" } }, "transient"]
      ] as const) {
        there.instead("/token", answer)
        assert.strictEqual((yield* Effect.flip(crm.owners)).reason, reason)
      }
    }).pipe(Effect.orDie)
  )

  it.effect("a token goes to no server but the vendor's own", () =>
    Effect.gen(function* () {
      const { crm, served, there } = yield* servedSalesforce
      for (const elsewhere of ["https://my.salesforce.com.attacker.test", "http://x.my.salesforce.com", "garbage"]) {
        there.instance = elsewhere
        assert.deepStrictEqual(yield* saidOf(crm.owners), ["transient", undefined])
      }
      assert.isTrue(served.received.every(({ path }) => path === "/services/oauth2/token"))
      there.instance = served.url
      yield* crm.owners
      for (const host of ["acme.my.salesforce.com", "acme--uat.sandbox.my.salesforce.com"]) {
        assert.match(host, HOSTS.pattern)
      }
      for (const host of [
        "my.salesforce.com",
        "acme.my.salesforce.com.test",
        "acme.salesforce.com",
        "x@.my.salesforce.com"
      ]) {
        assert.notMatch(host, HOSTS.pattern)
      }
    }).pipe(Effect.orDie)
  )

  it.effect("nothing is read while the day's requests are nearly used up, and replies are still written", () =>
    Effect.gen(function* () {
      const { crm, there, world } = yield* servedSalesforce
      const ann = world.person(["ann@buyer.test"])
      there.daily.Remaining = 749
      assert.deepStrictEqual(yield* saidOf(crm.page(ALL)), ["rate_limited", 3_600])
      yield* crm.write(ann.id, note)
      there.daily.Remaining = 750
      yield* crm.page(ALL)
    }).pipe(Effect.orDie)
  )

  it.effect("a page that is cut into parts is whole, and one that is cut in the middle is read again", () =>
    Effect.gen(function* () {
      const { crm, served, there, world } = yield* servedSalesforce
      for (let one = 0; one < 7; one += 1) world.person([`p${one}@many.test`], { ownerId: "7" })
      there.partSize = 2
      const whole = yield* crm.page(ALL)
      assert.lengthOf(whole.records, 7)
      const parts = served.received.map(({ path }) => path).filter((path) => path.includes("/query/"))
      assert.lengthOf(parts, 3)
      served.fate("GET", "-4", "half answered")
      assert.deepStrictEqual(yield* saidOf(crm.page(ALL)), ["transient", undefined])
      assert.deepStrictEqual(yield* crm.page(ALL), whole)
    }).pipe(Effect.orDie)
  )

  it.effect(
    "a deal keeps out its account's people, and a customer's contacts are told when their account changes",
    () =>
      Effect.gen(function* () {
        const { crm, world } = yield* servedSalesforce
        world.nowMillis = 1_800_000_000_000
        const company = world.company("")
        world.person(["ann@gmail.com"], { companyId: company.id })
        world.deal("open", [], [company])
        const deals = yield* crm.page({ cursor: "opportunities:", sinceMillis: null })
        assert.deepInclude(deals.records[0], { emails: ["ann@gmail.com"], hasOpenDeal: true, isCustomer: false })
        world.nowMillis += 3_600_000
        world.change(company, { isCustomer: true })
        const { records } = yield* crm.page({ cursor: null, sinceMillis: world.nowMillis - 60_000 })
        assert.deepStrictEqual(
          records.map(({ emails, isCustomer }) => [emails, isCustomer]),
          [[["ann@gmail.com"], true]]
        )
      }).pipe(Effect.orDie)
  )

  it.effect("a lead of a queue is nobody's, and a new one has all that is required", () =>
    Effect.gen(function* () {
      const { crm, world } = yield* servedSalesforce
      const nameless = { email: "info@buyer.test", firstName: null, lastName: null, companyName: null }
      const ref = yield* crm.create(nameless, "00Gqueue")
      assert.strictEqual(Option.getOrNull(yield* crm.find(nameless.email)), ref)
      assert.strictEqual(world.personWith(nameless.email)?.name, "info")
      const { records } = yield* crm.page({ cursor: "leads:", sinceMillis: null })
      assert.deepStrictEqual(
        records.map(({ emails, ownerRef }) => [emails, ownerRef]),
        [[["info@buyer.test"], null]]
      )
    }).pipe(Effect.orDie)
  )

  it("an address in a query is one text, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", "\\", "a", " OR ", "@", ")", "\n"), maxLength: 20 }),
        (email) => {
          const query = queryOf(`SELECT Id FROM Contact WHERE Email = ${quoted(email)} ORDER BY Id LIMIT 1`, false)
          assert.isNotNull(query)
          assert.isTrue(query?.where({ Email: email.replaceAll("\n", " ") }))
          assert.isFalse(query?.where({ Email: `${email}x` }))
        }
      )
    )
  })
})
