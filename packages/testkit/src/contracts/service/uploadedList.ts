import { Calls } from "@outbound/domain/calls/Calls.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { fileNameOf, uploadedRows } from "@outbound/domain/kernel/tables/UploadedRow.js"
import { readTable } from "@outbound/domain/kernel/tables/Table.js"
import { VerifyEmails } from "@outbound/domain/verbs/Lists.js"
import { Clock, Effect } from "effect"
import type { Client } from "../../service/Client.js"
import { freshKey } from "./stories.js"

interface Started {
  readonly result: { readonly operation_id: string }
  readonly svc: { readonly request_id: string }
}

/** Starts a list from a table with a column "Email", as a person's form does. */
export const uploadedList = (
  { keyId, workspaceId }: Pick<Client, "keyId" | "workspaceId">,
  text: string,
  file: string | null = null
) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const ids = yield* Ids
    const { head, rows } = readTable(text, { isHeading: (cell) => cell === "Email" })
    const at = head.columns.indexOf("Email")
    const { body } = yield* calls.answer({
      requestId: ids.next(yield* Clock.currentTimeMillis),
      bearer: null,
      asKey: { workspaceId, keyId },
      uploaded: uploadedRows(head, rows, fileNameOf(file)),
      verb: VerifyEmails,
      input: { emails: rows.map(({ cells }) => cells[at] ?? "") },
      reject: null,
      idempotencyKey: freshKey(),
      runId: null
    })
    return JSON.parse(body) as Started
  })
