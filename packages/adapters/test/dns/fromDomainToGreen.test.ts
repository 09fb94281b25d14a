import { assert, describe, it } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { Domains } from "@outbound/domain/control/domains/Domains.js"
import * as DomainsLive from "@outbound/domain/control/domains/Domains.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { ZoneVendor } from "@outbound/domain/outreach/domains/DnsZones.js"
import {
  ASK_AGAIN_MILLIS,
  makeDomainHandler,
  PROPAGATION_MILLIS_MAX
} from "@outbound/domain/outreach/domains/domainJob.js"
import { changesOf, isGreen } from "@outbound/domain/outreach/domains/planRecords.js"
import { SendingDomainStore, sendingDomainJob } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { ZONE_TEST_SECRETS } from "@outbound/testkit/contracts/dnsZones.js"
import { givenWorkspace, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { zoneHost } from "@outbound/testkit/dns/ZoneHost.js"
import { ZoneWorld } from "@outbound/testkit/dns/ZoneWorld.js"
import { mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { Clock, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Zones from "../../src/dns/Zones.js"
import * as Vitals from "../../src/mail/Vitals.js"

const SPF = "v=spf1 include:old.example -all"
const KEY = `v=DKIM1; k=rsa; p=${"MIIB".repeat(98)}`
const WAKES_MAX = 200

const given = {
  domain: "acme.example",
  mailHost: "google",
  spf: [],
  dkim: [`google TXT ${KEY}`],
  reportsTo: "",
  mx: [],
  takesMail: true
} as const

/** The service over memory, a DNS host over HTTP, and a name server that serves its zone. */
const surroundings = (vendor: ZoneVendor) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const world = new ZoneWorld([{ zoneId: "Z1", name: "acme.example" }], ZONE_TEST_SECRETS[vendor])
    world.put("acme.example", "TXT", "site-verification=1")
    world.put("acme.example", "TXT", SPF)
    world.put("www.acme.example", "A", "192.0.2.1")
    const url = yield* zoneHost(vendor, world)
    const names = yield* mailNameServer(world.served)
    const work = MemoryWork.layer.pipe(Layer.provideMerge(memory))
    const services = DomainsLive.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          Zones.layer({ cloudflareUrl: url, route53Url: url }),
          Vitals.layer({ servers: [names.address], answerMillis: 1_000 }),
          TestCrypto.layer,
          TestIds.layer,
          work
        )
      )
    )
    return { world, services: yield* Layer.build(services) }
  })

const ownerOf = (workspaceId: string): SignedIn => ({
  session: {
    sessionId: "s",
    userId: "u",
    workspaceId,
    secretHash: "h",
    csrf: "c",
    createdAtMillis: NOON,
    expiresAtMillis: NOON + 3_600_000_000
  } as unknown as SignedIn["session"],
  user: { userId: "u", email: "owner@acme.example" } as SignedIn["user"],
  role: "owner",
  workspaceName: "Acme"
})

/** A domain whose owner gave access to its DNS host. */
const opened = (vendor: ZoneVendor) =>
  Effect.gen(function* () {
    const domains = yield* Domains
    const { workspaceId } = yield* givenWorkspace({ kind: "live" })
    const by = ownerOf(workspaceId)
    const { domainId } = yield* domains.add(workspaceId, given, { kind: "operator" })
    yield* domains.setAccess(by, domainId, vendor, ZONE_TEST_SECRETS[vendor])
    return { by, domainId, domains, workspaceId }
  })

type Opened = Effect.Success<ReturnType<typeof opened>>

const approved = ({ by, domainId, domains }: Opened) =>
  Effect.gen(function* () {
    const { digest, plan } = yield* domains.plan(by, domainId)
    const result = yield* domains.approve(by, domainId, digest)
    assert.strictEqual(result._tag, "Approved")
    return changesOf(plan)
  })

/** Wakes the job as long work does, until it ends. How long that took. */
const worked = (of: Opened, eachTime: () => void = () => {}) =>
  Effect.gen(function* () {
    const handler = yield* makeDomainHandler
    const from = yield* Clock.currentTimeMillis
    for (let wakes = 0; wakes < WAKES_MAX; wakes += 1) {
      eachTime()
      const next = yield* handler(sendingDomainJob(of).key)
      if (next._tag === "Done") return (yield* Clock.currentTimeMillis) - from
      yield* TestClock.adjust(next.millis)
    }
    return assert.fail("the job does not end")
  })

const found = ({ domainId, workspaceId }: Opened) =>
  Effect.flatMap(SendingDomainStore, (store) => Effect.map(store.get(workspaceId, domainId), Option.getOrThrow))

const told = Effect.flatMap(AlertStore, (alerts) => alerts.causes("domain_records", NOON, 10))

for (const vendor of ["cloudflare", "route53"] as const) {
  const scenario = (
    name: string,
    story: (
      world: ZoneWorld,
      of: Opened
    ) => Effect.Effect<
      void,
      unknown,
      | Effect.Services<ReturnType<typeof worked>>
      | Effect.Services<ReturnType<typeof found>>
      | Effect.Services<typeof told>
    >
  ) =>
    it.effect(name, () =>
      Effect.flatMap(surroundings(vendor), ({ services, world }) =>
        Effect.flatMap(opened(vendor), (of) => story(world, of)).pipe(Effect.provide(services))
      )
    )

  describe(`from domain to green checks (${vendor})`, () => {
    scenario("no record is set by hand, and nothing is set that was not approved", (world, of) =>
      Effect.gen(function* () {
        const before = world.all()
        assert.isFalse(isGreen((yield* of.domains.view(of.workspaceId, of.domainId)).plan))
        const changes = yield* approved(of)
        assert.deepStrictEqual(world.changes, [])
        yield* worked(of)
        assert.strictEqual((yield* found(of)).state, "good")
        assert.isTrue(isGreen((yield* of.domains.view(of.workspaceId, of.domainId)).plan))
        assert.sameMembers(
          [...world.values("acme.example", "TXT")],
          ["site-verification=1", "v=spf1 include:old.example include:_spf.google.com -all"]
        )
        const touched = new Set(changes.map(({ name, type }) => `${name} ${type}`))
        const rest = (records: typeof before) => records.filter(({ name, type }) => !touched.has(`${name} ${type}`))
        assert.deepStrictEqual(rest(world.all()), rest(before))
        assert.deepStrictEqual(yield* told, [])
      })
    )

    scenario("an approval of what is no longer so does nothing, and shows the new plan", (world, of) =>
      Effect.gen(function* () {
        const { digest } = yield* of.domains.plan(of.by, of.domainId)
        world.put("_dmarc.acme.example", "TXT", "v=DMARC1; p=reject")
        const result = yield* of.domains.approve(of.by, of.domainId, digest)
        assert.strictEqual(result._tag, "Changed")
        const dmarc = result._tag === "Changed" ? result.now.plan.find(({ kind }) => kind === "dmarc") : undefined
        assert.deepStrictEqual(dmarc?.after, ["v=DMARC1; p=reject; rua=mailto:dmarc@acme.example"])
        assert.strictEqual((yield* found(of)).state, "open")
        assert.deepStrictEqual(world.changes, [])
      })
    )

    scenario("an outcome that nobody knows is looked up after a while, and not repeated", (world, of) =>
      Effect.gen(function* () {
        const changes = yield* approved(of)
        world.meets(
          "change",
          { _tag: "LostAfterEffect" },
          { _tag: "LostBeforeEffect" },
          { _tag: "Status", status: 429, retryAfter: "45" },
          { _tag: "Status", status: 500 },
          { _tag: "LostAfterEffect" }
        )
        assert.isAtLeast(yield* worked(of), 4 * ASK_AGAIN_MILLIS + 45_000)
        assert.strictEqual((yield* found(of)).state, "good")
        for (const { after, name, type } of changes) assert.sameMembers([...world.values(name, type)], [...after])
        assert.lengthOf(new Set(world.changes), world.changes.length)
      })
    )

    scenario("a list that does not show what we did yet makes no record twice", (world, of) =>
      Effect.gen(function* () {
        const changes = yield* approved(of)
        const lost = changes.map(() => ({ _tag: "LostAfterEffect" }) as const)
        world.meets("change", ...lost)
        let seen = 0
        yield* worked(of, () => {
          if (world.changes.length === seen) return
          seen = world.changes.length
          // More than one look at everything.
          world.meets("read", ...Array.from({ length: 5 }, () => ({ _tag: "Stale" }) as const))
        })
        assert.strictEqual((yield* found(of)).state, "good")
        for (const { after, name, type } of changes) assert.sameMembers([...world.values(name, type)], [...after])
      })
    )

    scenario("records that somebody changed after the approval stop it before the first change", (world, of) =>
      Effect.gen(function* () {
        yield* approved(of)
        world.put("_dmarc.acme.example", "TXT", "v=DMARC1; p=reject")
        yield* worked(of)
        const { state, stopped } = yield* found(of)
        assert.strictEqual(state, "open")
        assert.include(stopped, "_dmarc.acme.example")
        assert.deepStrictEqual(world.changes, [])
        assert.deepStrictEqual(
          (yield* told).map(({ name }) => name),
          ["acme.example"]
        )
        // The next approval is of the new plan.
        yield* approved(of)
        yield* worked(of)
        assert.strictEqual((yield* found(of)).state, "good")
        assert.deepStrictEqual(yield* told, [])
      })
    )

    scenario("two hosts that believe each other dead set every record once", (world, of) =>
      Effect.gen(function* () {
        yield* approved(of)
        const handler = yield* makeDomainHandler
        const key = sendingDomainJob(of).key
        // Two hosts that believe the other dead.
        yield* Effect.all([handler(key), handler(key)], { concurrency: 2 })
        yield* TestClock.adjust(ASK_AGAIN_MILLIS)
        yield* worked(of)
        assert.strictEqual((yield* found(of)).state, "good")
        assert.lengthOf(world.values("acme.example", "TXT"), 2)
        assert.lengthOf(world.values("_dmarc.acme.example", "TXT"), 1)
      })
    )

    scenario("owners are told if the world does not see the records in time, until it does", (world, of) =>
      Effect.gen(function* () {
        yield* approved(of)
        world.hold(true)
        const took = yield* worked(of)
        assert.isAtLeast(took, PROPAGATION_MILLIS_MAX)
        assert.isAtMost(took, PROPAGATION_MILLIS_MAX + 30 * 60_000)
        assert.strictEqual((yield* found(of)).state, "late")
        assert.lengthOf(yield* told, 1)
        world.hold(false)
        yield* of.domains.check(of.workspaceId, of.domainId, { kind: "operator" })
        yield* worked(of)
        assert.strictEqual((yield* found(of)).state, "good")
        assert.deepStrictEqual(yield* told, [])
      })
    )

    scenario("access that is taken away meanwhile stops it", (world, of) =>
      Effect.gen(function* () {
        yield* approved(of)
        yield* of.domains.removeAccess(of.by, of.domainId)
        yield* worked(of)
        assert.include((yield* found(of)).stopped, "Add it again")
        assert.deepStrictEqual(world.changes, [])
      })
    )
  })
}

it.effect("only an owner who signed in just now approves, and gives access that reads the zone", () =>
  Effect.flatMap(surroundings("cloudflare"), ({ services, world }) =>
    Effect.gen(function* () {
      const of = yield* opened("cloudflare")
      const { digest } = yield* of.domains.plan(of.by, of.domainId)
      const reasonOf = <A, E extends object>(work: Effect.Effect<A, E>) =>
        Effect.map(Effect.flip(work), (error) => ("reason" in error ? error.reason : error))
      const member: SignedIn = { ...of.by, role: "member" }
      assert.strictEqual(yield* reasonOf(of.domains.approve(member, of.domainId, digest)), "owner_required")
      assert.strictEqual(yield* reasonOf(of.domains.plan(member, of.domainId)), "owner_required")
      const token = "another-token-0123456789"
      assert.strictEqual(yield* reasonOf(of.domains.setAccess(of.by, of.domainId, "cloudflare", token)), "invalid")
      assert.strictEqual((yield* found(of)).zone?.last4, ZONE_TEST_SECRETS.cloudflare.slice(-4))
      assert.notInclude(JSON.stringify(yield* found(of)), ZONE_TEST_SECRETS.cloudflare)
      const other = yield* givenWorkspace({ kind: "live" })
      const stranger = ownerOf(other.workspaceId)
      assert.strictEqual(yield* reasonOf(of.domains.approve(stranger, of.domainId, digest)), "not_found")
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* reasonOf(of.domains.approve(of.by, of.domainId, digest)), "reauthentication_required")
      assert.deepStrictEqual(world.changes, [])
    }).pipe(Effect.provide(services))
  )
)
