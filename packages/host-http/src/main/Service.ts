import * as CodeExchange from "@outbound/adapters/mail/CodeExchange.js"
import * as RenewedMail from "@outbound/adapters/mail/RenewedMail.js"
import * as DisposableList from "@outbound/adapters/platform/DisposableList.js"
import * as HolidayCalendar from "@outbound/adapters/platform/HolidayCalendar.js"
import type { Keyring } from "@outbound/adapters/platform/Keyring.js"
import { HeldLimit } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import * as Zones from "@outbound/adapters/dns/Zones.js"
import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import { assertMigrated } from "@outbound/adapters/postgres/Migrations.js"
import * as Months from "@outbound/adapters/postgres/months/Months.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import { proveWrite } from "@outbound/adapters/postgres/WriteProbe.js"
import type { ConfiguredProviders } from "@outbound/adapters/providers/config/Configured.js"
import { resolveBy } from "@outbound/adapters/site/Gate.js"
import * as WebClientDocuments from "@outbound/adapters/site/WebClientDocuments.js"
import * as ChatSender from "@outbound/adapters/webhooks/ChatSender.js"
import * as ChangeSignals from "@outbound/adapters/work/ChangeSignals.js"
import * as GraphileRunner from "@outbound/adapters/work/GraphileRunner.js"
import * as GraphileWork from "@outbound/adapters/work/GraphileWork.js"
import * as PgWorkSignals from "@outbound/adapters/work/PgWorkSignals.js"
import { Effect, Layer } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { closing, Releases } from "@outbound/domain/calls/releases/Releases.js"
import { isAtHome, Settings } from "@outbound/domain/kernel/Settings.js"
import { Blocklists } from "@outbound/domain/outreach/reputation/blocklists.js"
import type { OutboundConfig } from "../Config.js"
import * as WebAuthn from "../console/WebAuthn.js"
import { provenBy, Readiness } from "../health/Readiness.js"
import { wingGround } from "../wings/layers.js"
import * as Mail from "./Mail.js"
import * as SignUps from "./SignUps.js"
import * as Providers from "./Providers.js"

const readiness = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const proof = Effect.andThen(assertMigrated(), proveWrite)
    return { ready: yield* provenBy(Effect.provideService(proof, SqlClient, sql)) }
  })
)

/** The service on a migrated database: verbs, console, operator's services and long work. */
export const layer = (
  config: OutboundConfig,
  keys: Keyring,
  configured: ConfiguredProviders | null,
  approvalPage?: Settings["Service"]["approvalPage"]
) => {
  const resolvers = configured?.prober.resolvers
  const posting = { isAtHome: isAtHome(config.baseUrl), resolve: resolveBy(resolvers) }
  const ground = Layer.mergeAll(
    NodeIds.layer,
    NodeCrypto.layer(keys),
    HolidayCalendar.layer,
    DisposableList.layer,
    Zones.layer(),
    Mail.layer(config, resolvers),
    // Without a client the console has no buttons.
    config.mailClients.length === 0 ? Layer.empty : CodeExchange.layer(config.mailClients, posting),
    ChatSender.layer(posting),
    wingGround({ config, outside: posting }),
    WebClientDocuments.layer({ aboutUrl: config.baseUrl, resolve: posting.resolve }),
    Layer.succeed(Settings, { baseUrl: config.baseUrl, ...(approvalPage === undefined ? {} : { approvalPage }) }),
    Layer.succeed(Blocklists, config.blocklists),
    Layer.succeed(HeldLimit, config.heldMailboxes)
  )
  const stores = Providers.layer(config, configured).pipe(
    Layer.provideMerge(
      ChangeSignals.changes.pipe(
        Layer.provideMerge(Layer.mergeAll(PgStores.layer, GraphileWork.layer, PgWorkSignals.layer))
      )
    ),
    Layer.provideMerge(ground)
  )
  const base = Layer.mergeAll(RenewedMail.layer(posting), Outbound.linkBases, Outbound.measurements).pipe(
    Layer.provideMerge(stores)
  )
  const runner = GraphileRunner.layer.pipe(Layer.provide(Outbound.jobs))
  return Layer.mergeAll(
    Outbound.calls,
    Outbound.approvalWatch,
    Layer.provideMerge(Outbound.signIn, Outbound.pages).pipe(Layer.provide(WebAuthn.layer)),
    Layer.provide(SignUps.layer(config), Outbound.console),
    Outbound.admin,
    Outbound.mailboxes,
    Outbound.domains,
    Outbound.people,
    Outbound.ownKeys,
    Outbound.wings,
    Outbound.unsubscribe,
    Outbound.sourceState,
    readiness
  ).pipe(
    Layer.provide(Layer.succeed(Releases, closing(config.unreleased))),
    Layer.provideMerge(runner),
    Layer.provideMerge(base)
  )
}

/** The background work of a host. */
export const workers = Layer.mergeAll(Outbound.workers, Months.layer)
