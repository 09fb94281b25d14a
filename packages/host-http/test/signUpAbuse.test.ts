import { assert, describe, it } from "@effect/vitest"
import { personOf } from "@outbound/domain/control/signUp/person.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import { Effect, Option } from "effect"
import { consoleHost } from "./support/ConsoleHost.js"
import { BASE, send } from "./support/Visitor.js"

const SIGN_UP = "/console/sign-up"
const ATTEMPTS = 1_000
const AT_ONCE = 8
/** Each link is pressed so many times, all at once. */
const PRESSES = 3
const BOUND = { perDayMax: 40, perNetworkMax: 3 }

/** Whole parts of the words of an address that a person may try for another grant. All of each row are one person. */
const spellingsOf = (name: string): ReadonlyArray<string> => [
  `${name}@gmail.com`,
  `${name.toUpperCase()}@GMAIL.COM`,
  `${[...name].join(".")}@gmail.com`,
  `${name}+again@gmail.com`,
  `${name}+1+2@googlemail.com`,
  ` ${name}@gmail.com\t`,
  `${name}@ＧＭＡＩＬ.com`,
  `${name}@gmail。com`,
  `${name}@gmail.com.`,
  `"${name}"@gmail.com`,
  `${name}\u200B@gmail.com`,
  `${name}@gmail.com\r\nbcc: x@x.test`,
  `<${name}@gmail.com>`,
  `${name}%gmail.com@gmail.com`
]

const PEOPLE = Array.from({ length: 60 }, (_, at) => `person${String.fromCharCode(97 + (at % 26))}${at}`)

/** Networks of few people: spellings of one address, and a whole /64 of another. */
const NETWORKS = [
  "198.51.100.7",
  "::ffff:198.51.100.7",
  "2001:db8:1:2::1",
  "2001:DB8:1:2:ffff:ffff:ffff:ffff",
  "2001:0db8:0001:0002:0:0:0:9",
  "2001:db8:1:3::1",
  "203.0.113.9, 198.51.100.7",
  "not an address",
  "",
  ...Array.from({ length: 40 }, (_, at) => `203.0.113.${at}`),
  ...Array.from({ length: 200 }, (_, at) => `2001:db8:1:2::${at.toString(16)}`)
]

/** The same attempts each time, in an order of their own. */
const attempts = Array.from({ length: ATTEMPTS }, (_, at) => {
  const name = PEOPLE[(at * 7) % PEOPLE.length] ?? ""
  const spellings = spellingsOf(name)
  return {
    email: spellings[(at * 11) % spellings.length] ?? "",
    network: NETWORKS[(at * 13) % NETWORKS.length] ?? ""
  }
})

const csrfOf = (page: string): string => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ""

const ask = ({ email, network }: (typeof attempts)[number]) =>
  send("POST", SIGN_UP, { origin: BASE, "x-forwarded-for": network }, { email, name: "Acme" })

const press = (token: string) =>
  Effect.gen(function* () {
    const page = yield* send("GET", `${SIGN_UP}?token=${token}`)
    return yield* send("POST", SIGN_UP, { origin: BASE }, { token, csrf: csrfOf(page.text) })
  })

/** Every link in the letters that came so far. */
const tokens = Effect.gen(function* () {
  const letters = yield* Letters
  const found: Array<string> = []
  for (;;) {
    const letter = yield* Effect.timeoutOption(letters.next, "500 millis")
    if (Option.isNone(letter)) return found
    const token = new RegExp(`${BASE}${SIGN_UP}\\?token=([\\w-]+)`).exec(letter.value.text)?.[1]
    if (token !== undefined) found.push(token)
  }
})

describe("sign-up", () => {
  it.live(
    "abused a thousand ways over HTTP gives at most its bound: per person, per network and per day",
    () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(attempts, ask, { concurrency: AT_ONCE })
        assert.isTrue(answers.every(({ status }) => [200, 400, 403, 422, 429, 503].includes(status)))
        const links = yield* tokens
        assert.isAbove(links.length, 10)
        const pressed = yield* Effect.forEach(
          links.flatMap((token) => Array.from({ length: PRESSES }, () => token)),
          press,
          { concurrency: AT_ONCE }
        )
        const keys = pressed.flatMap(({ text }) => /svc_key_[\w-]{43}/.exec(text)?.[0] ?? [])
        const { granted, grants } = yield* Effect.flatMap(Memory, ({ read }) =>
          read((tables) => ({
            granted: tables.signUpGrants.filter(() => true),
            grants: tables.ledger.filter(({ kind, micros }) => kind === "grant" && micros === 300_000_000n).length
          }))
        )
        assert.isAbove(granted.length, 5)
        assert.isAtMost(granted.length, BOUND.perDayMax)
        assert.deepStrictEqual([keys.length, new Set(keys).size], [granted.length, granted.length])
        assert.isAtLeast(grants, granted.length)
        for (const { networkHash } of granted) {
          const ofNetwork = granted.filter((grant) => grant.networkHash === networkHash).length
          assert.isAtMost(ofNetwork, BOUND.perNetworkMax)
        }
        assert.strictEqual(new Set(granted.map(({ personHash }) => personHash)).size, granted.length)
      }).pipe(
        Effect.provide(consoleHost(BASE, MemoryMailer.layer, 0, { who: { _tag: "Open" }, kind: "sandbox", ...BOUND }))
      ),
    120_000
  )

  it("reads most spellings of an address as one person, and none as another's", () => {
    const people = PEOPLE.map((name) => personOf(`${name}@gmail.com`))
    assert.strictEqual(new Set(people).size, PEOPLE.length)
  })
})
