import { assert, describe, it } from "@effect/vitest"
import { AcceptedCredentials } from "../src/http/AcceptedCredentials.js"
import { Addresses, rangeOf } from "../src/http/Addresses.js"
import { AddressRates } from "../src/http/AddressRates.js"
import { Door } from "../src/http/Door.js"
import type { Exchange } from "../src/http/Exchange.js"

const CLIENT = "203.0.113.9"
const PROXY = "10.0.0.5"

describe("the address of a client", () => {
  const behind = new Addresses(["10.0.0.0/8", "2001:db8:ff::/48"])

  it("is the peer's where no proxy is named: nobody chooses another by a header", () => {
    const open = new Addresses([])
    for (const header of [undefined, "198.51.100.1", `198.51.100.1, ${PROXY}`]) {
      assert.strictEqual(open.client(CLIENT, header), CLIENT)
      assert.strictEqual(behind.client(CLIENT, header), CLIENT)
    }
  })

  it("is the last one that no proxy has, of those that a proxy forwards: what stands before it, the client wrote", () => {
    assert.strictEqual(behind.client(PROXY, CLIENT), CLIENT)
    assert.strictEqual(behind.client(PROXY, `198.51.100.1, ${CLIENT}`), CLIENT)
    assert.strictEqual(behind.client(PROXY, `198.51.100.1,${CLIENT} , 10.1.2.3`), CLIENT)
    assert.strictEqual(behind.client(`::ffff:${PROXY}`, `::ffff:${CLIENT}`), CLIENT)
    assert.strictEqual(behind.client("2001:db8:ff::1", CLIENT), CLIENT)
  })

  it("is the proxy's where it forwards none, or what can't be read: nothing before that is believed", () => {
    for (const header of [undefined, "", "unknown", `${CLIENT}, unknown`, `${CLIENT},`, "10.9.9.9, 10.8.8.8"]) {
      assert.strictEqual(behind.client(PROXY, header), PROXY, header)
    }
  })

  it("is a household's where it is one of IPv6, however it is written", () => {
    const of = (address: string) => new Addresses([]).client(address, undefined)
    assert.strictEqual(of("2001:db8::1"), "2001:db8:0:0")
    assert.strictEqual(of("2001:0DB8:0000:0000:aaaa:bbbb:cccc:dddd"), "2001:db8:0:0")
    assert.strictEqual(of("2001:db8:0:1::1"), "2001:db8:0:1")
    assert.strictEqual(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2")
    assert.strictEqual(of("::1"), "0:0:0:0")
    assert.strictEqual(behind.peer(undefined), "")
  })

  it("is within a range that can be read: an address alone, or with its bits", () => {
    assert.deepStrictEqual(rangeOf("10.0.0.1"), { address: "10.0.0.1", bits: 32 })
    assert.deepStrictEqual(rangeOf("10.0.0.0/8"), { address: "10.0.0.0", bits: 8 })
    assert.deepStrictEqual(rangeOf("10.0.0.0/0"), { address: "10.0.0.0", bits: 0 })
    assert.deepStrictEqual(rangeOf("2001:db8::/48"), { address: "2001:db8::", bits: 48 })
    assert.deepStrictEqual(rangeOf("::1"), { address: "::1", bits: 128 })
    for (const text of [
      "",
      "host",
      "10.0.0.0/33",
      "::1/129",
      "10.0.0.0/-1",
      "10.0.0.0/8/8",
      "10.0.0.0/x",
      "10.0.0.0/"
    ]) {
      assert.isNull(rangeOf(text), text)
    }
  })
})

describe("what one address may ask", () => {
  const given = () => {
    const clock = { now: 1_000 }
    const rates = new AddressRates({ anonymousPerMinuteMax: 2, failedPerMinuteMax: 2 }, () => clock.now)
    return { clock, rates }
  }

  it("without a credential is so much in a minute, and then says how long to wait", () => {
    const { clock, rates } = given()
    assert.deepStrictEqual([rates.anonymous("a"), rates.anonymous("a")], [null, null])
    clock.now += 29_500
    assert.strictEqual(rates.anonymous("a"), 31)
    assert.isNull(rates.anonymous("b"))
    clock.now += 30_499
    assert.strictEqual(rates.anonymous("a"), 1)
    clock.now += 1
    assert.isNull(rates.anonymous("a"))
  })

  it("with credentials that nobody has is so much in a minute, by itself", () => {
    const { clock, rates } = given()
    rates.failed("a")
    assert.isNull(rates.waitAfterFailures("a"))
    for (let asked = 0; asked < 5; asked += 1) rates.anonymous("a")
    assert.isNull(rates.waitAfterFailures("a"))
    rates.failed("a")
    assert.strictEqual(rates.waitAfterFailures("a"), 60)
    assert.isNull(rates.waitAfterFailures("b"))
    clock.now += 60_000
    assert.isNull(rates.waitAfterFailures("a"))
    rates.failed("a")
    assert.isNull(rates.waitAfterFailures("a"), "the count begins anew")
  })

  it("is forgotten of the oldest where there are too many, and of nobody else", () => {
    const { rates } = given()
    const both = (address: string) => [rates.anonymous(address), rates.anonymous(address)]
    both("first")
    both("second")
    for (let other = 0; other < 49_999; other += 1) rates.anonymous(`other ${other}`)
    assert.isNotNull(rates.anonymous("second"))
    assert.isNull(rates.anonymous("first"))
  })
})

describe("the door", () => {
  const asking = (client: string, authorization?: string) =>
    ({
      client,
      header: (name: string) => (name === "authorization" ? authorization : undefined)
    }) as unknown as Exchange

  it("lets a credential through that was good before, beside any number that are not", () => {
    const rates = new AddressRates({ anonymousPerMinuteMax: 1, failedPerMinuteMax: 2 }, () => 0)
    const door = new Door(rates, new AcceptedCredentials())
    const [good, bad, broken] = [asking("a", "Bearer good"), asking("a", "Bearer bad"), asking("a", "Bearer broken")]
    door.answered(good, 200)
    // Its answer came before anybody looked at the credential.
    for (const status of [400, 404, 429, 500, 503]) door.answered(broken, status)
    assert.isNull(door.waitSeconds(bad))
    door.answered(bad, 401)
    assert.isNull(door.waitSeconds(bad))
    door.answered(bad, 401)
    assert.strictEqual(door.waitSeconds(bad), 60)
    assert.strictEqual(door.waitSeconds(broken), 60)
    assert.isNull(door.waitSeconds(good))
    assert.isNull(door.waitSeconds(asking("b", "Bearer bad")))
    // Who names nobody has a limit of their own.
    assert.deepStrictEqual([door.waitSeconds(asking("a")), door.waitSeconds(asking("a"))], [null, 60])
  })
})
