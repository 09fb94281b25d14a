import { credibleTimestamp } from "@outbound/domain/data/people/Credible.js"
import type { FoundSignal, IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Schema } from "effect"
import { addressOf, maybeTexts } from "../shape.js"
import { byDate } from "../signals.js"
import type { TheirStackSettings } from "./settings.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per posting. */
const JOB_CREDITS = 1

const JobsPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      job_title: Schema.String,
      ...maybeTexts("company", "url", "final_url", "date_posted")
    })
  )
})

type Job = (typeof JobsPage.Type)["data"][number]

const signalOf = ({ company, date_posted, final_url, job_title, url }: Job, companyDomain: string): FoundSignal[] =>
  credibleTimestamp(date_posted) === null || date_posted === null
    ? []
    : [
        {
          companyDomain,
          title: job_title,
          summary: `${company ?? companyDomain} is hiring: ${job_title}`,
          observedAt: date_posted,
          evidenceUrl: addressOf(final_url ?? url),
          newsType: null
        }
      ]

/** Roles aren't sent: they match more than the literal words it would search for. */
export const makeIntent = ({ charged, declared, settings }: VendorParts<TheirStackSettings>): IntentSource => ({
  ...declared("intent_source", { units: 10 * JOB_CREDITS, missRate: 0.3, latencyMillis: 2_000 }),
  signals: ["hiring"],
  check: ({ companyDomain, limit }) => {
    const body = {
      company_domain_or: [companyDomain],
      order_by: [{ field: "date_posted", desc: true }],
      page: 0,
      limit: Math.min(limit, settings.rows_per_page)
    }
    return Effect.map(
      charged(JobsPage, { path: "/v1/jobs/search", body }, ({ data }) => data.length * JOB_CREDITS),
      ({ data }) =>
        byDate(
          data.flatMap((job) => signalOf(job, companyDomain)),
          limit
        )
    )
  }
})
