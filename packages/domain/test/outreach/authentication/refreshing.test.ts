import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { HOUR_MILLIS, MINUTE_MILLIS } from "../../../src/kernel/durations.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { type WorkspaceKind, WorkspaceStore } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { askNames } from "../../../src/outreach/authentication/askNames.js"
import { authenticationRefusal, failingDomains } from "../../../src/outreach/authentication/gate.js"
import { type DomainLook, lookAfter } from "../../../src/outreach/authentication/Look.js"
import {
  LAUNCH_DOMAINS_MAX,
  LAUNCH_FAILING_MILLIS,
  LAUNCH_LOOK_MILLIS,
  makeLooks
} from "../../../src/outreach/authentication/Looks.js"
import { LookStore, SEEN_MILLIS } from "../../../src/outreach/authentication/LookStore.js"
import { SendingDomainStore } from "../../../src/outreach/domains/SendingDomainStore.js"
import { DomainRecords } from "../../../src/outreach/mail/DomainRecords.js"

const NOW = Date.UTC(2027, 0, 4)

/** Name servers: of a domain that is well, and of one that publishes nothing. Keeps what they were asked. */
const names = (asked: Array<string> = [], isSilent = false) =>
  DomainRecords.of({
    mx: (domain) => {
      asked.push(domain)
      return isSilent ? Effect.never : Effect.succeed(["mx.test"])
    },
    a: () => Effect.succeed([]),
    cname: () => Effect.succeed([]),
    txt: (name) => {
      asked.push(name)
      if (isSilent) return Effect.never
      if (name.includes("failing")) return Effect.succeed([])
      if (name.startsWith("_dmarc.")) return Effect.succeed(["v=DMARC1; p=reject"])
      if (name.includes("._domainkey.")) {
        return Effect.succeed(["v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB"])
      }
      return Effect.succeed(["v=spf1 ip4:192.0.2.1 ~all"])
    }
  })

/** A look that was made so long ago. */
const lookedAt = (domain: string, ago: number, nextLookAtMillis = NOW + HOUR_MILLIS) =>
  Effect.map(askNames(names(), domain, { selectors: [], seen: [] }, NOW - ago), (findings): DomainLook => ({
    ...lookAfter(null, { workspaceId: "w", domain, findings, listed: null }, NOW - ago),
    nextLookAtMillis
  }))

interface Given {
  readonly kind: WorkspaceKind
  readonly looks: ReadonlyArray<DomainLook>
  /** Whether the name servers never answer. */
  readonly isSilent: boolean
  /** Whether this host asks name servers. */
  readonly hasNames: boolean
}

const LIVE: Given = { kind: "live", looks: [], isSilent: false, hasNames: true }

/** What a look before a launch asked, in order, and what it kept. */
const refreshed = (domains: ReadonlyArray<string>, given: Partial<Given> = {}) =>
  Effect.gen(function* () {
    const { hasNames, isSilent, kind, looks } = { ...LIVE, ...given }
    yield* TestClock.setTime(NOW)
    const asked: Array<string> = []
    const since: Array<number> = []
    const kept: Array<DomainLook> = []
    const lookStore = {
      looks: (_: string, of: ReadonlyArray<string>) =>
        Effect.succeed(looks.filter(({ domain }) => of.includes(domain))),
      lock: ({ domain }: { readonly domain: string }) =>
        Effect.succeed(Option.fromNullishOr(looks.find((look) => look.domain === domain))),
      put: (look: DomainLook) => Effect.sync(() => void kept.push(look)),
      signatures: (_: unknown, sinceMillis: number) =>
        Effect.sync(() => {
          since.push(sinceMillis)
          return []
        })
    }
    const wishes = (selector: string) => ({ dkim: [{ selector }] })
    const owned = [
      { domain: "acme.test", wishes: wishes("chosen") },
      { domain: "other.test", wishes: wishes("theirs") }
    ]
    const looking = Effect.flatMap(makeLooks, ({ refresh }) => refresh("w", domains)).pipe(
      Effect.provideService(LookStore, lookStore as never),
      Effect.provideService(SendingDomainStore, { list: () => Effect.succeed(owned) } as never),
      Effect.provideService(WorkspaceStore, { get: () => Effect.succeed(Option.some({ kind })) } as never),
      Effect.provideService(UnitOfWork, { atomically: (body: unknown) => body } as never)
    )
    const fiber = yield* Effect.forkChild(
      hasNames ? Effect.provideService(looking, DomainRecords, names(asked, isSilent)) : looking
    )
    yield* TestClock.adjust(8_000)
    const isOver = fiber.pollUnsafe() !== undefined
    yield* Fiber.interrupt(fiber)
    return { asked, since, kept, isOver, domains: kept.map(({ domain }) => domain) }
  })

describe("a look before a launch", () => {
  it.effect("asks of a live workspace alone, and where this host asks name servers", () =>
    Effect.gen(function* () {
      const { domains, isOver } = yield* refreshed(["acme.test", "acme.test", "plain.test"])
      assert.deepStrictEqual([domains, isOver], [["acme.test", "plain.test"], true])
      assert.isEmpty((yield* refreshed(["acme.test"], { kind: "sandbox" })).asked)
      const none = yield* refreshed(["acme.test"], { hasNames: false })
      assert.deepStrictEqual([none.asked, none.kept, none.isOver], [[], [], true])
    })
  )

  it.effect("asks again once a look is too old, of one that failed sooner, and of one from a later time", () =>
    Effect.gen(function* () {
      const looks = [
        yield* lookedAt("young.test", LAUNCH_LOOK_MILLIS),
        yield* lookedAt("this-moment.test", 0),
        yield* lookedAt("old.test", LAUNCH_LOOK_MILLIS + 1),
        yield* lookedAt("failing-young.test", LAUNCH_FAILING_MILLIS),
        yield* lookedAt("failing-old.test", LAUNCH_FAILING_MILLIS + 1),
        yield* lookedAt("later.test", -1)
      ]
      const { domains } = yield* refreshed(
        looks.map(({ domain }) => domain),
        { looks }
      )
      assert.sameMembers(domains, ["old.test", "failing-old.test", "later.test"])
    })
  )

  it.effect("asks the oldest first, those that nobody looked at before them, and so many at most", () =>
    Effect.gen(function* () {
      const known = yield* Effect.forEach(
        Array.from({ length: LAUNCH_DOMAINS_MAX + 5 }, (_, index) => index),
        (index) => lookedAt(`known-${index}.test`, 10 * HOUR_MILLIS + index * MINUTE_MILLIS)
      )
      // In no order, the new one among the others.
      const half = (odd: number) => known.filter((_, index) => index % 2 === odd).map(({ domain }) => domain)
      const given = [...half(1), "new.test", ...half(0).toReversed()]
      const { asked, domains } = yield* refreshed(given, { looks: known })
      const oldest = known
        .toReversed()
        .slice(0, LAUNCH_DOMAINS_MAX - 1)
        .map(({ domain }) => domain)
      assert.sameMembers(domains, ["new.test", ...oldest])
      const first = asked.filter((name) => /^(known-\d+|new)\.test$/.test(name))
      assert.deepStrictEqual([...new Set(first)].slice(0, 2), ["new.test", oldest[0]])
    })
  )

  it.effect("leaves the daily look when it was to come, or brings it forward, and never puts it off", () =>
    Effect.gen(function* () {
      const soon = yield* lookedAt("soon.test", 10 * HOUR_MILLIS, NOW + 1)
      const late = yield* lookedAt("late.test", 10 * HOUR_MILLIS, NOW + 10_000 * HOUR_MILLIS)
      const { kept } = yield* refreshed(["soon.test", "late.test", "new.test"], { looks: [soon, late] })
      const next = new Map(kept.map(({ domain, nextLookAtMillis }) => [domain, nextLookAtMillis]))
      assert.strictEqual(next.get("soon.test"), NOW + 1)
      assert.isBelow(next.get("late.test") ?? 0, NOW + 48 * HOUR_MILLIS)
      assert.isAbove(next.get("late.test") ?? 0, NOW)
      assert.strictEqual(next.get("new.test"), NOW)
    })
  )

  it.effect("asks by the selectors that the owner named for this domain, and by what mail was seen lately", () =>
    Effect.gen(function* () {
      const { asked, since } = yield* refreshed(["acme.test"])
      assert.include(asked, "chosen._domainkey.acme.test")
      assert.notInclude(asked.join(" "), "theirs")
      assert.deepStrictEqual(since, [NOW - SEEN_MILLIS])
    })
  )

  it.effect("waits for name servers that don't answer no longer than is said", () =>
    Effect.gen(function* () {
      const { domains, isOver } = yield* refreshed(["acme.test"], { isSilent: true })
      assert.deepStrictEqual([domains, isOver], [[], true])
    })
  )
})

describe("a refusal for what is not authenticated", () => {
  const failing = (count: number) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => `failing-${count - index}.test`),
      (domain) => lookedAt(domain, 0)
    )

  it.effect("names the domains by their names, in words three of them, and counts the others", () =>
    Effect.gen(function* () {
      const well = yield* lookedAt("well.test", 0)
      assert.isNull(authenticationRefusal("require", [well], NOW))
      const words = (count: number) =>
        Effect.map(failing(count), (looks) => authenticationRefusal("require", [well, ...looks], NOW)?.message ?? "")
      assert.notInclude(yield* words(1), "more")
      assert.notInclude(yield* words(3), "more domain")
      assert.include(yield* words(4), "1 more domain is not authenticated.")
      assert.include(yield* words(5), "2 more domains are not authenticated.")
      const five = yield* failing(5)
      const detail = (domain: string) =>
        five.find((look) => look.domain === domain)?.findings.spf.detail ?? "it is not there"
      const text = yield* words(5)
      for (const index of [1, 2, 3]) assert.include(text, detail(`failing-${index}.test`))
      for (const index of [4, 5]) assert.notInclude(text, detail(`failing-${index}.test`))
      assert.match(text, /^The workspace requires that every domain it sends from is authenticated\./)
      assert.match(text, /The next call asks the DNS again\.$/)
      assert.deepStrictEqual(
        failingDomains([well, ...five], NOW).map(({ domain }) => domain),
        [1, 2, 3, 4, 5].map((index) => `failing-${index}.test`)
      )
      assert.isNull(authenticationRefusal("warn", five, NOW))
    })
  )
})
