import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"

export const QUEUE_PATH = "/console/approvals/queue"

/** Most requests that somebody skips in one sitting. */
export const SKIPPED_MAX = 50

/** Requests that are decided one after another. */
export interface Sitting {
  /** How many wait, this one included. */
  readonly left: number
  readonly approvalId: string
  /** What was skipped before this one. */
  readonly skipped: ReadonlyArray<string>
}

/** The ids of what was skipped, as a form or an address names them. */
export const skippedOf = (text: string | null): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .slice(0, SKIPPED_MAX)
    .filter(isUuid)
    .map((id) => id.toLowerCase())

/** `edited`: the person sent a text of their own, and the request was declined. */
export type Done = "approved" | "counted" | "declined" | "edited"

/** The page that lists what waits, and what became of the last request that was decided there. */
export const homeAddress = (last: { readonly done: Done; readonly approvalId: string }): `/${string}` =>
  `/console/home?${new URLSearchParams({ approval: last.done, of: last.approvalId })}`

/** The address of the next request, and what became of the last one. */
export const queueAddress = (
  skipped: ReadonlyArray<string>,
  last?: { readonly done: Done; readonly approvalId: string }
): `/${string}` => {
  const query = new URLSearchParams()
  if (skipped.length > 0) query.set("skip", skipped.slice(-SKIPPED_MAX).join(","))
  if (last !== undefined) {
    query.set("done", last.done)
    query.set("of", last.approvalId)
  }
  const text = query.toString()
  return text === "" ? QUEUE_PATH : `${QUEUE_PATH}?${text}`
}
