import { assert, describe, it } from "@effect/vitest"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Effect, Schema } from "effect"
import * as FastCheck from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { Cassette, VERIFIED } from "../../src/providers/recording/Recording.js"
import { recordVendor } from "../../src/providers/recordVendor.js"
import { Redaction } from "../../src/providers/recording/redact.js"
import { replayed, vendorAt } from "./Cassettes.js"

const KEY = "sk-live-4711-secret"
const PERSON = "grace.hopper@navy.example"
/** What must be in no cassette. */
const SECRETS = [KEY, PERSON, "Hopper", "navy.example", "+1 212 555 7788", "2125557788", "1906-12-09"]

/** What an account's own pages of an interface say, with more than our decoder reads. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  million_verifier: {
    "/credits": { credits: 812, owner: { name: "Grace Hopper", mobile: "+1 212 555 7788" } },
    "/": { email: PERSON, result: "ok", subresult: "ok", role: false, error: "", domain: "navy.example" }
  },
  zero_bounce: {
    "/getcredits": { Credits: "77", key: KEY },
    "/validate": {
      address: PERSON,
      status: "valid",
      sub_status: "",
      firstname: "Grace",
      lastname: "Hopper",
      phone: 2125557788
    }
  },
  reoon: {
    "/check-account-balance/": { api_status: "active", remaining_daily_credits: 5, remaining_instant_credits: 6 },
    "/verify": { email: PERSON, status: "safe", overall_score: 98, is_catch_all: false, born: "1906-12-09" }
  }
}

const recorded = (name: string) =>
  Effect.gen(function* () {
    const server = yield* makeReplayServer
    for (const [path, json] of Object.entries(ANSWERS[name] ?? {})) {
      server.on({ request: { method: "GET", path }, answer: { json, headers: { "x-account-of": "Grace Hopper" } } })
    }
    return yield* recordVendor(yield* vendorAt(name, server.url, KEY), PERSON)
  }).pipe(Effect.provideService(CurrentSourceAccess, noAccess))

const replay = (cassette: Cassette) => Effect.provideService(replayed(cassette), CurrentSourceAccess, noAccess)

describe("a cassette", () => {
  for (const name of Object.keys(ANSWERS)) {
    it.effect(`of ${name} holds nothing secret, and is played to the adapter with the same result`, () =>
      Effect.gen(function* () {
        const cassette = yield* recorded(name)
        const text = JSON.stringify(Schema.encodeSync(Cassette)(cassette))
        for (const secret of SECRETS) assert.notInclude(text, secret)
        assert.include(text, VERIFIED)
        const again = Schema.decodeSync(Schema.fromJsonString(Cassette))(text)
        for (const { ask, now, recorded: before } of yield* replay(again)) assert.deepStrictEqual(now, before, ask)
      })
    )
  }

  it.effect("whose answer is not what the adapter reads is told by its result", () =>
    Effect.gen(function* () {
      const { asked, ...cassette } = yield* recorded("million_verifier")
      const changed = asked.map((one) => ({
        ...one,
        exchanges: one.exchanges.map(({ answer, request }) => ({ request, answer: { ...answer, body: { result: 7 } } }))
      }))
      const found = yield* replay(new Cassette({ ...cassette, asked: changed }))
      assert.deepStrictEqual(
        found.map(({ now }) => now),
        [{ failed: "transient" }, { failed: "unknown_outcome" }]
      )
    })
  )

  it("never holds an address, a name, a number or a secret, wherever it stands; equal ones stay equal", () => {
    const place = FastCheck.letrec<{ json: unknown }>((tie) => ({
      json: FastCheck.oneof(
        { maxDepth: 4 },
        FastCheck.constantFrom<unknown>(...SECRETS, `Dear Grace Hopper, ${PERSON}`, 2125557788, 3, true, null),
        FastCheck.array(tie("json"), { maxLength: 4 }),
        FastCheck.dictionary(
          FastCheck.constantFrom("email", "status", "name", "phone", "user_id", PERSON),
          tie("json"),
          {
            maxKeys: 4
          }
        )
      )
    })).json
    FastCheck.assert(
      FastCheck.property(place, (body) => {
        const request = { method: "GET", path: `/people/${PERSON}`, query: { email: PERSON }, body }
        const exchange = { request, answer: { status: 200, headers: { "x-owner": "Hopper" }, body } }
        const made = new Redaction([KEY]).exchange(exchange)
        const text = JSON.stringify(made)
        for (const secret of SECRETS) assert.notInclude(text, secret)
        if (typeof body !== "string") assert.deepStrictEqual(made.request.body, made.answer.body)
      })
    )
  })

  const folder = new URL("./cassettes", import.meta.url)
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    it.effect(`${file} is understood as it was`, () =>
      Effect.gen(function* () {
        const text = readFileSync(new URL(`./cassettes/${file}`, import.meta.url), "utf8")
        for (const { ask, now, recorded: before } of yield* replay(
          Schema.decodeSync(Schema.fromJsonString(Cassette))(text)
        )) {
          assert.deepStrictEqual(now, before, `${file}, ${ask}: compare the adapter with the vendor's contract.md`)
        }
      })
    )
  }
})
