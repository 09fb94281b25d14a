import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import type { VendorHttp } from "../VendorHttp.js"
import { Organization } from "./organization.js"

/** Credits per company. */
export const COMPANY_CREDITS = 1

const Enriched = Schema.Struct({ organization: maybe(Organization) })

/**
 * The company of a domain. Null: unknown, which Apollo shows by a nameless company or none. Each lookup is charged, so
 * concurrent ones (several datasets of one call) are shared.
 */
export const organizationOf = (
  http: VendorHttp,
  spend: Spend,
  companyDomain: string
): Effect.Effect<Organization | null, ProviderFailure> =>
  Effect.flatMap(CurrentSourceAccess, ({ together }) =>
    together(
      JSON.stringify([http.name, "organization", companyDomain]),
      http
        .read(Enriched, {
          method: "GET",
          path: "/organizations/enrich",
          query: { domain: companyDomain },
          hasEffect: true
        })
        .pipe(
          Effect.map(({ organization }) => (organization?.name == null ? null : organization)),
          Effect.tap((organization) => spend(organization === null ? 0 : COMPANY_CREDITS))
        )
    )
  )
