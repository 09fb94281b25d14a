import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect, Option } from "effect"
import { dayStartOf } from "../../web/Words.js"
import { afterOf, afterWords, idAfterOf, pageOf, ROWS_MAX } from "../paging.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { RECORD_DAYS, sendingPage } from "./SendingPage.js"

const DAY_MILLIS = 86_400_000

/** How many operations the page shows at once. */
const OPERATIONS_MAX = 10

export const sendingRoutes = (services: ConsoleServices): ReadonlyArray<Route> => {
  const { mailboxes: admin, reads, workspaces } = services

  /** The connected own mailboxes; null where the workspace can't have any. */
  const connectedOf = (workspaceId: string) =>
    Effect.gen(function* () {
      const workspace = yield* workspaces.get(workspaceId)
      if (admin === null || !Option.exists(workspace, ({ kind }) => kind === "live")) return null
      const all = yield* admin.list(workspaceId).pipe(Effect.catchIf(isWireError, (error) => Effect.die(error)))
      return new Map(all.map((one) => [one.mailboxId, one]))
    })

  const show = ({ nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const today = dayStartOf(nowMillis)
      const sending = yield* reads.sending(workspaceId, today, nowMillis)
      const lastMailbox = idAfterOf(query.get("mailboxes"))
      const mailboxes = pageOf(
        yield* reads.mailboxes(workspaceId, today, lastMailbox, ROWS_MAX + 1),
        ROWS_MAX,
        ({ mailboxId }) => mailboxId,
        lastMailbox
      )
      const records = yield* reads.mailboxRecords(workspaceId, nowMillis - RECORD_DAYS * DAY_MILLIS)
      const after = afterOf(query.get("operations"))
      const operations = pageOf(
        yield* reads.operations(workspaceId, { after, limit: OPERATIONS_MAX + 1 }),
        OPERATIONS_MAX,
        ({ createdAtMillis, operationId }) => afterWords({ atMillis: createdAtMillis, id: operationId }),
        after
      )
      const filters = new URLSearchParams({
        ...(lastMailbox === null ? {} : { mailboxes: lastMailbox }),
        ...(after === null ? {} : { operations: afterWords(after) })
      })
      return sendingPage({
        viewer,
        sending,
        canHaveOwn: admin !== null,
        connected: yield* connectedOf(workspaceId),
        mailboxes,
        records: new Map(records.map((one) => [one.mailboxId, one])),
        operations,
        filters,
        nowMillis
      })
    })

  return [{ access: "member", path: "/console/sending", get: show }]
}
