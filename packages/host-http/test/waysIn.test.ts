import { assert, describe, it } from "@effect/vitest"
import { ASKS_PER_ADDRESS_MAX, ASKS_PER_CLIENT_MAX } from "@outbound/domain/control/console/SignInMail.js"
import { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import { Effect } from "effect"
import { Addresses, rangeOf } from "../src/http/Addresses.js"
import { Desk } from "./support/Desk.js"
import { BASE, run, send, visitor } from "./support/Visitor.js"

const MAIL = "/console/sign-in/mail"

const ask = (email: string, headers: Record<string, string> = {}) =>
  send("POST", MAIL, { origin: BASE, ...headers }, { email })

const linkIn = (text: string): string => {
  const found = new RegExp(`${BASE}(/console/sign-in\\?token=[\\w-]+)`).exec(text)
  assert.isNotNull(found)
  return found![1]!
}

describe("signing in by mail", () => {
  it.live("emails a link that signs in once, however the address is written", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const letters = yield* Letters
        assert.include((yield* send("GET", "/console/sign-in")).text, "Send me a link")
        assert.strictEqual((yield* ask(` ${desk.ours.email.toUpperCase()} `)).status, 200)
        const letter = yield* letters.next
        assert.strictEqual(letter.to, desk.ours.email)
        const path = linkIn(letter.text)
        const page = yield* send("GET", path)
        const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!
        const form = { token: new URL(path, BASE).searchParams.get("token")!, csrf, next: "" }
        const signedIn = yield* send("POST", "/console/sign-in", { origin: BASE }, form)
        assert.strictEqual(signedIn.status, 303)
        assert.include(signedIn.headers.get("set-cookie")!, "outbound_session=")
        assert.strictEqual((yield* send("POST", "/console/sign-in", { origin: BASE }, form)).status, 403)
      })
    )
  )

  it.live("never tells whether anybody has an address", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const letters = yield* Letters
        const [known, unknown] = [yield* ask(desk.ours.email), yield* ask("nobody@example.com")]
        assert.deepStrictEqual([known.status, known.text], [unknown.status, unknown.text])
        // Asked too often is asked too often, of either.
        for (let asked = 1; asked < ASKS_PER_ADDRESS_MAX; asked++) {
          for (const email of [desk.ours.email, "nobody@example.com"]) {
            assert.strictEqual((yield* ask(email)).status, 200)
          }
        }
        for (const email of [desk.ours.email, "nobody@example.com"]) {
          const refused = yield* ask(email)
          assert.strictEqual(refused.status, 429)
          assert.include(refused.text, "Too many attempts")
        }
        for (let letter = 0; letter < ASKS_PER_ADDRESS_MAX; letter++) {
          assert.strictEqual((yield* letters.next).to, desk.ours.email)
        }
        assert.deepStrictEqual(yield* letters.rest, [])
      })
    )
  )

  it.live("is asked for by one client only so often, whatever addresses it names", () =>
    run(
      Effect.gen(function* () {
        const as = (client: string, n: number) =>
          ask(`nobody-${n}@example.com`, { "x-forwarded-for": `203.0.113.200, ${client}` })
        for (let n = 0; n < ASKS_PER_CLIENT_MAX; n++) assert.strictEqual((yield* as("198.51.100.7", n)).status, 200)
        assert.strictEqual((yield* as("198.51.100.7", 1_000)).status, 429)
        assert.strictEqual((yield* as("198.51.100.8", 1_001)).status, 200)
        // Nor does it keep anybody else out by naming their address over and over.
        for (let n = 0; n <= ASKS_PER_ADDRESS_MAX; n++) {
          assert.strictEqual((yield* as("198.51.100.7", 1_002)).status, 429)
        }
        assert.strictEqual((yield* as("198.51.100.8", 1_002)).status, 200)
      })
    )
  )

  it.live("refuses what is no address, and forms from elsewhere", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const letters = yield* Letters
        const wrong = yield* ask(`"><script>alert(1)</script>`)
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Enter a valid email address")
        assert.notInclude(wrong.text, "<script>alert")
        assert.strictEqual((yield* ask(desk.ours.email, { origin: "http://evil.test" })).status, 403)
        assert.strictEqual((yield* ask(desk.ours.email, { "sec-fetch-site": "cross-site" })).status, 403)
        assert.deepStrictEqual(yield* letters.rest, [])
      })
    )
  )

  it.live("tells those who are invited, without a secret", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const letters = yield* Letters
        const us = yield* visitor(desk.ours)
        const form = { email: "new@example.com", role: "member" }
        assert.strictEqual((yield* us.post("/console/settings/members", form)).status, 303)
        const { text, to } = yield* letters.next
        assert.strictEqual(to, "new@example.com")
        assert.include(text, "“ada[@]example[.]com” added you to the workspace “Acme”")
        assert.include(text, `${BASE}/console/sign-in\n`)
        assert.notInclude(text, "token=")
        yield* ask("new@example.com")
        linkIn((yield* letters.next).text)
      })
    )
  )
})

describe("whom a client is counted as", () => {
  it("is the peer, whatever it says, unless a configured proxy names somebody", () => {
    const none = new Addresses([])
    assert.strictEqual(none.client("203.0.113.9", "198.51.100.7"), "203.0.113.9")
    assert.strictEqual(none.client("127.0.0.1", "198.51.100.7"), "127.0.0.1")
    assert.strictEqual(none.client("10.0.0.2", "198.51.100.7"), "10.0.0.2")
    assert.strictEqual(none.client("::ffff:203.0.113.9", undefined), "203.0.113.9")
    assert.strictEqual(none.client(undefined, undefined), "")
  })

  it("is the last address that is no proxy's, of what a configured proxy forwards", () => {
    const some = new Addresses(["10.0.0.0/8", "127.0.0.1", "fd00::/8"])
    assert.strictEqual(some.client("10.0.0.2", "1.1.1.1, 198.51.100.7"), "198.51.100.7")
    assert.strictEqual(some.client("::ffff:127.0.0.1", "198.51.100.7, 10.9.9.9"), "198.51.100.7")
    assert.strictEqual(some.client("fd00::1", "198.51.100.7"), "198.51.100.7")
    assert.strictEqual(some.client("127.0.0.2", "198.51.100.7"), "127.0.0.2")
    assert.strictEqual(some.client("127.0.0.1", "1.1.1.1, not an address"), "127.0.0.1")
    assert.strictEqual(some.client("127.0.0.1", undefined), "127.0.0.1")
  })

  it("is one household, whatever address of its network it uses", () => {
    const client = (address: string) => new Addresses([]).client(address, undefined)
    assert.strictEqual(client("2001:db8:1:2:3:4:5:6"), client("2001:DB8:1:2::9"))
    assert.strictEqual(client("2001:db8:0:2:3:4:5:6"), client("2001:0DB8:0000:0002::9"))
    assert.notStrictEqual(client("2001:db8:1:2::9"), client("2001:db8:1:3::9"))
  })

  it("takes addresses and ranges as proxies, and nothing else", () => {
    for (const range of ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) assert.isNotNull(rangeOf(range))
    for (const range of ["", "nobody", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.0/"]) {
      assert.isNull(rangeOf(range))
    }
  })
})
