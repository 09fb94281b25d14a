import { byKey, type CrmDefinition } from "../CrmHttp.js"
import { makeNotes } from "./notes.js"
import { makeOwners, makePages } from "./pages.js"

/** Persons, organizations, deals and notes, by a user's API token. */
export const pipedrive: CrmDefinition = {
  name: "pipedrive",
  title: "Pipedrive",
  hint: "The API token of a user who sees all persons and deals, from the personal preferences there.",
  baseUrl: "https://api.pipedrive.com",
  callsPerMinute: 300,
  authorize: (token) => ({ headers: { "x-api-token": token } }),
  classify: (answer) => {
    if (answer.status !== 429) return null
    // It says in a header of its own when the pace may be resumed.
    const seconds = Number(answer.header("x-ratelimit-reset") ?? "")
    return { reason: "rate_limited", ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}) }
  },
  make: byKey({ makeNotes, makeOwners, makePages })
}
