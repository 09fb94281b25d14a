import { assert, it } from "@effect/vitest"
import { makeVendorUnderTest, vendorSuite } from "@outbound/testkit/contracts/providers/vendor.js"
import { told } from "@outbound/testkit/contracts/providers/sources.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Redacted } from "effect"
import { predictLeads } from "../../src/providers/predict_leads/PredictLeads.js"
import { theirStack } from "../../src/providers/their_stack/TheirStack.js"
import { predictLeadsFixtures } from "./signals/predictLeads.js"
import { theirStackFixtures } from "./signals/theirStack.js"

vendorSuite(theirStack, theirStackFixtures)
vendorSuite(predictLeads, predictLeadsFixtures)

it.effect("an own credential of which a half is missing can't be used, and is sent nowhere", () =>
  Effect.gen(function* () {
    const { made, server } = yield* makeVendorUnderTest(predictLeads)
    const ownKey = () => Effect.succeedSome(Redacted.make("key-0123456789abcdef"))
    const failure = yield* Effect.flip(made.account).pipe(
      Effect.provideService(CurrentSourceAccess, { ...noAccess, ownKey })
    )
    assert.deepInclude(failure, { provider: "predict_leads", reason: "account", ownKey: "unusable" })
    assert.strictEqual(server.received.length, 0)
  })
)

it.effect("of a credential that is two, each goes where it belongs, and neither is told", () =>
  Effect.gen(function* () {
    const { made, server } = yield* makeVendorUnderTest(
      predictLeads,
      {},
      "key-0123456789abcdef:token-0123456789:abcdef"
    )
    const [exchange] = predictLeadsFixtures.account.exchanges
    if (exchange === undefined) return
    server.on(exchange)
    yield* told(made.account)
    assert.strictEqual(server.received[0]?.headers["x-api-key"], "key-0123456789abcdef")
    assert.strictEqual(server.received[0]?.headers["x-api-token"], "token-0123456789:abcdef")
    server.on({
      ...exchange,
      answer: { status: 401, json: { error: "no token-0123456789:abcdef of key-0123456789abcdef" } }
    })
    const [, failure] = yield* told(Effect.flip(made.account))
    assert.notMatch(String(failure.cause), /0123456789/)
  })
)
