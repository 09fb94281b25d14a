import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { homeAddress, queueAddress, skippedOf } from "./sitting.js"

/** Where somebody goes on after they sent their own text in place of an agent's: to the thread, in a sitting to the next, or home. */
export type After =
  | { readonly to: "page" }
  | { readonly to: "home" }
  | { readonly to: "next"; readonly skipped: ReadonlyArray<string> }

export const answerPath = (replyId: string): string => `/console/replies/${replyId}/answer`

const HERE: After = { to: "page" }

/** The page on which an agent's answer is changed and sent. */
export const editAddress = (replyId: string, approvalId: string, after: After): string => {
  const query = new URLSearchParams({ edit: approvalId, ...fieldsOf(after) })
  return `/console/replies/${replyId}?${query}#answer`
}

/** As the fields of a form, or the members of an address. */
export const fieldsOf = (after: After): Readonly<Record<string, string>> => {
  if (after.to === "page") return {}
  return after.to === "home" ? { after: "home" } : { after: "next", skip: after.skipped.join(",") }
}

export const afterOf = (given: URLSearchParams): After => {
  switch (given.get("after")) {
    case "home":
      return { to: "home" }
    case "next":
      return { to: "next", skipped: skippedOf(given.get("skip")) }
    default:
      return HERE
  }
}

/** The request whose text is changed; null: none. */
export const editedOf = (given: URLSearchParams): string | null => {
  const id = given.get("edit")
  return id !== null && isUuid(id) ? id.toLowerCase() : null
}

/** The next address, once the text is sent. Null: the thread. */
export const addressAfter = (after: After, approvalId: string): `/${string}` | null => {
  const last = { done: "edited" as const, approvalId }
  if (after.to === "page") return null
  return after.to === "home" ? homeAddress(last) : queueAddress(after.skipped, last)
}
