import { assert, describe, it } from "@effect/vitest"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import { contactOf, identify, personByEmail } from "@outbound/sandbox/world/Contacts.js"
import { descriptionOf } from "@outbound/sandbox/world/Companies.js"
import { domainsFor } from "@outbound/sandbox/providers/SandboxSending.js"
import { recipientOf } from "@outbound/sandbox/world/Reactions.js"
import {
  addressOf,
  buildWorld,
  personBySlug,
  personOf,
  slugOf,
  world,
  WORLD_SEED
} from "@outbound/sandbox/world/World.js"

const RESERVED = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.(test|example)$/
const FICTIONAL = /^(\+447700900\d{3}|\+3363998\d{4}|\+1[2-9]\d{2}55501\d{2})$/

const everybody = Array.from({ length: world().peopleCount }, (_, person) => person)
const every = (step: number) => everybody.filter((person) => person % step === 0)

const PINNED = [
  ["Edward Williams", "edward.williams@vinonalegal.test"],
  ["Anke Walter", "anke.walter@eleliatrust.example"],
  ["Arnaud Simon", "arnaud_simon@ararisstores.test"]
]

const nobody = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain: null,
  title: null
}

describe("the world", () => {
  it("is as large as it says", () => {
    assert.strictEqual(world().companies.length, 4000)
    assert.isAtLeast(world().peopleCount, 35_000)
    assert.isAtMost(world().peopleCount, 45_000)
  })

  it("is the same whenever it is built, and another under another seed", () => {
    assert.deepStrictEqual(buildWorld(WORLD_SEED), world())
    assert.notDeepEqual(buildWorld(WORLD_SEED + 1).companies, world().companies)
  })

  it("never changes from release to release without this test saying so", () => {
    assert.deepStrictEqual(
      [0, 20_000, 39_000].map((person) => [personOf(world(), person).fullName, addressOf(world(), person)]),
      PINNED
    )
  })

  it("answers the same in whatever order it is asked", () => {
    const people = every(997)
    const facts = (person: number) => [personOf(world(), person), contactOf(world(), person)]
    assert.deepStrictEqual([...people].reverse().map(facts).reverse(), people.map(facts))
  })

  it("holds no address, domain or number that could be anybody's", () => {
    for (const { domain } of world().companies) assert.match(domain, RESERVED)
    for (const person of everybody) {
      const address = addressOf(world(), person)
      const [local = "", domain = ""] = address.split("@")
      assert.match(local, /^[a-z0-9]+([._][a-z0-9]+)?$/)
      assert.match(domain, RESERVED)
      const { mobile } = contactOf(world(), person)
      if (mobile !== null) assert.match(mobile.number, FICTIONAL)
    }
    for (const domain of domainsFor("acme", 200)) assert.match(domain, RESERVED)
    assert.isTrue(
      every(101).every((person) => personOf(world(), person).socialUrl?.startsWith("https://social.example/in/"))
    )
  })

  it("has no two companies with one domain, no two people with one address or profile", () => {
    assert.strictEqual(world().companyByDomain.size, world().companies.length)
    assert.strictEqual(new Set(everybody.map((person) => addressOf(world(), person))).size, everybody.length)
    assert.strictEqual(new Set(everybody.map((person) => slugOf(world(), person))).size, everybody.length)
  })

  it("has companies of every industry, mostly small, and everybody works at one", () => {
    assert.strictEqual(new Set(world().companies.map(({ industry }) => industry)).size, INDUSTRIES.length)
    const small = world().companies.filter(({ headcount }) => headcount <= 50).length
    assert.isTrue(small > 2000 && small < 3000)
    for (const company of world().companies) {
      assert.isTrue(company.peopleCount >= 1 && company.peopleCount <= company.headcount)
      assert.include(descriptionOf(company), company.name)
    }
  })

  it("finds a person by profile, by address where they have one, and by name and company", () => {
    for (const person of every(53)) {
      const { companyDomain, firstName, fullName, lastName, socialUrl } = personOf(world(), person)
      const { workEmail } = contactOf(world(), person)
      assert.strictEqual(personBySlug(world(), slugOf(world(), person)), person)
      assert.strictEqual(identify(world(), { ...nobody, socialUrl }), person)
      assert.strictEqual(
        identify(world(), { ...nobody, socialUrl: `${socialUrl}/?utm=1`.replace("https", "HTTP") }),
        person
      )
      assert.strictEqual(personByEmail(world(), addressOf(world(), person)), workEmail === null ? null : person)
      assert.strictEqual(
        identify(world(), { ...nobody, fullName: fullName?.toUpperCase() ?? null, companyDomain }),
        person
      )
      assert.strictEqual(identify(world(), { ...nobody, firstName, lastName, companyDomain }), person)
    }
  })

  it("finds nobody by what only looks like somebody's", () => {
    const { fullName, socialUrl } = personOf(world(), 7)
    for (const asked of [
      { fullName },
      { fullName, companyDomain: "no-such-company.test" },
      { socialUrl: `${socialUrl}x` },
      { socialUrl: socialUrl?.replace("social.example", "elsewhere.example") ?? null },
      { email: `nobody.at.all@${world().companies[0]?.domain}` },
      {}
    ]) {
      assert.isNull(identify(world(), { ...nobody, ...asked }))
    }
  })

  it("is mixed: 85 in 100 have an address, 70 of these valid; a quarter a mobile with it, 30 more by a search", () => {
    const share = (matches: (person: number) => boolean, of = everybody) => of.filter(matches).length / of.length
    const contact = (person: number) => contactOf(world(), person)
    const addressed = everybody.filter((person) => contact(person).workEmail !== null)
    const near = (actual: number, wanted: number) => assert.approximately(actual, wanted, 0.02)
    near(addressed.length / everybody.length, 0.85)
    near(
      share((person) => contact(person).emailVerdict === "valid", addressed),
      0.7
    )
    near(
      share((person) => contact(person).workEmailStatus === "catch_all", addressed),
      0.18
    )
    near(
      share((person) => contact(person).mobile?.comesWithEmail === true),
      0.25
    )
    near(
      share((person) => contact(person).mobile?.comesWithEmail === false),
      0.3
    )
    const persona = (person: number) => recipientOf(world(), addressOf(world(), person))?.persona
    near(
      share((person) => persona(person) === "interested", addressed),
      0.15
    )
    near(
      share((person) => persona(person) === "bounce", addressed),
      0.04
    )
    near(
      share((person) => persona(person) === null, addressed),
      0.55
    )
  })
})
