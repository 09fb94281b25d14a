import type { Migration } from "./Migration.js"

export const openReplies: Migration = {
  id: 46,
  name: "open_replies",
  note: "Replies that people wrote and nobody has handled are found without reading the others.",
  indexes: [
    {
      name: "replies_open",
      definition: `ON replies (workspace_id, received_at, reply_id)
        WHERE handled_at IS NULL AND (classification IN ('bounce', 'out_of_office')) IS NOT TRUE`
    },
    {
      name: "replies_with_referral",
      definition: "ON replies (workspace_id, received_at, reply_id) WHERE referral = 'open'"
    }
  ],
  sql: ""
}
