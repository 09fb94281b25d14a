import { credibleTimestamp } from "@outbound/domain/data/people/Credible.js"
import type { FoundSignal, IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Schema } from "effect"
import { addressOf, maybe } from "../shape.js"
import { byDate } from "../signals.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { THEIR_STACK } from "./http.js"
import type { TheirStackSettings } from "./settings.js"

/** Credits per posting. */
const JOB_CREDITS = 1

const JobsPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      job_title: Schema.String,
      company: maybe(Schema.String),
      url: maybe(Schema.String),
      final_url: maybe(Schema.String),
      date_posted: maybe(Schema.String)
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
export const makeIntent = (
  http: VendorHttp,
  settings: TheirStackSettings,
  config: VendorConfig,
  spend: Spend
): IntentSource => ({
  ...declaredOf(config, THEIR_STACK, "intent_source", {
    costMicros: 10 * JOB_CREDITS * config.unitMicros,
    missRate: 0.3,
    latencyMillis: 2_000
  }),
  signals: ["hiring"],
  check: ({ companyDomain, limit }) =>
    http
      .read(JobsPage, {
        method: "POST",
        path: "/v1/jobs/search",
        hasEffect: true,
        body: {
          company_domain_or: [companyDomain],
          order_by: [{ field: "date_posted", desc: true }],
          page: 0,
          limit: Math.min(limit, settings.rows_per_page)
        }
      })
      .pipe(
        Effect.tap(({ data }) => spend(data.length * JOB_CREDITS)),
        Effect.map(({ data }) =>
          byDate(
            data.flatMap((job) => signalOf(job, companyDomain)),
            limit
          )
        )
      )
})
