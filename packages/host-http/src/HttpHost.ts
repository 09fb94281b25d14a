import { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { Changes } from "@outbound/domain/control/console/Changes.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import { Control } from "@outbound/domain/control/Control.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { Domains } from "@outbound/domain/control/domains/Domains.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { CrmAdmin } from "@outbound/domain/control/crm/CrmAdmin.js"
import { OwnKeys } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import { Payments } from "@outbound/domain/control/payments/Payments.js"
import { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ContentStore } from "@outbound/domain/outreach/campaigns/content/ContentStore.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Forecasts } from "@outbound/domain/control/Forecasts.js"
import { CampaignPauses } from "@outbound/domain/outreach/campaigns/pausing/CampaignPauses.js"
import { VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import { CampaignMailboxes } from "@outbound/domain/outreach/campaigns/CampaignMailboxes.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { Webhooks } from "@outbound/domain/control/webhooks/Webhooks.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option } from "effect"
import type { Registry } from "prom-client"
import { CONSOLE_ROOT, consoleSurface } from "./console/ConsoleSurface.js"
import type { ConsoleServices } from "./console/Visit.js"
import { DISCOVERY_LINKS, discoverySurface } from "./discovery/DiscoverySurface.js"
import { healthSurface, metricsSurface, notForwarded } from "./health/HealthSurface.js"
import { Readiness } from "./health/Readiness.js"
import type { Limits } from "./http/Limits.js"
import { pages } from "./http/Pages.js"
import type { Surface } from "./http/Exchange.js"
import { HttpServer, type ListenError, serve } from "./HttpServer.js"
import type { Metrics } from "./metrics/Metrics.js"
import { oauthSurface } from "./oauth/OAuthSurface.js"
import { openApiSurface } from "./openapi/Document.js"
import { restSurface } from "./rest/RestSurface.js"
import { rpcSurface } from "./rpc/RpcSurface.js"
import { seeOther } from "./web/Page.js"

export interface HttpHostOptions {
  readonly host: string
  readonly port: number
  /** Null: `/metrics` is on the service's port. */
  readonly metricsPort: number | null
  /** Further surfaces, such as MCP. */
  readonly surfaces?: ReadonlyArray<Surface>
  readonly limits?: Partial<Limits>
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whom to tell of a hole, as `security.txt` writes it. */
  readonly securityContact?: string | null
  /** Further metrics. */
  readonly watch?: (registry: Registry) => void
  /** How `/metrics` is written, if not from this process's registry alone. */
  readonly metricsOf?: (registry: Registry) => () => Promise<string>
}

type ConsoleNeeds =
  | Calls
  | CampaignMailboxes
  | CampaignPauses
  | VariantChoice
  | Forecasts
  | Changes
  | Console
  | ConsoleReads
  | ContentStore
  | Control
  | CreditStore
  | Crypto
  | ListStore
  | PublicHolidays
  | OAuth
  | ReplyStore
  | Settings
  | TrailStore
  | Webhooks
  | Alerts
  | Approvers
  | Notices
  | WorkspaceStore

/** The services of the console's pages. Optional ones are null where the host has none. */
export const consoleServices: Effect.Effect<ConsoleServices, never, ConsoleNeeds | Ids> = Effect.gen(function* () {
  const { baseUrl } = yield* Settings
  return {
    calls: yield* Calls,
    console: yield* Console,
    control: yield* Control,
    oauth: yield* OAuth,
    reads: yield* ConsoleReads,
    changes: yield* Changes,
    content: yield* ContentStore,
    replies: yield* ReplyStore,
    lists: yield* ListStore,
    trail: yield* TrailStore,
    credits: yield* CreditStore,
    workspaces: yield* WorkspaceStore,
    campaignMailboxes: yield* CampaignMailboxes,
    campaignPauses: yield* CampaignPauses,
    variantChoice: yield* VariantChoice,
    forecasts: yield* Forecasts,
    webhooks: yield* Webhooks,
    alerts: yield* Alerts,
    approvers: yield* Approvers,
    notices: yield* Notices,
    crypto: yield* Crypto,
    holidays: yield* PublicHolidays,
    ids: yield* Ids,
    mail: Option.getOrNull(yield* Effect.serviceOption(SignInMail)),
    passkeys: Option.getOrNull(yield* Effect.serviceOption(PasskeyAccess)),
    payments: Option.getOrNull(yield* Effect.serviceOption(Payments)),
    mailboxes: Option.getOrNull(yield* Effect.serviceOption(MailboxAdmin)),
    domains: Option.getOrNull(yield* Effect.serviceOption(Domains)),
    imports: Option.getOrNull(yield* Effect.serviceOption(SuppressionImport)),
    erasure: Option.getOrNull(yield* Effect.serviceOption(Erasure)),
    ownKeys: Option.getOrNull(yield* Effect.serviceOption(OwnKeys)),
    crm: Option.getOrNull(yield* Effect.serviceOption(CrmAdmin)),
    baseUrl
  }
})

/** All surfaces of a host: REST, RPC, console, reference, health, metrics, and further ones. */
export const layer = (options: HttpHostOptions): Layer.Layer<HttpServer, ListenError, ConsoleNeeds | Ids | Readiness> =>
  Layer.effect(
    HttpServer,
    Effect.gen(function* () {
      const calls = yield* Calls
      const services = yield* consoleServices
      const readiness = yield* Readiness
      const { baseUrl } = yield* Settings
      const shown = (metrics: Metrics) =>
        metricsSurface({ ...metrics, render: options.metricsOf?.(metrics.registry) ?? metrics.render })
      return yield* serve({
        host: options.host,
        port: options.port,
        limits: options.limits ?? {},
        trustedProxies: options.trustedProxies ?? [],
        surfaces: ({ isStopping, metrics, onStop }) => {
          options.watch?.(metrics.registry)
          return [
            restSurface(calls, verbList),
            rpcSurface(calls, verbList),
            consoleSurface(services, onStop),
            oauthSurface(services.oauth, baseUrl),
            openApiSurface(verbList, baseUrl),
            discoverySurface({
              verbs: verbList,
              baseUrl,
              takesSignUps: false,
              securityContact: options.securityContact ?? null
            }),
            healthSurface(readiness, isStopping),
            ...(options.metricsPort === null ? [notForwarded(shown(metrics))] : []),
            pages("root", { "/": Effect.succeed(seeOther(CONSOLE_ROOT, { link: DISCOVERY_LINKS })) }),
            ...(options.surfaces ?? [])
          ]
        },
        inner:
          options.metricsPort === null
            ? null
            : { port: options.metricsPort, surfaces: ({ metrics }) => [shown(metrics)] }
      })
    })
  )
