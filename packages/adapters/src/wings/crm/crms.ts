import type { Crm, CrmVendor } from "@outbound/domain/wings/crm/Crm.js"
import type { CrmAccess } from "@outbound/domain/wings/crm/CrmAccess.js"
import { Effect, type Scope } from "effect"
import { type CrmDefinition, makeCrm } from "./CrmHttp.js"
import type { CrmsOptions } from "./doorToCrm.js"
import { hubspot } from "./hubspot/HubSpot.js"
import { pipedrive } from "./pipedrive/Pipedrive.js"
import { salesforce } from "./salesforce/Salesforce.js"
import { twenty } from "./twenty/Twenty.js"

/** Every CRM that live workspaces may connect. */
export const CRMS: ReadonlyArray<CrmDefinition> = [hubspot, pipedrive, salesforce, twenty]

export const liveCrms: ReadonlyArray<CrmVendor> = CRMS.map(({ asks, hint, name, title }) => ({
  name,
  title,
  hint,
  ...(asks === undefined ? {} : { asks })
}))

/** Opens accounts at them. Connections close with the scope. */
export const makeCrms = (
  options: CrmsOptions
): Effect.Effect<(vendor: string, access: CrmAccess) => Crm | null, never, Scope.Scope> =>
  Effect.map(
    Effect.forEach(CRMS, (definition) =>
      Effect.map(makeCrm(definition, options), (open) => [definition.name, open] as const)
    ),
    (made) => {
      const openers = new Map(made)
      return (vendor, access) => openers.get(vendor)?.(access) ?? null
    }
  )
