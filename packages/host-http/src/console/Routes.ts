import type { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import type { Console } from "@outbound/domain/control/console/Console.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Control } from "@outbound/domain/control/Control.js"
import type { PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import type { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import type { OwnKeys } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import type { Payments } from "@outbound/domain/control/payments/Payments.js"
import type { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { type Ids, isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { TrailStore } from "@outbound/domain/kernel/trail/TrailStore.js"
import type { Webhooks } from "@outbound/domain/control/webhooks/Webhooks.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type Context, Effect } from "effect"
import { consentRoutes } from "../oauth/consentRoutes.js"
import { ICON_PATH, seeOther } from "../web/Page.js"
import { script, SCRIPT_PATH } from "../web/Scripted.js"
import { icon, style, STYLE_PATH } from "../web/Style.js"
import { accountRoutes } from "./account/accountRoutes.js"
import { alertRoutes } from "./alerts/alertRoutes.js"
import { approvalRoutes } from "./approvalRoutes.js"
import { campaignRoutes } from "./campaigns/campaignRoutes.js"
import { keyRoutes } from "./keys/keyRoutes.js"
import { mailboxRoutes } from "./mailboxes/mailboxRoutes.js"
import { ownKeyRoutes } from "./ownKeys/ownKeyRoutes.js"
import { peopleRoutes } from "./people/peopleRoutes.js"
import { replyRoutes } from "./replies/replyRoutes.js"
import { passkeyRoutes } from "./settings/passkeyRoutes.js"
import { sendingRoutes } from "./sending/sendingRoutes.js"
import { settingsRoutes } from "./settings/settingsRoutes.js"
import { signInRoutes } from "./signInRoutes.js"
import { trailRoutes } from "./trail/trailRoutes.js"
import type { Page, Route } from "./Visit.js"
import { webhookRoutes } from "./webhooks/webhookRoutes.js"

export const CONSOLE_ROOT = "/console"

export interface ConsoleServices {
  readonly console: Context.Tag.Service<typeof Console>
  readonly control: Context.Tag.Service<typeof Control>
  readonly oauth: Context.Tag.Service<typeof OAuth>
  readonly reads: Context.Tag.Service<typeof ConsoleReads>
  readonly replies: Context.Tag.Service<typeof ReplyStore>
  readonly trail: Context.Tag.Service<typeof TrailStore>
  readonly credits: Context.Tag.Service<typeof CreditStore>
  readonly workspaces: Context.Tag.Service<typeof WorkspaceStore>
  readonly webhooks: Context.Tag.Service<typeof Webhooks>
  readonly alerts: Context.Tag.Service<typeof Alerts>
  readonly crypto: Context.Tag.Service<typeof Crypto>
  readonly ids: Context.Tag.Service<typeof Ids>
  /** Null where the host is given none: then the console does without. */
  readonly mail: Context.Tag.Service<typeof SignInMail> | null
  readonly passkeys: Context.Tag.Service<typeof PasskeyAccess> | null
  readonly payments: Context.Tag.Service<typeof Payments> | null
  readonly mailboxes: Context.Tag.Service<typeof MailboxAdmin> | null
  readonly imports: Context.Tag.Service<typeof SuppressionImport> | null
  readonly erasure: Context.Tag.Service<typeof Erasure> | null
  readonly ownKeys: Context.Tag.Service<typeof OwnKeys> | null
  readonly baseUrl: string
}

const asset = (type: string, body: string): Page =>
  Effect.succeed({
    status: 200,
    headers: { "content-type": type, "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" },
    body
  })

const assets: ReadonlyArray<Route> = [
  { access: "open", path: CONSOLE_ROOT, get: () => Effect.succeed(seeOther("/console/approvals")) },
  { access: "open", path: STYLE_PATH, get: () => asset("text/css; charset=utf-8", style) },
  { access: "open", path: SCRIPT_PATH, get: () => asset("text/javascript; charset=utf-8", script) },
  { access: "open", path: ICON_PATH, get: () => asset("image/svg+xml", icon) }
]

/** Every address of the console. Of two that fit a path, the first counts. */
export const routesOf = (services: ConsoleServices): ReadonlyArray<Route> => [
  ...assets,
  ...signInRoutes(services),
  ...approvalRoutes(services),
  ...campaignRoutes(services),
  ...replyRoutes(services),
  ...sendingRoutes(services),
  ...mailboxRoutes(services),
  ...trailRoutes(services),
  ...accountRoutes(services),
  ...keyRoutes(services),
  ...webhookRoutes(services),
  ...alertRoutes(services),
  ...consentRoutes(services),
  ...settingsRoutes(services),
  ...ownKeyRoutes(services),
  ...peopleRoutes(services),
  ...passkeyRoutes(services)
]

export interface Found {
  readonly route: Route
  readonly id: string
  /** What the metrics call it. */
  readonly label: string
}

const ID = ":id"

/** The id in a path that fits the pattern, or "" where it has none; null where the path does not fit. */
const fit = (pattern: string, path: string): string | null => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  if (wanted.length !== given.length) return null
  let id = ""
  for (const [at, part] of wanted.entries()) {
    const actual = given[at] ?? ""
    if (part === ID && isUuid(actual)) id = actual.toLowerCase()
    else if (part !== actual) return null
  }
  return id
}

/** The route of a path as it was sent. */
export const findRoute = (routes: ReadonlyArray<Route>, path: string): Found | null => {
  for (const route of routes) {
    const id = fit(route.path, path)
    if (id !== null) return { route, id, label: route.path.slice(1).replace(ID, "id") }
  }
  return null
}
