import { assert, layer as describeLayer } from "@effect/vitest"
import { CallStories } from "@outbound/domain/control/CallStories.js"
import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { sealOwnKey } from "@outbound/domain/sources/ownKeys/secret.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { FAILURES_MAX, OPEN_SECONDS } from "@outbound/domain/sources/Circuit.js"
import { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { assertBalance, assertRefused, resultOf, SUITE } from "@outbound/testkit/contracts/service/support.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import { type Client, makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { makeVendorHttp } from "../../src/providers/VendorHttp.js"

const [FIRST, SECOND, THIRD] = ["first", "second", "third"] as const
const NAMES = [FIRST, SECOND, THIRD]

type Behaviour = "valid" | "unknown" | "down" | "limited" | "refuses_own"

/** How each vendor behaves, and who was asked with whose credential since that was last forgotten. */
const behaviours = new Map<string, Behaviour>()
let asked: Array<readonly [string, string]> = []

/** Three vendors on one server, each below a path of its own. */
const server = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const made = createServer((request, response) => {
      const [, vendor = ""] = (request.url ?? "").split("/")
      const credential = request.headers.authorization ?? "none"
      asked.push([vendor, credential])
      const answer = (status: number, body: object, headers = {}) =>
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
      const behaviour = behaviours.get(vendor)
      if (behaviour === "down") request.socket.destroy()
      else if (behaviour === "limited") answer(429, {}, { "retry-after": "100" })
      else if (behaviour === "refuses_own" && credential.startsWith("own")) answer(401, {})
      else answer(200, { status: behaviour === "unknown" ? "unknown" : "valid" })
    })
    made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
  }),
  (made) =>
    Effect.callback<void>((resume) => {
      made.closeAllConnections()
      made.close(() => resume(Effect.void))
    })
)

const Answer = Schema.Struct({ status: Schema.Literals(["valid", "unknown"]) })

/** `third` has no credential of the service's in the second set: only who brings theirs is served. */
const verifierOf = (name: string, rank: number, at: string, credential: string | null) =>
  Effect.map(
    makeVendorHttp({
      name,
      baseUrl: `${at}/${name}`,
      credential: credential === null ? null : Redacted.make(credential),
      authorize: (authorization) => ({ headers: { authorization } }),
      callsPerMinute: null
    }),
    (http): EmailVerifier => ({
      name,
      costMicros: rank * 1_000,
      missRate: 0,
      latencyMillis: 100,
      verify: (email) =>
        Effect.tap(
          Effect.map(http.read(Answer, { method: "GET", path: "/verify", query: { email } }), ({ status }) => ({
            status,
            isCatchAllDomain: false
          })),
          () =>
            Effect.flatMap(CurrentSourceAccess, (reach) =>
              Effect.andThen(
                reach.spent({ vendor: name, unit: "credit", amount: 1, micros: rank * 1_000 }),
                reach.evidence(name, { asked: email, checks: ["syntax"] })
              )
            )
        )
    })
  )

const serviceWith = (credentials: ReadonlyArray<string | null>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { port } = (yield* server).address() as AddressInfo
      const emailVerifiers = yield* Effect.forEach(NAMES, (name, index) =>
        verifierOf(name, index + 1, `http://127.0.0.1:${port}`, credentials[index] ?? null)
      )
      return over(MemoryLayer.layer, { ...noProviders, emailVerifiers })
    })
  )

let people = 0

/** Verifies an address that no other call asks about. */
const verify = (client: Client) =>
  Effect.suspend(() => {
    asked = []
    return client.call("verify_email", { email: `person${people++}@corp.example` })
  })

const behave = (first: Behaviour, second: Behaviour, third: Behaviour) =>
  Effect.sync(() => [first, second, third].forEach((one, index) => behaviours.set(NAMES[index] ?? "", one)))

/** A live workspace, while nothing is remembered of any vendor. */
const given = Effect.andThen(TestClock.adjust("2 hours"), makeClient({ kind: "live" }))

const bring = ({ workspaceId }: Client, vendor: string, secret: string) =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const store = yield* OwnKeyStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(
      store.put({
        workspaceId,
        vendor,
        sealedSecret: secret === "" ? "unreadable" : sealOwnKey(crypto, { workspaceId, vendor }, secret),
        last4: "last",
        addedBy: "owner@corp.example",
        addedAtMillis: yield* Clock.currentTimeMillis,
        refusedAtMillis: null
      })
    )
  })

const whom = () => asked.map(([vendor]) => vendor)

describeLayer(serviceWith(["service-1", "service-2", "service-3"]), SUITE)("vendors over HTTP", (it) => {
  it.effect("one is down, one asked too often: the third answers, each asked once, and the next call skips both", () =>
    Effect.gen(function* () {
      const client = yield* given
      yield* behave("down", "limited", "valid")
      const before = yield* Clock.currentTimeMillis
      const answer = yield* verify(client)
      assert.strictEqual(resultOf(answer).status, "valid")
      assert.strictEqual(answer.svc.credits_charged, "1")
      assert.deepStrictEqual(whom(), NAMES)
      assert.strictEqual(yield* Clock.currentTimeMillis, before)
      assert.strictEqual((yield* verify(client)).svc.credits_charged, "1")
      assert.deepStrictEqual(whom(), [THIRD])
      const neighbour = yield* makeClient({ kind: "live" })
      resultOf(yield* verify(neighbour))
      assert.deepStrictEqual(whom(), [THIRD])
      yield* assertBalance(client, "298")

      yield* behave("valid", "valid", "valid")
      yield* TestClock.adjust("100 seconds")
      resultOf(yield* verify(client))
      assert.deepStrictEqual(whom(), [FIRST])
    })
  )

  it.effect("where nobody is there it fails free of charge, and says when the first is back", () =>
    Effect.gen(function* () {
      const client = yield* given
      yield* behave("limited", "limited", "limited")
      assertRefused(yield* verify(client), "provider_unavailable", { retry_after_seconds: 100 })
      assert.deepStrictEqual(whom(), NAMES)
      assertRefused(yield* verify(client), "provider_unavailable", { retry_after_seconds: 100 })
      assert.deepStrictEqual(whom(), [])
      yield* assertBalance(client, "300")
    })
  )

  it.effect("a workspace's own credential is used for its calls, and for nobody else's", () =>
    Effect.gen(function* () {
      const client = yield* given
      const neighbour = yield* makeClient({ kind: "live" })
      yield* behave("valid", "valid", "valid")
      yield* bring(client, FIRST, "own-secret-1")
      const answer = yield* verify(client)
      assert.strictEqual(answer.svc.credits_charged, "1")
      assert.deepStrictEqual(asked, [[FIRST, "own-secret-1"]])
      yield* verify(neighbour)
      assert.deepStrictEqual(asked, [[FIRST, "service-1"]])
    })
  )

  it.effect("an own credential that is refused is told where no other source has an answer, free of charge", () =>
    Effect.gen(function* () {
      const client = yield* given
      const store = yield* OwnKeyStore
      yield* bring(client, FIRST, "own-secret-2")
      yield* behave("refuses_own", "valid", "valid")
      assert.strictEqual(resultOf(yield* verify(client)).status, "valid")
      assert.deepStrictEqual(whom(), [FIRST, SECOND])
      assert.isNotNull((yield* store.list(client.workspaceId))[0]?.refusedAtMillis)

      yield* behave("refuses_own", "unknown", "down")
      const refused = yield* verify(client)
      assertRefused(refused, "own_key_failed", { provider: FIRST })
      assert.strictEqual(refused.status, 424)
      assert.deepStrictEqual(whom(), NAMES)
      yield* assertBalance(client, "299")

      yield* behave("valid", "valid", "valid")
      resultOf(yield* verify(client))
      assert.deepStrictEqual(whom(), [FIRST])
      assert.isNull((yield* store.list(client.workspaceId))[0]?.refusedAtMillis)
    })
  )

  it.effect("a stored credential that can't be opened is told as such, and its vendor is not asked", () =>
    Effect.gen(function* () {
      const client = yield* given
      yield* bring(client, FIRST, "")
      yield* behave("valid", "unknown", "unknown")
      const refused = yield* verify(client)
      assertRefused(refused, "tool_key_invalid", { provider: FIRST })
      assert.strictEqual(refused.status, 424)
      assert.deepStrictEqual(whom(), [SECOND, THIRD])
      yield* behave("valid", "valid", "unknown")
      assert.strictEqual(resultOf(yield* verify(client)).status, "valid")
      yield* assertBalance(client, "299")
    })
  )

  it.effect(
    "refusals of an own credential count against nobody, and a vendor that rests for others is asked with it",
    () =>
      Effect.gen(function* () {
        const owner = yield* given
        const neighbour = yield* makeClient({ kind: "live" })
        yield* bring(owner, FIRST, "own-secret-3")
        yield* behave("refuses_own", "valid", "valid")
        for (let call = 0; call < 2 * FAILURES_MAX; call++) {
          resultOf(yield* verify(owner))
          assert.deepStrictEqual(whom(), [FIRST, SECOND])
        }
        resultOf(yield* verify(neighbour))
        assert.deepStrictEqual(whom(), [FIRST])

        yield* behave("limited", "valid", "valid")
        resultOf(yield* verify(neighbour))
        yield* behave("valid", "valid", "valid")
        resultOf(yield* verify(neighbour))
        assert.deepStrictEqual(whom(), [SECOND])
        resultOf(yield* verify(owner))
        assert.deepStrictEqual(asked, [[FIRST, "own-secret-3"]])

        // And the other way round: what rests for the owner is asked for everybody else.
        yield* TestClock.adjust(`${OPEN_SECONDS + 100} seconds`)
        yield* behave("limited", "valid", "valid")
        resultOf(yield* verify(owner))
        yield* behave("valid", "valid", "valid")
        resultOf(yield* verify(owner))
        assert.deepStrictEqual(whom(), [SECOND])
        resultOf(yield* verify(neighbour))
        assert.deepStrictEqual(whom(), [FIRST])
      })
  )

  it.effect("what a call cost and rests on is kept with it, and names nobody", () =>
    Effect.gen(function* () {
      const client = yield* given
      const stories = yield* CallStories
      const store = yield* MarginStore
      yield* behave("unknown", "valid", "valid")
      const { requestId } = yield* verify(client)
      const { costs, evidence, record } = Option.getOrThrow(yield* stories.of(requestId))
      assert.strictEqual(record.verb, "verify_email")
      assert.deepStrictEqual(costs, [
        { vendor: FIRST, unit: "credit", amount: 1, micros: 1_000, answers: 1 },
        { vendor: SECOND, unit: "credit", amount: 1, micros: 2_000, answers: 1 }
      ])
      assert.deepStrictEqual(
        evidence,
        [FIRST, SECOND].map((source) => ({ source, facts: { asked: "[address]", checks: ["syntax"] } }))
      )
      const { verbs } = yield* store.margins({ sinceMillis: 0, workspaceId: client.workspaceId })
      assert.deepInclude(verbs[0], { verb: "verify_email", calls: 1 })
    })
  )
})

describeLayer(serviceWith([null, null, null]), SUITE)("vendors that the service has no credential for", (it) => {
  it.effect("serve who brings theirs; for everybody else they are as if not configured", () =>
    Effect.gen(function* () {
      const client = yield* given
      yield* behave("valid", "valid", "valid")
      assertRefused(yield* verify(client), "tool_unavailable", {
        tool: "verify_email",
        reason: "no provider is configured for this workspace"
      })
      assert.deepStrictEqual(asked, [])
      yield* bring(client, SECOND, "own-secret-4")
      assert.strictEqual(resultOf(yield* verify(client)).status, "valid")
      assert.deepStrictEqual(asked, [[SECOND, "own-secret-4"]])
      yield* behave("valid", "down", "valid")
      assertRefused(yield* verify(client), "provider_unavailable", { retry_after_seconds: 5 })
      yield* assertBalance(client, "299")
    })
  )
})
