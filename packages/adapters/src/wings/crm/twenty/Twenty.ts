import { byKey, type CrmDefinition } from "../CrmHttp.js"
import { makeNotes } from "./notes.js"
import { makeOwners, makePages } from "./pages.js"

/** People, companies, opportunities and notes, by an API key, in Twenty's cloud or on a server of one's own. */
export const twenty: CrmDefinition = {
  name: "twenty",
  title: "Twenty",
  hint: "An API key, from Settings, APIs & Webhooks there. Its role may read people, companies, opportunities, notes and members, and write people and notes.",
  asks: { address: { example: "https://api.twenty.com" } },
  baseUrl: null,
  // A workspace is allowed 100 a minute, of which we leave some to others.
  callsPerMinute: 80,
  authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  make: byKey({ makeNotes, makeOwners, makePages })
}
