import type { Reply } from "../http/Reply.js"

/** Back to the client: only ever to an address that it was known by before. No path of ours leaves by `Referer`. */
export const leave = (redirectTo: string): Reply => ({
  status: 303,
  headers: { location: redirectTo, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: ""
})
