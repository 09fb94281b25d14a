import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import { type Handling, type Reply, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { isoOrNull } from "@outbound/domain/kernel/text.js"
import { Effect } from "effect"
import { type ExportForm, exportHeaders } from "../exporting.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { pages } from "../pages.js"
import { searchOf } from "../searching.js"
import { type Inside, member, type Page } from "../Visit.js"
import { shownOf } from "./RepliesPage.js"

/** How many replies an export reads at once, and how often at most. */
const EXPORT_PAGE = 100
const EXPORT_PAGES_MAX = 1_000

interface Line {
  readonly reply: Reply
  readonly campaignName: string
  readonly handling: Handling | null
}

const repliesCsv: ExportForm<Line> = {
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: csvLine([
    "received_at",
    "email",
    "subject",
    "classification",
    "text",
    "text_is_cut",
    "campaign",
    "campaign_id",
    "reply_id",
    "handled_at"
  ]),
  line: ({ campaignName, handling, reply }) =>
    csvLine([
      isoOrNull(reply.receivedAtMillis),
      reply.fromEmail,
      reply.subject,
      reply.classification,
      reply.bodyText,
      reply.bodyTruncated ? "yes" : "no",
      campaignName,
      reply.campaignId,
      reply.replyId,
      isoOrNull(handling?.handledAtMillis ?? null)
    ])
}

const idOf = (given: string | null): string | null => (given !== null && isUuid(given) ? given.toLowerCase() : null)

/** Replies as a file, newest first, those that their page shows with the same filters. */
export const repliesCsvPages = pages({ reads: ConsoleReads, replies: ReplyStore }, ({ reads, replies }) => {
  const take = ({ query, workspaceId }: Inside): Page => {
    const tab = shownOf(query.get("classification"))
    const text = searchOf(query.get("q"))
    const ownerUserId = idOf(query.get("owner"))
    const wanted = {
      workspaceId,
      sinceMillis: null,
      campaignId: idOf(query.get("campaign")),
      classification: tab === "all" ? null : tab,
      ...(text === null ? {} : { text }),
      ...(ownerUserId === null ? {} : { ownerUserId }),
      ...(query.get("open") === "yes" ? { isOpen: true as const } : {})
    }
    const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
      Effect.gen(function* () {
        if (!(yield* write(repliesCsv.head))) return
        let after: { readonly receivedAtMillis: number; readonly replyId: string } | null = null
        for (let page = 0; page < EXPORT_PAGES_MAX; page += 1) {
          const found: ReadonlyArray<Reply> = yield* replies.page({ ...wanted, limit: EXPORT_PAGE, after })
          const handling = yield* replies.handling(
            workspaceId,
            found.map(({ replyId }) => replyId)
          )
          const named = yield* reads.campaignNames(workspaceId, [...new Set(found.map((one) => one.campaignId))], 0)
          const names = new Map(named.map(({ campaignId, name }) => [campaignId, name]))
          const lines = found.map((reply) =>
            repliesCsv.line({
              reply,
              campaignName: names.get(reply.campaignId) ?? "",
              handling: handling.get(reply.replyId) ?? null
            })
          )
          if (!(yield* write(lines.join(""))) || found.length < EXPORT_PAGE) return
          const last = found.at(-1)
          after = last === undefined ? null : { receivedAtMillis: last.receivedAtMillis, replyId: last.replyId }
        }
      })
    return Effect.succeed({ headers: exportHeaders(repliesCsv, "replies"), produce })
  }

  return [member("/console/replies/csv", { get: take })]
})
