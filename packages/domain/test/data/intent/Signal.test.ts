import { assert, describe, it } from "@effect/vitest"
import { credibleSignals } from "../../../src/data/intent/Signal.js"
import { windowOf } from "../../../src/data/intent/Window.js"
import type { FoundSignal, IntentSignalKind, NewsType } from "../../../src/sources/ports/IntentSource.js"

const NOW = Date.UTC(2026, 2, 15, 12)

const FOUND: FoundSignal = {
  companyDomain: "acme.example",
  title: "A new office",
  summary: "Acme opens an office",
  observedAt: "2026-03-10T08:00:00+02:00",
  evidenceUrl: "https://news.example/1",
  newsType: "expansion"
}

const credible = (found: Partial<FoundSignal>, kind: IntentSignalKind = "news") =>
  credibleSignals("acme.example", kind, [{ ...FOUND, ...found }], NOW)

describe("what a source says of a company", () => {
  it("is told in the forms of the wire", () => {
    const [signal] = credible({ companyDomain: "www.ACME.example", title: " A\nnew  office " }) ?? []
    assert.deepInclude(signal, {
      companyDomain: "acme.example",
      kind: "news",
      title: "A new office",
      observedAt: "2026-03-10T06:00:00.000Z"
    })
  })

  it.each<readonly [string, Partial<FoundSignal>]>([
    ["about another company", { companyDomain: "other.example" }],
    ["about no company", { companyDomain: "not a domain" }],
    ["without a date", { observedAt: "yesterday" }],
    ["dated the day after tomorrow", { observedAt: "2026-03-17" }],
    ["without a summary", { summary: " \n" }],
    ["with a summary that can't be shown", { summary: "a\u0000b" }]
  ])("%s is not believed", (_, found) => assert.isNull(credible(found)))

  it("may be dated tomorrow, which is today elsewhere", () => {
    assert.strictEqual(credible({ observedAt: "2026-03-16" })?.length, 1)
  })

  it("loses an address and a sort of news that make no sense, and nothing else", () => {
    const [signal] = credible({ evidenceUrl: "javascript:alert(1)", newsType: "splendid" as NewsType }) ?? []
    assert.deepInclude(signal, { evidenceUrl: null, newsType: "other", title: "A new office" })
    assert.isNull(credible({}, "funding")?.[0]?.newsType)
  })

  it("has no more to say when it says it twice", () => {
    const older = { ...FOUND, observedAt: "2026-03-01" }
    const signals = credibleSignals("acme.example", "news", [older, FOUND, FOUND, older], NOW)
    assert.deepStrictEqual(
      signals?.map(({ observedAt }) => observedAt.slice(0, 10)),
      ["2026-03-10", "2026-03-01"]
    )
    assert.deepStrictEqual(credibleSignals("acme.example", "news", [], NOW), [])
  })
})

describe("a window", () => {
  it("goes back by whole days in UTC, over leap days too", () => {
    assert.deepStrictEqual(windowOf({ within_days: 20 }, Date.UTC(2028, 2, 10, 23, 59)), {
      from: "2028-02-19",
      to: "2028-03-10",
      withinDays: 20
    })
  })

  it("begins where it is told to, also where that is still to come", () => {
    assert.deepStrictEqual(windowOf({ since: "2026-03-16" }, NOW), {
      from: "2026-03-16",
      to: "2026-03-16",
      withinDays: null
    })
  })
})
