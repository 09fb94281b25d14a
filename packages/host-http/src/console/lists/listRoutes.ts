import { Control } from "@outbound/domain/control/Control.js"
import { pages } from "../pages.js"
import { type CallResponse, Calls } from "@outbound/domain/calls/Calls.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { isUuid, Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { fileNameOf, uploadedRows } from "@outbound/domain/kernel/tables/UploadedRow.js"
import { Effect, Result, Schema } from "effect"
import { leftOutHead, leftOutLine } from "../../csv/leftOut.js"
import { LIMITS } from "../../http/Limits.js"
import type { Reply } from "../../http/Reply.js"
import { seeOther } from "../../web/Page.js"
import type { Problem } from "../Parts.js"
import { type Inside, member, type Page } from "../Visit.js"
import { listPage, mappingPage, type Quote } from "./ListPage.js"
import { FIELDS_OF, guess, LIST_KINDS, type ListKind, type ListRows, type Mapping, rowsOf, VERBS } from "./listKinds.js"
import { type Csv, readCsv } from "./readCsv.js"

export const LISTS = "/console/lists"

const kindOf = (text: string | null): ListKind => LIST_KINDS.find((kind) => kind === text) ?? LIST_KINDS[0]

/** The form's own CSV: what was pasted, or the file. Line ends as browsers send them back, so that lines keep their numbers. */
const csvOf = (form: URLSearchParams): string => {
  const file = form.get("file") ?? ""
  return (file === "" ? (form.get("csv") ?? "") : file).replace(/\r+\n|\r/g, "\n")
}

/** The columns that the form names; what it does not name is guessed at first. */
const mappingOf = (kind: ListKind, csv: Csv, form: URLSearchParams): Mapping =>
  form.has("mapped")
    ? Object.fromEntries(
        FIELDS_OF[kind].flatMap((field) => {
          const index = form.get(`column_${field}`) ?? ""
          return /^\d{1,3}$/.test(index) && Number(index) < csv.columns.length ? [[field, Number(index)]] : []
        })
      )
    : guess(kind, csv)

/** Every row that is not asked about, as it was written, with what is wrong: to be mended and brought again. */
const leftOutReply = ({ head }: Csv, { bad }: ListRows): Reply => ({
  status: 200,
  headers: {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="left-out.csv"',
    "cache-control": "no-store",
    "x-content-type-options": "nosniff"
  },
  body: leftOutHead(head) + bad.map((row) => leftOutLine(head, row, [row])).join("")
})

/** What is asked of the service. */
const requestOf = (kind: ListKind, { asked }: ListRows, form: URLSearchParams): JsonObject => {
  const budget = (form.get("budget_credits") ?? "").trim().replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, "")
  return {
    ...(kind === "verify_emails" ? { emails: asked } : { people: asked }),
    ...(kind === "enrich_people" && form.get("want") === "work_email" ? { want: ["work_email"] } : {}),
    ...(budget === "" ? {} : { budget_credits: budget })
  } as JsonObject
}

const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))

const Foreseen = Schema.fromJsonString(
  Schema.Struct({
    result: Schema.Struct({
      plan: Schema.Struct({ credits_estimate: Schema.String, would_exceed: Schema.Array(Schema.String) })
    }),
    svc: Schema.Struct({ credits_available: Schema.String })
  })
)

const Started = Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ operation_id: Schema.String }) }))

/** The result of a call, or what its refusal says. */
const answered = <A, I>({ body, status }: CallResponse, success: Schema.Codec<A, I>): Result.Result<A, string> =>
  status < 400
    ? Result.succeed(Schema.decodeUnknownSync(success as Schema.Codec<A, unknown>)(body))
    : Result.fail(Schema.decodeUnknownSync(Refused)(body).error.message)

/** Lists from a CSV: the file, what its columns hold and what it costs, and the start. */
export const listPages = pages({ calls: Calls, control: Control, ids: Ids }, ({ calls, control, ids }) => {
  const begin = ({ form, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.succeed(
      listPage({ viewer, kind: kindOf(problem === undefined ? query.get("kind") : form.get("kind")), problem })
    )

  const take = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { by, form, nowMillis, viewer, workspaceId } = visit
      const kind = kindOf(form.get("kind"))
      const text = csvOf(form)
      const fault = form.get("file_fault")
      const csv = fault === null ? readCsv(text) : Result.fail(`can’t be read: ${fault}`)
      if (Result.isFailure(csv)) return yield* begin(visit, { issues: [{ path: "csv", message: csv.failure }], form })
      const mapping = mappingOf(kind, csv.success, form)
      const rows = rowsOf(kind, csv.success, mapping)
      const keys = (yield* control.listKeys(by))
        .map(({ key }) => key)
        .filter(({ scopes, state }) => KeyMachine.is.active(state) && scopes.includes("data:read"))
      const key = keys.find(({ keyId }) => keyId === form.get("key")) ?? keys[0]
      const given = form.get("list_id") ?? ""
      const listId = isUuid(given) ? given : ids.next(nowMillis)
      const input = requestOf(kind, rows, form)
      const call = (more: JsonObject, idempotencyKey: string | null, requestId = ids.next(nowMillis)) =>
        calls.answer({
          requestId,
          bearer: null,
          asKey: { workspaceId, keyId: key?.keyId ?? "" },
          uploaded: uploadedRows(csv.success.head, rows.taken, fileNameOf(form.get("file_name"))),
          verb: VERBS[kind],
          input: { ...input, ...more },
          reject: null,
          idempotencyKey,
          runId: null
        })
      if (form.get("do") === "left_out") return leftOutReply(csv.success, rows)
      const isAsked = key !== undefined && rows.asked.length > 0
      const shown = (quote: Quote | null, refusal: string | null) =>
        mappingPage({
          viewer,
          kind,
          text,
          csv: csv.success,
          mapping,
          rows,
          keys,
          key: key ?? null,
          listId,
          form,
          quote,
          refusal
        })
      if (!isAsked) return shown(null, null)
      if (form.get("do") === "start") {
        const requestId = ids.next(nowMillis)
        const list = { keyId: key.keyId, verb: kind, rows: rows.asked.length, requestId }
        yield* control.noteList(by, list)
        const started = answered(yield* call({}, `console-${listId}`, requestId), Started)
        return Result.isSuccess(started)
          ? seeOther(`/console/operations/${started.success.result.operation_id}`)
          : shown(null, started.failure)
      }
      const foreseen = answered(yield* call({ dry_run: true }, null), Foreseen)
      if (Result.isFailure(foreseen)) return shown(null, foreseen.failure)
      const { result, svc } = foreseen.success
      const { credits_estimate: most, would_exceed: wouldExceed } = result.plan
      return shown({ most, available: svc.credits_available, wouldExceed }, null)
    })

  return [
    member(LISTS, {
      get: (visit) => begin(visit),
      post: take,
      formBytesMax: LIMITS.listFormBytesMax,
      takesFiles: true
    })
  ]
})
