import type { Classified } from "../../../providers/classify.js"
import { isJsonObject, type VendorAnswer } from "../../../providers/VendorHttp.js"
import { type CrmDefinition, crmOver } from "../CrmHttp.js"
import { makeNotes } from "./notes.js"
import { makeOwners, makePages } from "./pages.js"
import { HOSTS, makeSessions } from "./sessions.js"

/** A day's requests are counted over the last 24 hours. */
const DAY_USED_SECONDS = 60 * 60

/** Requests that take long are limited in number at a time. */
const MANY_AT_ONCE_SECONDS = 60

const errorIn = (json: unknown): { readonly code: string; readonly message: string } | null => {
  const first: unknown = Array.isArray(json) ? json[0] : json
  if (!isJsonObject(first)) return null
  const { errorCode, message } = first
  return typeof errorCode === "string" && /^[A-Z_]{1,60}$/.test(errorCode)
    ? { code: errorCode, message: typeof message === "string" ? message : "" }
    : null
}

/** What only the owner can mend: a permission of the integration's user, or the account itself. */
const OWNERS_TO_MEND = new Set([
  "INVALID_FIELD",
  "INVALID_TYPE",
  "INSUFFICIENT_ACCESS",
  "INSUFFICIENT_ACCESS_OR_READONLY",
  "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY",
  "API_DISABLED_FOR_ORG",
  "API_CURRENTLY_DISABLED",
  "STORAGE_LIMIT_EXCEEDED"
])

/** What goes better at another time. */
const TRANSIENT = new Set(["UNABLE_TO_LOCK_ROW", "QUERY_TIMEOUT", "SERVER_UNAVAILABLE", "UNKNOWN_EXCEPTION"])

/** By its own code, which names no person. Others are classified by the status. */
const classify = ({ json, status }: VendorAnswer): Classified | null => {
  const error = status >= 200 && status < 300 ? null : errorIn(json)
  if (error === null) return null
  const cause = `status ${status}: ${error.code}`
  if (error.code === "REQUEST_LIMIT_EXCEEDED") {
    const isOfTheDay = !error.message.includes("Concurrent")
    return { reason: "rate_limited", cause, retryAfterSeconds: isOfTheDay ? DAY_USED_SECONDS : MANY_AT_ONCE_SECONDS }
  }
  if (OWNERS_TO_MEND.has(error.code) || status === 401 || status === 403) return { reason: "account", cause }
  if (TRANSIENT.has(error.code)) return { reason: "transient", cause }
  return status === 400 ? { reason: "invalid", cause } : null
}

/** Contacts, leads, accounts, opportunities and tasks, by a program's client credentials. */
export const salesforce: CrmDefinition = {
  name: "salesforce",
  title: "Salesforce",
  hint: "The address of your domain there, and the consumer key and secret of an external client app that has the client credentials flow and the scope “Manage user data via APIs”. Its run-as user may read accounts, contacts, leads, opportunities and users, and write leads and tasks.",
  asks: {
    address: { example: "https://example.my.salesforce.com", hosts: HOSTS },
    clientId: "Consumer key",
    key: "Consumer secret"
  },
  baseUrl: null,
  callsPerMinute: 300,
  authorize: (token) => ({ headers: { authorization: `Bearer ${token}` } }),
  classify,
  make: () => {
    const session = makeSessions()
    return (account) => crmOver(session(account), { makeNotes, makeOwners, makePages })
  }
}
