import { INTEREST_STATUSES, type InterestStatus } from "@outbound/domain/kernel/sequences/Sequence.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { INTEREST_WORDS } from "../campaigns/campaignWords.js"
import { Form } from "../Parts.js"
import { count } from "../../web/Words.js"

/** How long what was done can be taken back by one press. */
export const UNDO_MILLIS = 10_000

/** Most replies that are handled by one press. */
export const BULK_MAX = 25

/** What the page's address says was done just now. */
export type Done =
  | { readonly what: "sent" }
  | { readonly what: "handled" | "reopened"; readonly atMillis: number; readonly replyIds: ReadonlyArray<string> }
  | { readonly what: "owner"; readonly atMillis: number; readonly was: string | null }
  | { readonly what: "status"; readonly atMillis: number; readonly was: InterestStatus | null }

const NOBODY = "none"

/** As a part of an address. */
export const doneQuery = (done: Done): string => {
  const params = new URLSearchParams({ done: done.what })
  if (done.what === "sent") return params.toString()
  params.set("at", String(done.atMillis))
  if (done.what === "owner" || done.what === "status") params.set("was", done.was ?? NOBODY)
  else if (done.replyIds.length > 0) params.set("of", done.replyIds.join("."))
  return params.toString()
}

const statusOf = (typed: string | null): InterestStatus | null =>
  INTEREST_STATUSES.find((status) => status === typed) ?? null

/** Null: the address says nothing, or nothing that was. */
export const doneOf = (query: URLSearchParams): Done | null => {
  const what = query.get("done")
  const atMillis = Number(query.get("at"))
  const was = query.get("was")
  switch (what) {
    case "sent":
      return { what }
    case "handled":
    case "reopened":
      return { what, atMillis, replyIds: (query.get("of") ?? "").split(".").filter(isUuid).slice(0, BULK_MAX) }
    case "owner":
      return { what, atMillis, was: was !== null && isUuid(was) ? was.toLowerCase() : null }
    case "status":
      return { what, atMillis, was: statusOf(was) }
    default:
      return null
  }
}

const WORDS: Readonly<Record<Done["what"], string>> = {
  sent: "Your answer was sent.",
  handled: "Marked as handled.",
  reopened: "Reopened.",
  owner: "The owner was saved.",
  status: "The status was saved."
}

/** The form that takes it back: the inverse, as anybody may send it at any time. */
const inverseOf = (
  done: Done,
  path: string
): { readonly action: string; readonly fields: ReadonlyArray<[string, string]> } | null => {
  switch (done.what) {
    case "sent":
      return null
    case "handled":
    case "reopened": {
      const handled = done.what === "handled" ? "no" : "yes"
      return done.replyIds.length === 0
        ? { action: `${path}/handling`, fields: [["handled", handled]] }
        : {
            action: "/console/replies/bulk",
            fields: [
              ["what", handled === "no" ? "reopen" : "handle"],
              ...done.replyIds.map((id): [string, string] => ["reply", id])
            ]
          }
    }
    case "owner":
      return { action: `${path}/handling`, fields: [["owner", done.was ?? ""]] }
    case "status":
      return { action: `${path}/status`, fields: [["status", done.was ?? NOBODY]] }
  }
}

/** Confirms what was done, with a way back for ten seconds, and the way on. `next`: the reply that waits next. */
export const DoneNote = (props: {
  readonly of: Done | null
  readonly path: string
  readonly nowMillis: number
  readonly next: { readonly replyId: string; readonly fromEmail: string } | null
  /** Whether what was done still stands, so that it can be taken back. */
  readonly stands?: boolean
}) => {
  const { next, nowMillis, of, path, stands = true } = props
  if (of === null) return null
  const passedMillis = of.what === "sent" ? Infinity : nowMillis - of.atMillis
  const inverse = passedMillis >= 0 && passedMillis < UNDO_MILLIS && stands ? inverseOf(of, path) : null
  const many = of.what === "handled" || of.what === "reopened" ? of.replyIds.length : 0
  return (
    <div class="note good done" role="status">
      <p>
        {many > 0 ? `${count(many, "reply", "replies")}: ` : ""}
        {WORDS[of.what]}
        {of.what === "status" && of.was !== null ? ` It was: ${INTEREST_WORDS[of.was].toLowerCase()}.` : ""}{" "}
        {next === null ? (
          <a href="/console/replies">All replies</a>
        ) : (
          <a href={`/console/replies/${next.replyId}`}>Next: {next.fromEmail}</a>
        )}
      </p>
      {inverse === null ? null : (
        <Form class="undo" action={inverse.action} button="Undo">
          {inverse.fields.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
        </Form>
      )}
    </div>
  )
}
