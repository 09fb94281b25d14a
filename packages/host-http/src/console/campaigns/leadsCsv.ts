import {
  type ConsoleReads as Reads,
  ConsoleReads,
  type LeadLine
} from "@outbound/domain/control/console/ConsoleReads.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import { EvidenceStore, type LeadValues } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { isoOrNull } from "@outbound/domain/kernel/text.js"
import { Effect } from "effect"
import { type ExportForm, exportHeaders } from "../exporting.js"
import { pages } from "../pages.js"
import { searchOf } from "../searching.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"

/** How many people an export reads at once, and how often at most: more than a campaign holds. */
const EXPORT_PAGE = 500
const EXPORT_PAGES_MAX = 20
/** Most columns of custom values. */
const CUSTOM_COLUMNS_MAX = 500

interface Line {
  readonly lead: LeadLine
  readonly values: LeadValues | null
}

/** The columns of a list of recipients, and behind the custom values what became of each; no value of a person begins so. */
const FIRST = ["email", "first_name", "last_name", "company_name"] as const
const LAST = ["lead_state", "lead_status", "lead_messages", "lead_last_message_at"] as const

/** The people as they can be given again, with what became of them behind. */
const leadsCsv = (customNames: ReadonlyArray<string>): ExportForm<Line> => ({
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: csvLine([...FIRST, ...customNames, ...LAST]),
  line: ({ lead, values }) =>
    csvLine([
      lead.email,
      values?.firstName ?? null,
      values?.lastName ?? null,
      values?.companyName ?? null,
      ...customNames.map((name) => values?.custom[name] ?? null),
      lead.state,
      lead.interestStatus,
      `${lead.stepsSent}`,
      isoOrNull(lead.lastSentAtMillis)
    ])
})

/** A campaign's people as a file, those that its page shows with the same filters. */
export const leadsCsvPages = pages({ reads: ConsoleReads, evidence: EvidenceStore }, ({ evidence, reads }) => {
  const take = ({ id, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      if ((yield* reads.campaignNames(workspaceId, [id], 0)).length === 0) return missingPage(viewer)
      const state = LeadMachine.states.find((one) => one === query.get("state")) ?? null
      const which = { text: searchOf(query.get("q")), state }
      const each = <E>(visit: (lines: ReadonlyArray<Line>) => Effect.Effect<boolean, E>) =>
        Effect.gen(function* () {
          let after: string | null = null
          for (let page = 0; page < EXPORT_PAGES_MAX; page += 1) {
            const filter: Parameters<Reads["Service"]["leads"]>[2] = { ...which, after, limit: EXPORT_PAGE }
            const leads: ReadonlyArray<LeadLine> = yield* reads.leads(workspaceId, id, filter)
            const found = yield* evidence.valuesOf(
              workspaceId,
              leads.map(({ campaignLeadId }) => campaignLeadId)
            )
            const values = new Map(found.map((one) => [one.campaignLeadId, one]))
            const lines = leads.map((lead) => ({ lead, values: values.get(lead.campaignLeadId) ?? null }))
            if (!(yield* visit(lines)) || leads.length < EXPORT_PAGE) return
            after = leads.at(-1)?.campaignLeadId ?? null
          }
        })
      const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
        Effect.gen(function* () {
          const names = new Set<string>()
          yield* each((lines) =>
            Effect.sync(() => {
              for (const { values } of lines) {
                for (const name of Object.keys(values?.custom ?? {})) {
                  if (name.trim() !== "" && names.size < CUSTOM_COLUMNS_MAX) names.add(name)
                }
              }
              return true
            })
          )
          const form = leadsCsv([...names])
          if (!(yield* write(form.head))) return
          yield* each((lines) => write(lines.map(form.line).join("")))
        })
      return { headers: exportHeaders(leadsCsv([]), `leads-${id}`), produce }
    })

  return [member("/console/campaigns/:id/leads/csv", { get: take })]
})
