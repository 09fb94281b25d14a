import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import * as MailboxAdoption from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import { Effect, Layer } from "effect"
import type { OutboundConfig } from "../Config.js"
import { opened } from "./Operator.js"
import { liveOf, ownKeyVendorsOf, readConfigured } from "./Providers.js"

/** What adopting mailboxes needs: the database and the providers of live workspaces. */
export const layer = (config: OutboundConfig) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const configured = yield* readConfigured(config)
      const { connection, keys } = yield* opened(config)
      const live =
        configured === null
          ? noProviders
          : (yield* liveOf(configured, {
              aboutUrl: config.baseUrl,
              directory: {},
              wings: {},
              known: null,
              memory: null
            })).set
      return MailboxAdoption.layer.pipe(
        Layer.provide(Layer.succeed(Providers, { sandbox: noProviders, live })),
        Layer.provide(ownKeyVendorsOf(configured)),
        Layer.provide(PgStores.stores),
        Layer.provide(Layer.mergeAll(NodeIds.layer, keys)),
        Layer.provide(connection)
      )
    })
  )
