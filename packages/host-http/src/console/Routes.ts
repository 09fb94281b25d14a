import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect } from "effect"
import type { OnStop } from "../HttpServer.js"
import { consentRoutes } from "../oauth/consentRoutes.js"
import { ICON_PATH, seeOther } from "../web/Page.js"
import { script, SCRIPT_PATH } from "../web/Scripted.js"
import { LIVE_PATH, liveScript } from "../web/Live.js"
import { icon, style, STYLE_PATH } from "../web/Style.js"
import { accountRoutes } from "./account/accountRoutes.js"
import { alertRoutes } from "./alerts/AlertsPage.js"
import { approvalRoutes } from "./approvalRoutes.js"
import { approverRoutes } from "./approvers/ApproversPage.js"
import { campaignRoutes } from "./campaigns/campaignRoutes.js"
import { crmRoutes } from "./crm/crmRoutes.js"
import { domainRoutes } from "./domains/domainRoutes.js"
import { eventRoutes } from "./events/eventRoutes.js"
import { homeRoutes } from "./home/HomePage.js"
import { keyRoutes } from "./keys/keyRoutes.js"
import { listRoutes } from "./lists/listRoutes.js"
import { mailboxRoutes } from "./mailboxes/mailboxRoutes.js"
import { noticeRoutes } from "./notices/NoticesPage.js"
import { operationRoutes } from "./operations/OperationPage.js"
import { ownKeyRoutes } from "./ownKeys/OwnKeysPage.js"
import { peopleRoutes } from "./people/peopleRoutes.js"
import { referralRoutes } from "./referrals/referralRoutes.js"
import { replyRoutes } from "./replies/replyRoutes.js"
import { passkeyRoutes } from "./settings/passkeyRoutes.js"
import { sendingRoutes } from "./sending/SendingPage.js"
import { settingsRoutes } from "./settings/settingsRoutes.js"
import { signInRoutes } from "./signInRoutes.js"
import { trailRoutes } from "./trail/trailRoutes.js"
import type { ConsoleServices, Page, Route } from "./Visit.js"
import { webhookRoutes } from "./webhooks/webhookRoutes.js"

export const CONSOLE_ROOT = "/console"

const asset = (type: string, body: string): Page =>
  Effect.succeed({
    status: 200,
    headers: { "content-type": type, "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" },
    body
  })

const assets: ReadonlyArray<Route> = [
  { access: "open", path: CONSOLE_ROOT, get: () => Effect.succeed(seeOther("/console/home")) },
  { access: "open", path: STYLE_PATH, get: () => asset("text/css; charset=utf-8", style) },
  { access: "open", path: SCRIPT_PATH, get: () => asset("text/javascript; charset=utf-8", script) },
  { access: "open", path: LIVE_PATH, get: () => asset("text/javascript; charset=utf-8", liveScript) },
  { access: "open", path: ICON_PATH, get: () => asset("image/svg+xml", icon) }
]

/** Every route of the console. The first match wins. */
export const routesOf = (services: ConsoleServices, onStop: OnStop): ReadonlyArray<Route> => [
  ...assets,
  ...signInRoutes(services),
  ...homeRoutes(services),
  ...eventRoutes(services, onStop),
  ...approvalRoutes(services),
  ...campaignRoutes(services),
  ...replyRoutes(services),
  ...referralRoutes(services),
  ...sendingRoutes(services),
  ...operationRoutes(services),
  ...listRoutes(services),
  ...mailboxRoutes(services),
  ...domainRoutes(services),
  ...trailRoutes(services),
  ...accountRoutes(services),
  ...keyRoutes(services),
  ...webhookRoutes(services),
  ...alertRoutes(services),
  ...consentRoutes(services),
  ...settingsRoutes(services),
  ...approverRoutes(services),
  ...noticeRoutes(services),
  ...ownKeyRoutes(services),
  ...crmRoutes(services),
  ...peopleRoutes(services),
  ...passkeyRoutes(services)
]

export interface Found {
  readonly route: Route
  readonly id: string
  /** Its name in metrics. */
  readonly label: string
}

const ID = ":id"

/** The id in a matching path ("" without one), or null if the path does not match. */
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

export const findRoute = (routes: ReadonlyArray<Route>, path: string): Found | null => {
  for (const route of routes) {
    const id = fit(route.path, path)
    if (id !== null) return { route, id, label: route.path.slice(1).replace(ID, "id") }
  }
  return null
}
