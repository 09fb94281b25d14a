import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { makeCrm } from "../../../src/wings/crm/CrmHttp.js"
import { twenty } from "../../../src/wings/crm/twenty/Twenty.js"
import { servedCrm, servedTwenty } from "./served.js"

const note = (text: string) => ({ marker: "outbound-1", text, atMillis: 0, ownerRef: null })

describe("Twenty", () => {
  for (const isOlder of [false, true]) {
    it.effect(
      `a note that was cut off from its person is linked, and there once (${isOlder ? "older" : "newer"})`,
      () =>
        Effect.gen(function* () {
          const { crm, served, there, world } = yield* servedTwenty
          there.isOlder = isOlder
          for (const [index, [path, fate]] of (
            [
              ["/rest/notes", "cut after"],
              ["/rest/notes", "half answered"],
              ["/rest/notes", "cut before"],
              ["/rest/noteTargets", "cut after"],
              ["/rest/noteTargets", "cut before"],
              ["/rest/noteTargets", { status: 503 }]
            ] as const
          ).entries()) {
            const person = world.person([`p${index}@buyer.test`])
            const marked = { ...note("Hello"), marker: `outbound-${index}` }
            served.fate("POST", path, fate)
            assert.strictEqual((yield* Effect.flip(crm.write(person.id, marked))).reason, "unknown_outcome")
            assert.strictEqual(yield* crm.holds(person.id, marked.marker), world.notes.length > index)
            yield* crm.write(person.id, marked)
            // By another host too, which did not hear of it.
            yield* crm.write(person.id, marked)
            assert.isTrue(yield* crm.holds(person.id, marked.marker))
            assert.deepStrictEqual([there.notes.size, world.notes.length], [index + 1, index + 1])
          }
        }).pipe(Effect.orDie)
    )
  }

  it.effect("a reply shows as it was written: nothing of it comes alive in the CRM", () =>
    Effect.gen(function* () {
      const { crm, there, world } = yield* servedTwenty
      const ann = world.person(["ann@buyer.test"])
      const text = "They replied.\n\n![x](https://attacker.test/p.png) <img src=x> [a](b) `c` # d\r\n1. two_words"
      yield* crm.write(ann.id, note(text))
      const [kept] = [...there.notes.values()]
      assert.strictEqual(kept?.title, "They replied.")
      // Without its escapes it is the text, and no sign is left that is not escaped.
      assert.strictEqual(kept?.markdown.replaceAll(/\\(.)/g, "$1"), text.split(/\s*\n\s*/).join("\n\n"))
      assert.notMatch(kept?.markdown.replaceAll(/\\./g, "") ?? "", /[![\]()<>`#_*]/)
    }).pipe(Effect.orDie)
  )

  it.effect("finds people by their whole address, though it looks for a pattern", () =>
    Effect.gen(function* () {
      const { crm, world } = yield* servedTwenty
      world.person(["aXb@buyer.test"])
      assert.isTrue(Option.isNone(yield* crm.find("a_b@buyer.test")))
      const person = world.person(["A_b@buyer.test"])
      assert.strictEqual(Option.getOrNull(yield* crm.find("a_b@buyer.test")), person.id)
    }).pipe(Effect.orDie)
  )

  it.effect("a person whom somebody else added in the meantime is found, not added twice", () =>
    Effect.gen(function* () {
      const { crm, world } = yield* servedTwenty
      const ann = world.person(["ann@buyer.test"])
      const person = { email: "ann@buyer.test", firstName: "Ann", lastName: null, companyName: null }
      assert.strictEqual(yield* crm.create(person, null), ann.id)
      assert.lengthOf(world.persons, 1)
    }).pipe(Effect.orDie)
  )

  it.effect("a deal of a company without a domain keeps out its people; a company's owner owns them", () =>
    Effect.gen(function* () {
      const { crm, world } = yield* servedTwenty
      const [nameless, named] = [world.company("", { ownerId: "7" }), world.company("named.test")]
      for (let one = 0; one < 5; one += 1) world.person([`p${one}@gmail.com`], { companyId: nameless.id })
      world.person(["q@gmail.com"], { companyId: named.id })
      world.deal("open", [], [nameless])
      world.deal("won", [], [named])
      const { records } = yield* crm.page({ cursor: null, sinceMillis: null })
      assert.deepStrictEqual(
        records.map(({ domains, emails, hasOpenDeal, isCustomer }) => [
          emails.length,
          domains,
          hasOpenDeal,
          isCustomer
        ]),
        [
          [5, [], true, false],
          [0, ["named.test"], false, true]
        ]
      )
      const people = yield* crm.page({ cursor: "people:", sinceMillis: null })
      assert.deepStrictEqual(
        people.records.map(({ ownerRef }) => ownerRef),
        ["7", "7", "7"]
      )
    }).pipe(Effect.orDie)
  )

  it.effect("an answer that is no list of what was asked for is no empty list", () =>
    Effect.gen(function* () {
      for (const answer of [{ json: { data: {} } }, { json: {} }, { text: "<html>Welcome</html>" }] as const) {
        const { crm } = yield* servedCrm(twenty, () => answer)
        const failure = yield* Effect.flip(crm.page({ cursor: null, sinceMillis: null }))
        assert.strictEqual(failure.reason, "transient", JSON.stringify(answer))
      }
    }).pipe(Effect.orDie)
  )
})

describe("an account's own address", () => {
  const access = (address: string) => ({ address, clientId: null, secret: Redacted.make("a-key-of-twenty") })
  const asked: Array<string> = []
  const resolved = (address: string) => (hostname: string) => {
    asked.push(hostname)
    return Promise.resolve([{ address, family: 4 }])
  }

  it.effect("is connected to only where it is public, whatever its name resolves to", () =>
    Effect.gen(function* () {
      for (const address of ["127.0.0.1", "10.0.0.7", "169.254.169.254", "100.100.100.200", "192.168.1.1"]) {
        const open = yield* makeCrm(twenty, { isAtHome: false, resolve: resolved(address) })
        const crm = open(access("https://crm.example.com"))
        const failure = yield* Effect.flip(crm!.owners)
        assert.deepInclude(failure, { reason: "transient", cause: "no public address" }, address)
      }
      assert.deepStrictEqual(new Set(asked), new Set(["crm.example.com"]))
      const open = yield* makeCrm(twenty, { isAtHome: false, resolve: resolved("127.0.0.1") })
      // Not looked up at all: an address as written, without TLS, or this machine's name.
      const before = asked.length
      for (const url of [
        "https://127.0.0.1:8443",
        "http://crm.example.com",
        "http://localhost:3000",
        "https://[::1]"
      ]) {
        const failure = yield* Effect.flip(open(access(url))!.owners)
        assert.deepInclude(failure, { reason: "transient", cause: "no public address" }, url)
      }
      assert.lengthOf(asked, before)
      assert.isNull(open({ ...access(""), address: null }))
    }).pipe(Effect.orDie)
  )

  it.effect("a redirect is not followed", () =>
    Effect.gen(function* () {
      const { crm, served } = yield* servedTwenty
      served.fate("GET", "/rest/workspaceMembers", { status: 302, headers: { location: `${served.url}/rest/people` } })
      assert.strictEqual((yield* Effect.flip(crm.owners)).reason, "transient")
      assert.lengthOf(served.received, 1)
    }).pipe(Effect.orDie)
  )
})
