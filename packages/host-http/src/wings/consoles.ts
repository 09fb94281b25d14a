import { Effect } from "effect"
import { canaryConsole } from "./canary/console.js"
import { crmConsole } from "./crm/console.js"
import { linkHostsConsole } from "./linkHosts/console.js"
import { postmasterConsole } from "./postmaster/console.js"
import { webhooksConsole } from "./webhooks/console.js"
import type { WingConsole } from "./WingConsole.js"

const NO_CONSOLE: WingConsole<never> = { pages: Effect.succeed(() => []), settings: [] }

/** What the console shows of every wing, a line each. */
export const WING_CONSOLES = [
  NO_CONSOLE,
  canaryConsole,
  crmConsole,
  linkHostsConsole,
  postmasterConsole,
  webhooksConsole
] as const
