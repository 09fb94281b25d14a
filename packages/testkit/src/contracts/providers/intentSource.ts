import { assert } from "@effect/vitest"
import { credibleProse } from "@outbound/domain/data/companies/credibleCompany.js"
import { credibleTimestamp, credibleUrl } from "@outbound/domain/data/people/Credible.js"
import {
  type FoundSignal,
  type IntentQuery,
  type IntentSource,
  NEWS_TYPES,
  NOWHERE
} from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect } from "effect"
import { portSuite } from "./portSuite.js"
import { type Fixture, isNewestFirst, isRegistrable, keepsAll } from "./sources.js"

export type IntentSourceFixture = Fixture<IntentQuery, ReadonlyArray<FoundSignal>>

const TEXT_CHARS_MAX = 5_000

export const intentSourceSuite = portSuite<IntentSource, IntentQuery, ReadonlyArray<FoundSignal>>({
  kind: "intent_source",
  ask: (source, query) => Effect.map(source.check(query), (found) => (found === NOWHERE ? [] : found)),
  holds: (signals, { request, says }, source) => {
    assert.include(source.signals, request.signal, `${says}: what it says that it serves`)
    assert.isAtMost(signals.length, request.limit, `${says}: the limit`)
    isNewestFirst(
      signals.map(({ observedAt }) => observedAt),
      says
    )
    for (const { companyDomain, evidenceUrl, newsType, observedAt, summary, title } of signals) {
      assert.strictEqual(companyDomain, request.companyDomain, `${says}: whom it is about`)
      isRegistrable(companyDomain, says)
      keepsAll(
        [title, summary],
        [title, summary].map((text) => credibleProse(text, TEXT_CHARS_MAX)),
        says
      )
      keepsAll([observedAt, evidenceUrl], [credibleTimestamp(observedAt), credibleUrl(evidenceUrl)], says)
      if (newsType !== null) {
        assert.strictEqual(request.signal, "news", `${says}: only news are sorted`)
        assert.include(NEWS_TYPES, newsType)
      }
    }
  }
})
