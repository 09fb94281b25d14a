import { credibleTimestamp } from "@outbound/domain/data/people/Credible.js"
import type { FoundSignal, IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect } from "effect"
import { byDate } from "../signals.js"
import { readCharged } from "./endpoints.js"
import { allOf, leaf } from "./filters.js"
import { CURRENT_DOMAIN, nameOf, PeoplePage, positionOf, type Profile, profileUrlOf, ROW_CREDITS } from "./people.js"
import type { CrustdataSettings } from "./settings.js"
import type { VendorParts } from "../Vendor.js"

/** Null if the start date is unknown. */
const signalOf = (profile: Profile, companyDomain: string): FoundSignal | null => {
  const position = positionOf(profile, [companyDomain], [])
  const startedAt = position?.employment.start_date ?? null
  const name = nameOf(profile)
  if (position === null || position.domain !== companyDomain || name === null) return null
  if (startedAt === null || credibleTimestamp(startedAt) === null) return null
  const { name: company, title } = position.employment
  return {
    companyDomain,
    title,
    summary: `${name} started at ${company ?? companyDomain}${title === null ? "" : ` as ${title}`}`,
    observedAt: startedAt,
    evidenceUrl: profileUrlOf(profile),
    newsType: null
  }
}

export const makeJobChanges = (parts: VendorParts<CrustdataSettings>): IntentSource => ({
  ...parts.declared("intent_source", { units: 10 * ROW_CREDITS, missRate: 0.5, latencyMillis: 2_000 }),
  signals: ["job_change"],
  check: ({ companyDomain, limit }) =>
    Effect.map(
      readCharged(
        parts,
        PeoplePage,
        "/person/search",
        {
          filters: allOf([leaf(CURRENT_DOMAIN, "in", [companyDomain]), leaf("recently_changed_jobs", "=", true)]),
          limit,
          sorts: [{ field: "experience.employment_details.start_date", order: "desc" }],
          fields: parts.settings.person_fields
        },
        ({ profiles }) => profiles.length * ROW_CREDITS
      ),
      ({ profiles }) =>
        byDate(
          profiles.flatMap((one) => signalOf(one, companyDomain) ?? []),
          limit
        )
    )
})
