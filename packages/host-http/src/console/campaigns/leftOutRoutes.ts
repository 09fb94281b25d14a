import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { pages } from "../pages.js"
import type { LeftOutPerson } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import { Effect, Option } from "effect"
import { exportHeaders } from "../exporting.js"
import { idAfterOf, pageOf, ROWS_MAX } from "../paging.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { customNamesOf, leftOutCsv, leftOutPage } from "./LeftOut.js"

/** How many people an export reads at once, and how often at most: far more than a campaign's calls can leave out. */
const EXPORT_PAGE = 1_000
const EXPORT_PAGES_MAX = 1_000
/** Most columns of custom values in an export. */
const CUSTOM_COLUMNS_MAX = 500

/** Who was left out of a campaign, and why. */
export const leftOutPages = pages({ reads: ConsoleReads }, ({ reads }) => {
  const show = ({ id, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const [campaign] = yield* reads.campaignNames(workspaceId, [id], 0)
      if (campaign === undefined) return missingPage(viewer)
      const after = idAfterOf(query.get("after"))
      const people = yield* reads.leftOut(workspaceId, id, { after, limit: ROWS_MAX + 1 })
      return leftOutPage({
        viewer,
        campaignId: id,
        campaignName: campaign.name,
        counts: yield* reads.leftOutCounts(workspaceId, id),
        listed: pageOf(people, ROWS_MAX, ({ leftOutId }) => leftOutId, after)
      })
    })

  const each = <E>(
    workspaceId: string,
    campaignId: string,
    visit: (people: ReadonlyArray<LeftOutPerson>) => Effect.Effect<boolean, E>
  ) =>
    Effect.gen(function* () {
      let after: string | null = null
      for (let page = 0; page < EXPORT_PAGES_MAX; page += 1) {
        const people: ReadonlyArray<LeftOutPerson> = yield* reads.leftOut(workspaceId, campaignId, {
          after,
          limit: EXPORT_PAGE
        })
        const goesOn = yield* visit(people)
        if (!goesOn || people.length < EXPORT_PAGE) return
        after = people.at(-1)?.leftOutId ?? null
      }
    })

  const take = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const found = yield* reads.campaignNames(workspaceId, [id], 0)
      if (Option.isNone(Option.fromNullishOr(found[0]))) return missingPage(viewer)
      const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
        Effect.gen(function* () {
          const names = new Set<string>()
          yield* each(workspaceId, id, (people) =>
            Effect.sync(() => {
              for (const name of customNamesOf(people)) if (names.size < CUSTOM_COLUMNS_MAX) names.add(name)
              return true
            })
          )
          const form = leftOutCsv([...names])
          if (!(yield* write(form.head))) return
          yield* each(workspaceId, id, (people) => write(people.map(form.line).join("")))
        })
      return { headers: exportHeaders(leftOutCsv([]), `left-out-${id}`), produce }
    })

  return [
    member("/console/campaigns/:id/left-out", { get: show }),
    member("/console/campaigns/:id/left-out/csv", { get: take })
  ]
})
