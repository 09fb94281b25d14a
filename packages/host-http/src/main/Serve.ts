import { crossOriginOf } from "@outbound/host-mcp/http/Origins.js"
import { isMcpPath } from "@outbound/host-mcp/http/Path.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import type { ConfiguredProviders } from "@outbound/adapters/providers/config/Configured.js"
import type { MovableClock } from "@outbound/sandbox/clock/MovableClock.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { isReachable, type Settings } from "@outbound/domain/kernel/Settings.js"
import { Circuits } from "@outbound/domain/sources/Circuits.js"
import { Context, Effect, Layer, Option } from "effect"
import type { OutboundConfig } from "../Config.js"
import { lateSurface, type Surface } from "../http/Exchange.js"
import * as HttpHost from "../HttpHost.js"
import { HttpServer } from "../HttpServer.js"
import { resourceMetadataUrl } from "../oauth/Metadata.js"
import { watchSources } from "../metrics/SourceMetrics.js"
import type { WorkerPart } from "./cluster/part.js"
import { metricsOfAll } from "./cluster/workerMetrics.js"
import type { Database } from "./Database.js"
import { clockSurface } from "./testClock/ClockSurface.js"
import { keepAhead } from "./testClock/KeptClock.js"
import { assertNoneLive } from "./testClock/TestClock.js"
import { firstSandbox, type Sandbox, startLink, welcome } from "./FirstStart.js"
import { tuneHeap } from "./heap.js"
import { migrated } from "./Opening.js"
import { readConfigured } from "./Providers.js"
import { keepAddress } from "./RunningService.js"
import { keyringFor, secretOf } from "./Secret.js"
import * as Service from "./Service.js"
import { makeWingAdmits, makeWingSurfaces } from "../wings/surfaces.js"
import * as UnsubscribeSurface from "../unsubscribe/UnsubscribeSurface.js"

const UNREACHABLE =
  "Live workspaces can't launch campaigns: recipients could not unsubscribe. Set OUTBOUND_BASE_URL to an https address that other machines reach."

/** Nobody misses an address for recipients before there is a live workspace. */
const warnOfUnreachable = Effect.gen(function* () {
  const workspaces = yield* (yield* Admin).listWorkspaces
  if (workspaces.some(({ kind }) => kind === "live")) yield* Effect.logWarning(UNREACHABLE)
})

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** Says that the service is ready, and where. */
const greet = (config: OutboundConfig, database: Database, sandbox: Option.Option<Sandbox>) =>
  Effect.gen(function* () {
    if (!isReachable(config.baseUrl)) yield* warnOfUnreachable
    const shown = Option.isNone(sandbox)
      ? Option.none()
      : Option.some({
          ...sandbox.value,
          link: yield* startLink(config.baseUrl, sandbox.value, process.stdout.isTTY === true)
        })
    yield* print(
      welcome({ baseUrl: config.baseUrl, place: database.place, providers: config.providers, sandbox: shown })
    )
  })

/** The pool and the service on a migrated database, until the scope closes. `approvalPage`: as in `Settings`. */
export const built = (
  config: OutboundConfig,
  database: Database,
  providers: ConfiguredProviders | null,
  approvalPage?: Settings["Service"]["approvalPage"]
) =>
  Effect.gen(function* () {
    const pool = yield* Layer.build(
      PgPool.layer({ url: database.url, applicationName: "outbound", ...PgPool.HOST_BOUNDS })
    )
    const secret = yield* secretOf(config.database)
    const keys = yield* Effect.provide(keyringFor(config.database, secret), pool)
    const service = yield* Layer.build(
      Layer.provide(Service.layer(config, keys, providers, approvalPage), Layer.succeedContext(pool))
    )
    return Context.merge(pool, service)
  })

type Built = Effect.Success<ReturnType<typeof built>>

/** Its surfaces, MCP and the way out among them. `port` null: another program's server gives them requests. */
export const surfacesOf = (
  config: OutboundConfig,
  context: Built,
  {
    more = [],
    ...options
  }: Pick<HttpHost.HttpHostOptions, "port" | "metricsPort" | "metricsOf"> & { readonly more?: ReadonlyArray<Surface> }
) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.context<never>()
    const tools = lateSurface({
      name: "mcp",
      owns: isMcpPath,
      crossOrigin: crossOriginOf(config.baseUrl),
      make: async () => {
        const { surface } = await import("@outbound/host-mcp/McpHost.js")
        const made = surface({ resourceMetadataUrl: resourceMetadataUrl(config.baseUrl) })
        return Effect.runPromiseWith(runtime)(Effect.provide(made, context))
      }
    })
    const wayOut = yield* Effect.provide(UnsubscribeSurface.surface, context)
    const wings = yield* Effect.provide(makeWingSurfaces, context)
    const admits = yield* Effect.provide(makeWingAdmits, context)
    const circuits = Context.get(context, Circuits)
    const host = HttpHost.layer({
      ...options,
      host: config.host,
      trustedProxies: config.trustedProxies,
      securityContact: Option.getOrNull(config.securityContact),
      surfaces: [tools, ...wings, wayOut, ...more],
      admits,
      watch: (registry) => watchSources(registry, circuits.view)
    })
    return Context.get(yield* Layer.build(Layer.provide(host, Layer.succeedContext(context))), HttpServer)
  })

/**
 * Runs until it is interrupted or its database is lost. It then closes in reverse order: the server drains its calls, the
 * workers and the engine stop, and the connections close. `part`: of a service of several processes.
 */
export const serve = (
  config: OutboundConfig,
  database: Database,
  part: WorkerPart | null,
  movable: MovableClock | null = null
) =>
  Effect.scoped(
    Effect.gen(function* () {
      tuneHeap()
      const providers = yield* readConfigured(config)
      if (part === null) yield* migrated(database)
      const isFirst = part?.isFirst ?? true
      const context = yield* built(config, database, providers)
      if (movable !== null) yield* assertNoneLive(yield* Context.get(context, Admin).listWorkspaces)
      const sandbox = isFirst ? yield* Effect.provide(firstSandbox, context) : Option.none()
      if (isFirst) yield* Layer.build(Layer.provide(Service.workers, Layer.succeedContext(context)))
      const keep = (aheadMillis: number) => keepAhead(config.database.dataDir, aheadMillis)
      yield* surfacesOf(config, context, {
        ...(movable === null ? {} : { more: [yield* Effect.provide(clockSurface(movable, keep), context)] }),
        port: config.port,
        metricsPort: Option.getOrNull(config.metricsPort),
        ...(part === null ? {} : { metricsOf: metricsOfAll })
      })
      if (part === null) yield* keepAddress(config.database.dataDir, config.baseUrl)
      if (isFirst && part?.isRestarted !== true) yield* Effect.provide(greet(config, database, sandbox), context)
      yield* Effect.addFinalizer(() => Effect.logInfo("Stopping: finishing calls in flight."))
      return yield* database.lost
    })
  )
