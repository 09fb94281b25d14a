import { liveCrms, makeCrms } from "@outbound/adapters/wings/crm/crms.js"
import { privateHostsOf } from "@outbound/adapters/wings/crm/PrivateHosts.js"
import { Crms } from "@outbound/domain/wings/crm/Crm.js"
import { makeSandboxCrm, SANDBOX_CRM } from "@outbound/sandbox/wings/crm/SandboxCrm.js"
import { Effect, Layer } from "effect"
import type { Place } from "../Place.js"

/** The CRMs of live workspaces, and the small one of sandboxes. Neither opens the other's. */
export const crmGround = ({ config: { crmHosts }, outside }: Place) =>
  Layer.effect(
    Crms,
    Effect.map(makeCrms({ ...outside, privateHosts: crmHosts }), (open) => {
      const { isListed } = privateHostsOf(crmHosts)
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
