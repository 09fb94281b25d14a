import * as McpHost from "@outbound/host-mcp/McpHost.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { isReachable } from "@outbound/domain/kernel/Settings.js"
import { Circuits } from "@outbound/domain/sources/Circuits.js"
import { Context, Data, Effect, Layer, Option } from "effect"
import { setFlagsFromString } from "node:v8"
import type { OutboundConfig } from "../Config.js"
import * as HttpHost from "../HttpHost.js"
import * as HttpServer from "../HttpServer.js"
import { resourceMetadataUrl } from "../oauth/Metadata.js"
import { watchSources } from "../metrics/SourceMetrics.js"
import { openDatabase } from "./Database.js"
import * as PaymentSurface from "../payments/PaymentSurface.js"
import { firstSandbox, type Sandbox } from "./FirstStart.js"
import * as Logging from "./Logging.js"
import { patientPool } from "./Operator.js"
import { readConfigured } from "./Providers.js"
import { keepAddress, runningOn } from "./RunningService.js"
import { assertSecret, secretOf } from "./Secret.js"
import * as Service from "./Service.js"
import * as Tracing from "./Tracing.js"
import * as UnsubscribeSurface from "../unsubscribe/UnsubscribeSurface.js"
import { welcome } from "./Welcome.js"

/** Makes V8 collect earlier than it would with much memory. It halves the service's memory under load. */
const HEAP_GROWTH_PERCENT = 100

const UNREACHABLE =
  "Live workspaces can't launch campaigns: recipients could not unsubscribe. Set OUTBOUND_BASE_URL to an https address that other machines reach."

/** Nobody misses an address for recipients before there is a live workspace. */
const warnOfUnreachable = Effect.gen(function* () {
  const workspaces = yield* (yield* Admin).listWorkspaces
  if (workspaces.some(({ kind }) => kind === "live")) yield* Effect.logWarning(UNREACHABLE)
})

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** A sign-in link for the owner of the sandbox. A reader of our output can already do all that it allows. */
const linkFor = (config: OutboundConfig, { workspace }: Sandbox) =>
  workspace.ownerEmail === null
    ? Effect.succeed(Option.none<string>())
    : Effect.map(
        Effect.flatMap(Console, (console) => console.makeSignInLink(workspace.ownerEmail ?? "")),
        (secret) => Option.some(`${config.baseUrl}/console/sign-in?token=${secret}`)
      )

/** Another service of ours has the port. */
export class AlreadyRunning extends Data.TaggedError("AlreadyRunning")<{ readonly url: string; readonly pid: number }> {
  override get message(): string {
    return `outbound already runs at ${this.url} (process ${this.pid}). Stop it first, or set OUTBOUND_PORT and OUTBOUND_DATA_DIR to run another one.`
  }
}

/** Fails if the ports are taken, before anything is made: a new database shows its key only once. */
const assertFree = ({ database, host, metricsPort, port }: OutboundConfig) =>
  Effect.forEach([port, ...Option.toArray(metricsPort)], (wanted) => HttpServer.assertFree(host, wanted)).pipe(
    Effect.mapError((error) => {
      const running = runningOn(database.dataDir)
      return running === undefined ? error : new AlreadyRunning(running)
    })
  )

/**
 * Runs until it is interrupted or its database is lost. It then closes in reverse order: the server drains its calls, the
 * workers and the engine stop, the connections close, and the embedded database stops.
 */
export const serve = (config: OutboundConfig) =>
  Effect.scoped(
    Effect.gen(function* () {
      setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
      const providers = yield* readConfigured(config)
      yield* assertFree(config)
      const database = yield* openDatabase(config.database)
      const applied = yield* Effect.provide(migrate(), patientPool(database))
      if (applied.length > 0) yield* Effect.logInfo(`Applied ${applied.length} migrations.`)
      const pool = yield* Layer.build(PgPool.layer({ url: database.url, applicationName: "outbound" }))
      const secret = yield* secretOf(config.database)
      yield* Effect.provide(assertSecret(secret), pool)

      const service = yield* Layer.build(
        Layer.provide(Service.layer(config, secret, providers), Layer.succeedContext(pool))
      )
      const context = Context.merge(pool, service)
      const sandbox = yield* Effect.provide(firstSandbox, context)
      yield* Layer.build(Layer.provide(Service.workers, Layer.succeedContext(context)))
      const tools = yield* Effect.provide(
        McpHost.surface({ resourceMetadataUrl: resourceMetadataUrl(config.baseUrl) }),
        context
      )
      const wayOut = yield* Effect.provide(UnsubscribeSurface.surface, context)
      const circuits = Context.get(context, Circuits)
      const payments = yield* Effect.provide(PaymentSurface.surface, context)
      const host = HttpHost.layer({
        host: config.host,
        port: config.port,
        metricsPort: Option.getOrNull(config.metricsPort),
        trustedProxies: config.trustedProxies,
        surfaces: [tools, wayOut, payments],
        watch: (registry) => watchSources(registry, circuits.view)
      })
      yield* Layer.build(Layer.provide(host, Layer.succeedContext(context)))
      yield* keepAddress(config.database.dataDir, config.baseUrl)

      if (!isReachable(config.baseUrl)) yield* Effect.provide(warnOfUnreachable, context)
      const shown = Option.map(sandbox, (made) =>
        Effect.map(Effect.provide(linkFor(config, made), context), (link) => ({ ...made, link }))
      )
      yield* print(
        welcome({
          baseUrl: config.baseUrl,
          place: database.place,
          providers: config.providers,
          sandbox: Option.isNone(shown) ? Option.none() : Option.some(yield* shown.value)
        })
      )
      yield* Effect.addFinalizer(() => Effect.logInfo("Stopping: finishing calls in flight."))
      return yield* database.lost
    })
  ).pipe(
    Effect.onInterrupt(() => Effect.logInfo("Stopped.")),
    Effect.provide(Layer.merge(Logging.layer(config.logLevel, config.logFormat), Tracing.layer(config.otlpEndpoint)))
  )
