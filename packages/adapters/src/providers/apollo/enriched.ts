import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { Organization } from "./organization.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per company. */
export const COMPANY_CREDITS = 1

const Enriched = Schema.Struct({ organization: maybe(Organization) })

/**
 * The company of a domain. Null: unknown, which Apollo shows by a nameless company or none. Each lookup is charged, so
 * concurrent ones (several datasets of one call) are shared.
 */
export const organizationOf = (
  { charged, http }: VendorParts,
  companyDomain: string
): Effect.Effect<Organization | null, ProviderFailure> =>
  Effect.flatMap(CurrentSourceAccess, ({ together }) => {
    const request = { method: "GET", path: "/organizations/enrich", query: { domain: companyDomain } } as const
    const known = ({ organization }: typeof Enriched.Type) => (organization?.name == null ? null : organization)
    const found = charged(Enriched, request, (answer) => (known(answer) === null ? 0 : COMPANY_CREDITS))
    return together(JSON.stringify([http.name, "organization", companyDomain]), Effect.map(found, known))
  })
