import { assert, describe, it } from "@effect/vitest"
import type { DnsZones, ZoneAccess, ZoneChange, ZoneVendor } from "@outbound/domain/outreach/domains/DnsZones.js"
import { Effect, Redacted } from "effect"
import { zoneHost } from "../dns/ZoneHost.js"
import { ZoneWorld } from "../dns/ZoneWorld.js"

export const ZONE_TEST_SECRETS: Readonly<Record<ZoneVendor, string>> = {
  cloudflare: "cf-token-0123456789abcdef",
  route53: "AKIAABCDEFGHIJKLMNOP:wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
}

const ZONE = { zoneId: "Z1", name: "acme.example" }
const SPF = "v=spf1 include:old.example ~all"
const MERGED = "v=spf1 include:old.example include:_spf.google.com ~all"

/** What every DNS host guarantees, whatever its words. */
export const dnsZonesContract = (vendor: ZoneVendor, at: (url: string) => DnsZones["Service"]): void => {
  const given = Effect.gen(function* () {
    const world = new ZoneWorld([ZONE, { zoneId: "Z2", name: "b.example", isHidden: true }], ZONE_TEST_SECRETS[vendor])
    const zones = at(yield* zoneHost(vendor, world))
    const access: ZoneAccess = { vendor, secret: Redacted.make(ZONE_TEST_SECRETS[vendor]) }
    return { access, world, zones }
  })

  const spf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ZoneChange => ({
    name: "acme.example",
    type: "TXT",
    before,
    after
  })

  const reasonOf = <A, E extends { readonly reason: string }>(work: Effect.Effect<A, E>) =>
    Effect.map(Effect.flip(work), ({ reason }) => reason)

  describe(`DNS zones (${vendor})`, () => {
    it.live("finds the nearest zone that the world asks, and no other", () =>
      Effect.gen(function* () {
        const { access, zones } = yield* given
        assert.deepStrictEqual(yield* zones.find(access, "mail.eu.acme.example"), ZONE)
        assert.deepStrictEqual(yield* zones.find(access, "acme.example"), ZONE)
        assert.strictEqual(yield* reasonOf(zones.find(access, "b.example")), "no_zone")
        assert.strictEqual(yield* reasonOf(zones.find(access, "other.example")), "no_zone")
      })
    )

    it.live("reads every set at the names, over all pages, and nothing beside them", () =>
      Effect.gen(function* () {
        const { access, world, zones } = yield* given
        world.pageMax = 1
        for (const value of ["one=1", 'two="2"', SPF]) world.put("acme.example", "TXT", value)
        world.put("acme.example", "MX", "10 mx.acme.example")
        world.put("acme.example.other", "TXT", "not ours")
        world.put("www.acme.example", "CNAME", "acme.example")
        const sets = yield* zones.read(access, ZONE, ["acme.example", "www.acme.example", "none.acme.example"])
        const shown = sets.map(({ name, type, values }) => [name, type, values.toSorted()])
        assert.sameDeepMembers(shown, [
          ["acme.example", "MX", ["10 mx.acme.example"]],
          ["acme.example", "TXT", ["one=1", 'two="2"', SPF]],
          ["www.acme.example", "CNAME", ["acme.example"]]
        ])
      })
    )

    it.live("turns one value into another and touches nothing else, in its set and beside it", () =>
      Effect.gen(function* () {
        const { access, world, zones } = yield* given
        world.put("acme.example", "TXT", "site=1", { ttl: 900 })
        world.put("acme.example", "TXT", SPF, { ttl: 900 })
        world.put("acme.example", "MX", "10 mx.acme.example")
        const long = `v=DKIM1; k=rsa; p=${"Ab+/".repeat(98)}`
        yield* zones.change(access, ZONE, spf(["site=1", SPF], ["site=1", MERGED]))
        const name = "google._domainkey.acme.example"
        yield* zones.change(access, ZONE, { name, type: "TXT", before: [], after: [long] })
        yield* zones.change(access, ZONE, {
          name: "fm1._domainkey.acme.example",
          type: "CNAME",
          before: [],
          after: ["fm1.acme.example.dkim.fmhosted.com"]
        })
        assert.sameMembers([...world.values("acme.example", "TXT")], ["site=1", MERGED])
        assert.deepStrictEqual(world.values(name, "TXT"), [long])
        assert.deepStrictEqual(world.values("fm1._domainkey.acme.example", "CNAME"), [
          "fm1.acme.example.dkim.fmhosted.com"
        ])
        assert.deepStrictEqual(world.values("acme.example", "MX"), ["10 mx.acme.example"])
        assert.lengthOf(world.all(), 5)
      })
    )

    it.live("a set that stands already is not written again", () =>
      Effect.gen(function* () {
        const { access, world, zones } = yield* given
        world.put("acme.example", "TXT", SPF)
        world.meets("change", { _tag: "LostAfterEffect" })
        const change = spf([SPF], [MERGED])
        assert.strictEqual(yield* reasonOf(zones.change(access, ZONE, change)), "unknown")
        assert.deepStrictEqual(world.values("acme.example", "TXT"), [MERGED])
        const written = world.changes.length
        yield* zones.change(access, ZONE, change)
        assert.lengthOf(world.changes, written)
      })
    )

    it.live("what somebody else changed meanwhile is left alone", () =>
      Effect.gen(function* () {
        const { access, world, zones } = yield* given
        world.put("acme.example", "TXT", "v=spf1 include:theirs.example -all")
        assert.strictEqual(yield* reasonOf(zones.change(access, ZONE, spf([SPF], [MERGED]))), "changed")
        const name = "s1._domainkey.acme.example"
        world.meets("change", { _tag: "Meanwhile", does: () => void world.put(name, "CNAME", "theirs.example") })
        const key = { name, type: "TXT", before: [], after: ["v=DKIM1; p=AAAA"] } as const
        assert.strictEqual(yield* reasonOf(zones.change(access, ZONE, key)), "changed")
        assert.deepStrictEqual(world.changes, [])
      })
    )

    it.live("says whether something may have happened", () =>
      Effect.gen(function* () {
        const { access, world, zones } = yield* given
        const change = spf([], [MERGED])
        world.meets("change", { _tag: "Status", status: 429, retryAfter: "7" })
        const limited = yield* Effect.flip(zones.change(access, ZONE, change))
        assert.deepStrictEqual([limited.reason, limited.retryAfterMillis], ["rate_limited", 7_000])
        world.meets("change", { _tag: "Status", status: 503 }, { _tag: "LostBeforeEffect" }, { _tag: "Garbage" })
        for (let at = 0; at < 3; at += 1) {
          assert.strictEqual(yield* reasonOf(zones.change(access, ZONE, change)), "unknown")
        }
        world.meets("read", { _tag: "Status", status: 500 }, { _tag: "LostBeforeEffect" }, { _tag: "Garbage" })
        for (let at = 0; at < 3; at += 1) {
          assert.strictEqual(yield* reasonOf(zones.read(access, ZONE, ["acme.example"])), "unavailable")
        }
        const other: ZoneAccess = { vendor, secret: Redacted.make(ZONE_TEST_SECRETS[vendor].replace(/^../, "XX")) }
        assert.strictEqual(yield* reasonOf(zones.read(other, ZONE, ["acme.example"])), "refused")
        assert.deepStrictEqual(world.changes, [])
      })
    )
  })
}
