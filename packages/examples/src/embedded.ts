/*
 * A backend team runs the service inside its own process: no port, no second program. Which stores, which providers and
 * which secret it runs on is the team's choice; the verbs, their prices and their rules stay what they are.
 */
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import * as DisposableList from "@outbound/adapters/platform/DisposableList.js"
import * as HolidayCalendar from "@outbound/adapters/platform/HolidayCalendar.js"
import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import * as Client from "@outbound/client/Client.js"
import * as InProcess from "@outbound/client/InProcess.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import * as MemoryMail from "@outbound/testkit/mail/MemoryMail.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import { Effect, Layer, Redacted } from "effect"

/** What the team has already: it knows the addresses of its own customers. */
const CUSTOMERS = new Map([
  ["ada@customers.example", "valid"],
  ["old@customers.example", "invalid"]
] as const)

/** A provider of the team's own: the port's interface, filled in. */
const ourVerifier: EmailVerifier = {
  name: "our_customers",
  costMicros: 0,
  missRate: 0.5,
  latencyMillis: 1,
  verify: (email) => {
    if (!email.endsWith("@customers.example")) {
      return Effect.fail(new ProviderFailure({ provider: "our_customers", reason: "transient" }))
    }
    const status = new Map<string, "valid" | "invalid">(CUSTOMERS).get(email) ?? "unknown"
    return Effect.succeed({ status, isCatchAllDomain: false })
  }
}

/** Live workspaces get the team's verifier and nothing else: every other verb says that it is not available. */
const providers = Layer.succeed(Providers, {
  sandbox: noProviders,
  live: { ...noProviders, emailVerifiers: [ourVerifier] }
})

const ground = Layer.mergeAll(
  NodeIds.layer,
  HolidayCalendar.layer,
  DisposableList.layer,
  NodeCrypto.layer(Redacted.make("a secret of at least 32 characters, from your vault")),
  Layer.succeed(Settings, { baseUrl: "https://outbound.your-company.example" }),
  MemoryMail.layer,
  providers
)

/**
 * In memory, so that this runs as it is. In production: `PgStores.layer` over your pool, `GraphileWork.layer`,
 * `GraphileRunner.layer` and `PgWorkSignals.layer`, all of `@outbound/adapters`, and `Outbound.workers` beside the calls.
 */
const stores = Layer.provideMerge(MemoryWork.layer, MemoryLayer.layer)

const runner = MemoryWork.runner.pipe(Layer.provide(Outbound.jobs))

const service = Layer.mergeAll(Outbound.calls, Outbound.admin).pipe(
  Layer.provideMerge(runner),
  Layer.provideMerge(stores),
  Layer.provideMerge(ground)
)

/** A workspace and a key of it, as the operator's program makes them. */
const newKey = Effect.gen(function* () {
  const admin = yield* Admin
  const { workspaceId } = yield* admin.createWorkspace({
    name: "Your company",
    ownerEmail: "owner@your-company.example",
    kind: "live",
    credits: credits("10"),
    postalAddress: null
  })
  const { apiKey } = yield* admin.createKey({
    workspaceId,
    name: "backend",
    scopes: [],
    monthlySpendCap: credits("5"),
    autonomousExternalActions: false
  })
  return Redacted.make(apiKey)
})

const checkCustomers = Effect.gen(function* () {
  const client = yield* Client.make
  const lines: Array<string> = []
  for (const email of CUSTOMERS.keys()) {
    const { result, svc } = yield* client.verify_email({ email })
    lines.push(`${result.email}: ${result.status}, ${svc.credits_charged} credit, ${svc.credits_available} left`)
  }
  const elsewhere = yield* client.find_leads({ audience: "anybody" }).pipe(
    Effect.map(({ result }) => `${result.leads.length} leads`),
    Effect.catchTag("tool_unavailable", ({ details }) => Effect.succeed(`${details.tool}: ${details.reason}`))
  )
  return [...lines, elsewhere]
})

/** Says what came of it, a line each. */
export const embedded: Effect.Effect<ReadonlyArray<string>, unknown> = Effect.gen(function* () {
  const apiKey = yield* newKey
  return yield* checkCustomers.pipe(Effect.provide(InProcess.layer({ apiKey })))
}).pipe(Effect.scoped, Effect.provide(service))
