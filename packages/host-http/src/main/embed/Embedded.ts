/** The service inside another program: no port, no second process, the same checks and the same background work. */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { withSchema } from "@outbound/adapters/postgres/Schema.js"
import { Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type OutboundConfig, readConfig } from "../../Config.js"
import type { VariableName } from "../../ConfigVariables.js"
import { openDatabase } from "../Database.js"
import { patientPool } from "../PatientPool.js"
import { readConfigured } from "../Providers.js"
import { built, surfacesOf } from "../Serve.js"
import * as Service from "../Service.js"
import { heedEffect } from "@outbound/client/oneEffect.js"

export interface EmbedOptions {
  /** `postgres://…`. Without it an embedded PostgreSQL runs in `OUTBOUND_DATA_DIR`, as with the program. */
  readonly database?: string | undefined
  /** The schema of our tables, if not `outbound`. Your own tables may be in the same database. */
  readonly schema?: string | undefined
  /** At least 32 characters, the same for as long as the database lives. Required with `database`. */
  readonly secret?: string | undefined
  /** The address at which people and mail programs reach `handle`: `https://outbound.your-company.example`. */
  readonly baseUrl: string
  /** The path of a file of providers, or `sandbox`. */
  readonly providers?: string | undefined
  /** The page of your own on which people decide an approval. Without it: the console, which `handle` serves. */
  readonly approvalPage?: ((approvalId: string) => string) | undefined
  /** Any other setting of the program, by its name: `{ OUTBOUND_LOG_LEVEL: "warning" }`. */
  readonly settings?: Partial<Readonly<Record<VariableName, string | undefined>>> | undefined
}

const given = <A>(name: VariableName, value: A | undefined) => (value === undefined ? {} : { [name]: value })

/** Every mistake at once, by the same rules as the program's. It says less by itself. */
export const configOf = ({ baseUrl, database, providers, schema, secret, settings = {} }: EmbedOptions) => {
  const address =
    database !== undefined && schema !== undefined && URL.canParse(database) ? withSchema(database, schema) : database
  return readConfig({
    OUTBOUND_LOG_LEVEL: "warning",
    ...settings,
    ...given("DATABASE_URL", address),
    ...given("OUTBOUND_SECRET", secret),
    ...given("OUTBOUND_PROVIDERS", providers),
    OUTBOUND_BASE_URL: baseUrl
  })
}

/** The service on its migrated database until the scope closes: its services, and its answers to requests. */
export const embedded = (config: OutboundConfig, approvalPage?: EmbedOptions["approvalPage"]) => {
  heedEffect()
  return Effect.gen(function* () {
    const providers = yield* readConfigured(config)
    const database = yield* openDatabase(config.database)
    yield* Effect.provide(migrate(), patientPool(database))
    const context = yield* built(config, database, providers, approvalPage)
    yield* Layer.build(Layer.provide(Service.workers, Layer.succeedContext(context)))
    const host = yield* surfacesOf(config, context, { port: null, metricsPort: null })
    const handle = (request: IncomingMessage, response: ServerResponse): boolean => host.take(request, response)
    return { context, handle }
  })
}

export type EmbeddedService = Effect.Success<ReturnType<typeof embedded>>
