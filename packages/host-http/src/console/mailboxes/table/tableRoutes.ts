import { freshOwner, mend } from "@outbound/domain/control/access.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { MailboxAdmin, MailboxConnection } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { mendsOf } from "@outbound/domain/outreach/sending/mailboxMends.js"
import { type MailboxRow, type MailboxTable, readMailboxTable } from "@outbound/domain/outreach/sending/mailboxTable.js"
import { Effect, Option, Result, Semaphore } from "effect"
import { LIMITS } from "../../../http/Limits.js"
import { acting } from "../../control/acting.js"
import type { Problem } from "../../Parts.js"
import { type Inside, member, type Page, type Pieces, type Route } from "../../Visit.js"
import { type Counts, resultRow, resultsPage, type RowResult, summary, TABLE, tablePage } from "./TablePage.js"

/** How many mailboxes of a table are tested at once: providers count sign-ins from one address. */
export const TESTED_TOGETHER_MAX = 4

const TABLE_BYTES_MAX = 256 * 1024

const NOBODY_ANSWERED: Pick<RowResult, "remedy" | "says"> = {
  says: "The database did not answer, so nothing was stored.",
  remedy: "Bring the row again."
}

interface Services {
  readonly mailboxes: MailboxAdmin["Service"]
  readonly workspaces: WorkspaceStore["Service"]
  /** Takes the workspace's turn to test; `leave` gives it back. */
  readonly turn: {
    readonly enter: (workspaceId: string) => Effect.Effect<void, ControlRefused>
    readonly leave: (workspaceId: string) => void
  }
}

/** Many mailboxes from a table: each row tested, and its result shown as it ends. Neither table nor secrets are kept. */
export const tableRoutes = ({ mailboxes, turn, workspaces }: Services): ReadonlyArray<Route> => {
  const isLive = (workspaceId: string) =>
    Effect.map(workspaces.get(workspaceId), (found) => Option.exists(found, ({ kind }) => kind === "live"))

  const show = ({ viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.map(isLive(workspaceId), (live) => tablePage({ viewer, isLive: live, problem }))

  /** The table of the form. What is wrong with it as a whole never repeats a cell. */
  const tableIn = ({ form, workspaceId }: Inside) =>
    Effect.gen(function* () {
      const text = (form.get("file") ?? "").replace(/\r+\n|\r/g, "\n")
      const fault = form.get("file_fault")
      const wrong = (message: string) => mend([{ path: "file", message }])
      if (!(yield* isLive(workspaceId)))
        yield* mend([{ path: "workspace", message: "is a sandbox, which never sends real email" }])
      if (fault !== null) yield* wrong(`can’t be read: ${fault}`)
      if (text.trim() === "") yield* wrong("must contain at least one row")
      if (Buffer.byteLength(text) > TABLE_BYTES_MAX) yield* wrong(`must have at most ${TABLE_BYTES_MAX / 1024} KiB`)
      const table = readMailboxTable(text)
      if (table.rows.length === 0) yield* wrong("must contain at least one row")
      if (!table.hasHeading)
        yield* wrong("must name its columns in its first line, such as email, name, password, provider")
      return table
    })

  const tried = (
    workspaceId: string,
    connection: MailboxConnection
  ): Effect.Effect<Omit<RowResult, "address" | "line">> => {
    const none = { column: null, value: "" }
    return mailboxes.add(workspaceId, connection, "console").pipe(
      Effect.map(({ advice, mailbox, probe }) => {
        const mends = mendsOf(probe, connection)
        return mailbox === null
          ? {
              ...none,
              outcome: "not_added" as const,
              says: advice[0] ?? "",
              remedy: mends.join(" ") || "Mend what the server says."
            }
          : { ...none, outcome: "added" as const, says: "", remedy: "" }
      }),
      Effect.catch((error) => {
        if (!isWireError(error)) return Effect.succeed({ ...none, outcome: "not_added" as const, ...NOBODY_ANSWERED })
        const issues = error.code === "invalid_request" ? (error.details.issues ?? []) : []
        const says = issues.map(({ message, path }) => `${path} ${message}`).join("; ") || error.code
        return Effect.succeed({
          ...none,
          outcome: "not_added" as const,
          says,
          remedy: "Remove what is not needed, or correct the row."
        })
      })
    )
  }

  const resultOf = (workspaceId: string, { address, line, read }: MailboxRow): Effect.Effect<RowResult> =>
    Result.match(read, {
      onFailure: ({ column, reason, remedy, value }) =>
        Effect.succeed({ line, address, outcome: "left_out" as const, column, value, says: reason, remedy }),
      onSuccess: (connection) => Effect.map(tried(workspaceId, connection), (came) => ({ line, address, ...came }))
    })

  const results = ({ viewer, workspaceId }: Inside, { empty, ignored, rows }: MailboxTable): Pieces => {
    const { headers, pieces } = resultsPage(viewer, { rows: rows.length, ignored })
    const [before, between, after] = pieces
    return {
      headers,
      produce: (write) =>
        Effect.gen(function* () {
          const counts = { added: 0, not_added: 0, left_out: 0, empty } satisfies Counts
          const one = yield* Semaphore.make(1)
          let isOpen = yield* write(before)
          // As they end. Once nobody reads any more, no further row begins; those under way come to their end.
          const row = (of: MailboxRow) =>
            Effect.suspend(() =>
              !isOpen
                ? Effect.void
                : Effect.flatMap(resultOf(workspaceId, of), (result) => {
                    counts[result.outcome] += 1
                    return Effect.map(one.withPermit(write(resultRow(result))), (open) => void (isOpen &&= open))
                  })
            )
          yield* Effect.forEach(rows, row, { concurrency: TESTED_TOGETHER_MAX, discard: true })
          if (isOpen) yield* write(between + summary(counts) + after)
        }),
      release: () => turn.leave(workspaceId)
    }
  }

  const take = (visit: Inside): Page => {
    const { by, workspaceId } = visit
    const begun = Effect.gen(function* () {
      yield* freshOwner(by)
      const table = yield* tableIn(visit)
      yield* turn.enter(workspaceId)
      return table
    })
    // The form's own fields are shown again after a mistake, and never the file, which has secrets.
    return Effect.flatMap(Effect.result(begun), (taken) =>
      Result.isSuccess(taken)
        ? Effect.succeed(results(visit, taken.success))
        : acting(visit, TABLE, Effect.fail(taken.failure), {
            again: ({ issues }) => show(visit, { issues, form: new URLSearchParams() })
          })
    )
  }

  return [
    member(TABLE, {
      get: (visit) => show(visit),
      post: take,
      formBytesMax: LIMITS.listFormBytesMax,
      takesFiles: true
    })
  ]
}
