import { assert, describe, it } from "@effect/vitest"
import type { Crm, CrmNote, CrmPlace, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { mailRefusal } from "@outbound/domain/kernel/people/mailRefusals.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, type Scope } from "effect"
import type { CrmWorld } from "./vendors/CrmWorld.js"
import type { ServedVendor } from "../../vendors/ServedVendor.js"

export interface CrmHarness {
  readonly crm: Crm
  readonly world: CrmWorld
  /** Whether companies there say what their domain is. */
  readonly hasDomains: boolean
  /** Who bought, where a person's own record says so; else their won deals do. */
  readonly hasStages: boolean
  /** Whether a person may have several addresses there. */
  readonly hasAlternates: boolean
  /** Whether a new person's record names its owner. */
  readonly namesOwners: boolean
  /** Whether it tells which records were deleted since a time. */
  readonly tellsDeleted: boolean
  /** Absent: it is asked over no wire. */
  readonly wire?: {
    readonly served: ServedVendor
    /** Method and end of the path of the request that reads, and of the one that writes a note. */
    readonly reads: readonly [method: string, pathEnd: string]
    readonly writes: readonly [method: string, pathEnd: string]
    readonly creates: readonly [method: string, pathEnd: string]
    /** The same account with a key that it doesn't take. */
    readonly refused: Crm
  }
}

const NOON = Date.UTC(2027, 0, 4, 12)
const HOUR = 3_600_000

/** More than any list of a test has. */
const PAGES_MAX = 40

const note = (marker: string): CrmNote => ({
  marker,
  text: `They wrote: "a < b & c"\nReference: ${marker}`,
  atMillis: NOON,
  ownerRef: null
})

const person = { email: "new@buyer.test", firstName: "Nia", lastName: "Ek", companyName: "Buyer" }

/** Every record, the last word of each. */
const readAll = (crm: Crm, place: Omit<CrmPlace, "cursor"> = { sinceMillis: null }) =>
  Effect.gen(function* () {
    const records = new Map<string, CrmRecord>()
    let cursor: string | null = null
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page: Effect.Success<ReturnType<Crm["page"]>> = yield* crm.page({ ...place, cursor })
      for (const record of page.records) records.set(record.ref, record)
      if (page.cursor === null) return [...records.values()]
      assert.notStrictEqual(page.cursor, cursor)
      cursor = page.cursor
    }
    return assert.fail("the pages never end")
  })

const emailsWith = (records: ReadonlyArray<CrmRecord>, is: (record: CrmRecord) => boolean) =>
  [...new Set(records.filter(is).flatMap(({ emails }) => emails))].sort()

/** What every CRM does behind its port. */
export const crmContract = (name: string, harness: Effect.Effect<CrmHarness, never, Scope.Scope>): void => {
  /** A customer, an open deal of two people, a lost one, and somebody's contacts. */
  const peopled = Effect.map(harness, (given) => {
    const { hasStages, world } = given
    world.nowMillis = NOON - 24 * HOUR
    world.owners.push(
      { id: "7", name: "Olga", email: "olga@us.test" },
      { id: "8", name: "Otto", email: "otto@us.test" }
    )
    const customer = world.person(["ann@customer.test", "ann@home.test"], { isCustomer: hasStages })
    if (!hasStages) world.deal("won", [customer])
    const deal = world.person(["bob@prospect.test"])
    const open = world.deal("open", [deal], [world.company("prospect.test")])
    const lost = world.person(["cleo@lost.test"])
    world.deal("lost", [lost])
    world.person(["dan@owned.test"], { ownerId: "7" })
    for (let more = 0; more < 5; more += 1) world.person([`owned${more}@many.test`], { ownerId: "8" })
    world.person(["nobody@nowhere.test"])
    return { ...given, customer, open, lost }
  })

  const checkAll = ({ crm, hasAlternates, hasDomains }: CrmHarness) =>
    Effect.gen(function* () {
      const records = yield* readAll(crm)
      assert.deepStrictEqual(
        emailsWith(records, ({ isCustomer }) => isCustomer),
        ["ann@customer.test", ...(hasAlternates ? ["ann@home.test"] : [])]
      )
      assert.deepStrictEqual(
        emailsWith(records, ({ hasOpenDeal }) => hasOpenDeal),
        ["bob@prospect.test"]
      )
      assert.deepStrictEqual(
        emailsWith(records, ({ ownerRef }) => ownerRef === "7"),
        ["dan@owned.test"]
      )
      assert.lengthOf(
        emailsWith(records, ({ ownerRef }) => ownerRef === "8"),
        5
      )
      const domains = records.filter(({ hasOpenDeal }) => hasOpenDeal).flatMap((record) => record.domains)
      assert.deepStrictEqual(domains, hasDomains ? ["prospect.test"] : [])
    })

  describe(`a CRM, behind its port (${name})`, () => {
    it.effect("tells customers, open deals and owners, over all pages", () =>
      Effect.flatMap(peopled, checkAll).pipe(Effect.orDie)
    )

    it.effect("tells the same where its pages hold records twice", () =>
      Effect.flatMap(peopled, (given) => {
        given.world.isDoubled = true
        return checkAll(given)
      }).pipe(Effect.orDie)
    )

    it.effect("tells what changed since a time, and that a deal is over", () =>
      Effect.gen(function* () {
        const { crm, open, world } = yield* peopled
        world.nowMillis = NOON
        assert.deepStrictEqual(yield* readAll(crm, { sinceMillis: NOON - HOUR }), [])
        world.change(open, { status: "lost" })
        const [changed, ...others] = yield* readAll(crm, { sinceMillis: NOON - HOUR })
        assert.deepStrictEqual(others, [])
        const deals = (yield* readAll(crm)).filter(({ hasOpenDeal }) => hasOpenDeal)
        assert.deepStrictEqual([changed?.emails, changed?.hasOpenDeal, deals], [[], false, []])
      }).pipe(Effect.orDie)
    )

    it.effect("tells who opted out there, and to whom mail came back, as long as it says so", () =>
      Effect.gen(function* () {
        const { crm, world } = yield* peopled
        const refusing = world.person(["refusing@many.test"], { mail: "opted_out" })
        const gone = ["gone-too@many.test", "gone@many.test"]
        for (const email of gone) world.person([email], { mail: "bounced" })
        const said = (place?: Omit<CrmPlace, "cursor">) =>
          Effect.map(readAll(crm, place), (records) =>
            (["opted_out", "bounced"] as const).map((word) =>
              emailsWith(records, ({ fields }) => mailRefusal(fields)?.word === word)
            )
          )
        assert.deepStrictEqual(yield* said(), [["refusing@many.test"], gone])
        world.nowMillis = NOON
        const changed = { sinceMillis: NOON - HOUR }
        world.change(refusing, { mail: null })
        assert.deepStrictEqual(yield* said(changed), [[], []])
        assert.deepStrictEqual(yield* said(), [[], gone])
        world.change(refusing, { mail: "opted_out" })
        assert.deepStrictEqual(yield* said(changed), [["refusing@many.test"], []])
      }).pipe(Effect.orDie)
    )

    it.effect("forgets what was deleted, and tells so where the CRM does", () =>
      Effect.gen(function* () {
        const { crm, customer, open, tellsDeleted, world } = yield* peopled
        world.nowMillis = NOON
        world.delete(open)
        world.delete(customer)
        const changed = yield* readAll(crm, { sinceMillis: NOON - HOUR })
        assert.lengthOf(changed, tellsDeleted ? 2 : 0)
        const says = ({ domains, emails, hasOpenDeal, isCustomer, ownerRef }: CrmRecord) =>
          isCustomer || hasOpenDeal || ownerRef !== null || emails.length + domains.length > 0
        assert.deepStrictEqual(changed.filter(says), [])
        assert.isFalse((yield* readAll(crm)).some(({ hasOpenDeal }) => hasOpenDeal))
        assert.isNull(Option.getOrNull(yield* crm.find("ann@customer.test")))
      }).pipe(Effect.orDie)
    )

    it.effect("names the place where it stands, where it does not move", () =>
      Effect.gen(function* () {
        const { crm, world } = yield* peopled
        for (let more = 0; more < 250; more += 1) world.person([`p${more}@many.test`], { ownerId: "8" })
        world.isStuck = true
        const first = yield* crm.page({ cursor: null, sinceMillis: null })
        const second = yield* crm.page({ cursor: first.cursor, sinceMillis: null })
        const third = yield* crm.page({ cursor: second.cursor, sinceMillis: null })
        assert.isNotNull(third.cursor)
        assert.strictEqual(third.cursor, second.cursor)
      }).pipe(Effect.orDie)
    )

    it.effect("lists owners with their addresses", () =>
      Effect.gen(function* () {
        const { crm } = yield* peopled
        assert.deepStrictEqual(yield* crm.owners, [
          { ref: "7", name: "Olga", email: "olga@us.test" },
          { ref: "8", name: "Otto", email: "otto@us.test" }
        ])
      }).pipe(Effect.orDie)
    )

    it.effect("finds a person by their address, adds one, and writes notes that are found by their marker", () =>
      Effect.gen(function* () {
        const { crm, customer, namesOwners, world } = yield* peopled
        assert.strictEqual(Option.getOrNull(yield* crm.find("ann@customer.test")), customer.id)
        assert.isNull(Option.getOrNull(yield* crm.find(person.email)))
        const ref = yield* crm.create(person, "7")
        assert.strictEqual(Option.getOrNull(yield* crm.find(person.email)), ref)
        assert.deepInclude(world.personWith(person.email), { name: "Nia Ek", ownerId: namesOwners ? "7" : null })
        assert.isFalse(yield* crm.holds(ref, "outbound-1"))
        yield* crm.write(ref, note("outbound-1"))
        assert.isTrue(yield* crm.holds(ref, "outbound-1"))
        assert.isFalse(yield* crm.holds(ref, "outbound-2"))
        assert.isFalse(yield* crm.holds(customer.id, "outbound-1"))
        assert.lengthOf(world.notes, 1)
        assert.notInclude(world.notes[0]?.body.replaceAll("<br>", ""), "<b")
      }).pipe(Effect.orDie)
    )

    it.effect("classifies every refusal once", () =>
      Effect.gen(function* () {
        const { crm, customer, wire } = yield* peopled
        if (wire === undefined) return
        const { creates, reads, refused, served, writes } = wire
        const reasonOf = (step: Effect.Effect<unknown, ProviderFailure>) =>
          Effect.map(Effect.flip(step), ({ reason, retryAfterSeconds }) => [reason, retryAfterSeconds])
        const page = crm.page({ cursor: null, sinceMillis: null })
        assert.deepStrictEqual(yield* reasonOf(refused.owners), ["account", undefined])
        for (const [fate, told] of [
          [{ status: 429, headers: { "retry-after": "7" } }, ["rate_limited", 7]],
          [{ status: 429 }, ["rate_limited", undefined]],
          [{ status: 403 }, ["account", undefined]],
          [{ status: 400 }, ["invalid", undefined]],
          [{ status: 503 }, ["transient", undefined]],
          ["cut before", ["transient", undefined]],
          ["half answered", ["transient", undefined]]
        ] as const) {
          served.fate(...reads, fate)
          assert.deepStrictEqual(yield* reasonOf(page), [...told], JSON.stringify(fate))
        }
        for (const { at, step } of [
          { at: writes, step: crm.write(customer.id, note("outbound-3")) },
          { at: creates, step: Effect.asVoid(crm.create(person, null)) }
        ]) {
          for (const fate of [{ status: 503 }, "cut before", "half answered"] as const) {
            served.fate(...at, fate)
            assert.deepStrictEqual(yield* reasonOf(step), ["unknown_outcome", undefined], JSON.stringify(fate))
          }
          served.fate(...at, { status: 429, headers: { "retry-after": "3" } })
          assert.deepStrictEqual(yield* reasonOf(step), ["rate_limited", 3])
        }
      }).pipe(Effect.orDie)
    )

    it.effect("asks once where an answer is lost, and finds what was written", () =>
      Effect.gen(function* () {
        const { crm, customer, wire, world } = yield* peopled
        if (wire === undefined) return
        const { served, writes } = wire
        served.fate(...writes, "cut after")
        const failure = yield* Effect.flip(crm.write(customer.id, note("outbound-4")))
        assert.strictEqual(failure.reason, "unknown_outcome")
        assert.lengthOf(world.notes, 1)
        assert.isTrue(yield* crm.holds(customer.id, "outbound-4"))
        const asked = served.received.filter(({ method, path }) => method === writes[0] && path.endsWith(writes[1]))
        assert.lengthOf(asked, 1)
      }).pipe(Effect.orDie)
    )
  })
}
