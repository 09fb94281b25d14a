import type { Crm, CrmVendor } from "@outbound/domain/outreach/crm/Crm.js"
import { Effect, type Redacted, type Scope } from "effect"
import { type CrmDefinition, makeCrm } from "./CrmHttp.js"
import { hubspot } from "./hubspot/HubSpot.js"
import { pipedrive } from "./pipedrive/Pipedrive.js"

/** Every CRM that live workspaces may connect. */
export const CRMS: ReadonlyArray<CrmDefinition> = [hubspot, pipedrive]

export const liveCrms: ReadonlyArray<CrmVendor> = CRMS.map(({ hint, name, title }) => ({ name, title, hint }))

/** Opens accounts at them. Connections close with the scope. */
export const makeCrms: Effect.Effect<(vendor: string, secret: Redacted.Redacted) => Crm | null, never, Scope.Scope> =
  Effect.map(
    Effect.forEach(CRMS, (definition) =>
      Effect.map(makeCrm(definition, definition.baseUrl), (open) => [definition.name, open] as const)
    ),
    (made) => {
      const openers = new Map(made)
      return (vendor, secret) => openers.get(vendor)?.(secret) ?? null
    }
  )
