import type { CrmsOptions } from "@outbound/adapters/crm/doorToCrm.js"
import { liveCrms, makeCrms } from "@outbound/adapters/crm/crms.js"
import { privateHostsOf } from "@outbound/adapters/crm/PrivateHosts.js"
import { Crms } from "@outbound/domain/outreach/crm/Crm.js"
import { makeSandboxCrm, SANDBOX_CRM } from "@outbound/sandbox/providers/SandboxCrm.js"
import { Effect, Layer } from "effect"

/** The CRMs of live workspaces, and the small one of sandboxes. Neither opens the other's. */
export const layer = (options: CrmsOptions) =>
  Layer.effect(
    Crms,
    Effect.map(makeCrms(options), (open) => {
      const { isListed } = privateHostsOf(options.privateHosts ?? [])
      const sandbox = makeSandboxCrm()
      return {
        live: liveCrms,
        sandbox: [SANDBOX_CRM],
        isListed,
        open: (vendor, { access, workspaceId }) =>
          vendor === SANDBOX_CRM.name ? sandbox(workspaceId) : open(vendor, access)
      } satisfies (typeof Crms)["Service"]
    })
  )
