import type { Reply } from "../../http/Reply.js"

/** Redirects to the client, at a registered address only. `Referer` shows no path of ours. */
export const leave = (redirectTo: string): Reply => ({
  status: 303,
  headers: { location: redirectTo, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: ""
})
