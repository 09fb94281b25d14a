import { assert, describe, it } from "@effect/vitest"
import { isForbiddenAddress, isPublicAddress } from "../../src/site/Address.js"
import { makeGate } from "../../src/site/Gate.js"

const INSIDE = [
  ["this machine", "127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 ::1 ::"],
  ["private networks", "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 fc00::1 fd12:3456::1"],
  ["this link", "169.254.0.1 fe80::1 fe80::1%eth0 febf::1"],
  ["metadata services", "169.254.169.254 fd00:ec2::254 100.100.100.200 192.0.0.192 168.63.129.16"],
  ["carriers' insides", "100.64.0.1 100.127.255.255"],
  ["multicast and broadcast", "224.0.0.1 239.255.255.255 255.255.255.255 ff02::1 ff0e::1"],
  ["reserved and documentation", "240.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 192.88.99.1 2001:db8::1"],
  ["IPv4 in another form", "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::7f00:1 ::127.0.0.1 64:ff9b::7f00:1"],
  ["tunnels", "64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001::1 2001:0:7f00:1::"],
  ["not assigned", "fec0::1 100::1 3fff::1 5f00::1 4000::1 e000::1"],
  ["no address at all", "localhost 1.2.3 1.2.3.4.5 256.1.1.1 0x7f.1.zz not:an:address [::1]"]
] as const

describe("addresses that a website may have", () => {
  it.each(INSIDE)("none of %s", (_what, addresses) => {
    for (const address of addresses.split(" ")) assert.isFalse(isPublicAddress(address), address)
    assert.isFalse(isPublicAddress(""))
  })

  it("other ways to write an IPv4 address are the address that they write", () => {
    for (const address of ["127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "0x7f000001"]) {
      assert.isFalse(isPublicAddress(address), address)
    }
  })

  it("those of the public internet, IPv4 in IPv6 among them", () => {
    for (const address of "8.8.8.8 1.1.1.1 172.32.0.1 172.15.0.1 100.63.0.1 100.128.0.1 ::ffff:8.8.8.8 2606:4700::1111 2a00:1450:4001::200e".split(
      " "
    )) {
      assert.isTrue(isPublicAddress(address), address)
    }
  })
})

describe("addresses that nothing may reach, whatever an operator allows", () => {
  it("are link-local ones, metadata services, and those that may hide one", () => {
    const never =
      "169.254.169.254 169.254.0.1 fe80::1 fe80::1%eth0 ::ffff:169.254.169.254 fd00:ec2::254 100.100.100.200 " +
      "168.63.129.16 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: localhost"
    for (const address of never.split(" ")) assert.isTrue(isForbiddenAddress(address), address)
    for (const address of "127.0.0.1 ::1 10.0.0.1 fd12::1 8.8.8.8 2606:4700::1111".split(" ")) {
      assert.isFalse(isForbiddenAddress(address), address)
    }
  })

  it("an allowed server is none of them", async () => {
    const address = "169.254.169.254"
    const inside = makeGate(() => Promise.resolve([{ address, family: 4 }]), [{ address, port: 80 }])
    const refused = await inside.addresses("metadata.test", 80).catch((error: unknown) => error)
    assert.deepInclude(refused, { reason: "unsafe" })
  })
})

const gate = makeGate(() => Promise.resolve([]), [])
const refusal = (url: string) => gate.objection(new URL(url), "acme.test")?.reason ?? null

describe("addresses as they are written", () => {
  it("a name under the company's domain, by http or https, is asked", () => {
    for (const url of [
      "https://acme.test/",
      "http://www.acme.test/a?b",
      "https://a.b.ACME.test:443/",
      "http://acme.test:80/"
    ]) {
      assert.isNull(refusal(url), url)
    }
  })

  it.each([
    "ftp://acme.test/",
    "file:///etc/passwd",
    "data:text/html,hello",
    "https://acme.test@127.0.0.1/",
    "https://user@acme.test/",
    "https://user:password@acme.test/",
    "https://acme.test:8443/",
    "http://acme.test:22/",
    "http://acme.test:443/",
    "https://acme.test:80/",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    `https://acme.test/${"x".repeat(1000)}`
  ])("%s is unsafe", (url) => assert.strictEqual(refusal(url), "unsafe"))

  it.each([
    "http://localhost/",
    "http://metadata.google.internal/",
    "https://acme.test.evil.example/",
    "https://evilacme.test/",
    "https://acme.example/",
    "https://test/"
  ])("%s is elsewhere", (url) => assert.strictEqual(refusal(url), "elsewhere"))

  it("a name with one address inside among public ones is not connected to", async () => {
    const answers = [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.1", family: 4 }
    ]
    const mixed = makeGate(() => Promise.resolve(answers), [{ address: "10.0.0.1", port: 8080 }])
    const refused = await mixed.addresses("acme.test", 443).catch((error: unknown) => error)
    assert.propertyVal(refused, "reason", "unsafe")
    assert.lengthOf(await mixed.addresses("acme.test", 8080), 2)
  })
})
