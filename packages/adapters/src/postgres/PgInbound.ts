import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import { Effect } from "effect"
import { run } from "./Columns.js"
import { givenOf, storeLayer } from "./Table.js"

/** An event as a row of `inbound_events`: its key, its time, what identifies its person, and the rest as JSON. */
const toRow = ({ workspaceId, provider, providerEventId, receivedAtMillis, ...content }: InboundEvent) => ({
  workspaceId,
  provider,
  providerEventId,
  receivedAtMillis,
  // An unusable address is no one we ever wrote to.
  fromEmail: usableEmail(content.fromEmail),
  answers: messageIdOf(content.inReplyTo),
  content
})

const EVENT = `workspaceId uuid, provider text, providerEventId text, receivedAtMillis bigint, fromEmail text,
    answers text, content json`

export const layer = storeLayer(Inbound, (sql) => ({
  receive: (events) =>
    events.length === 0
      ? Effect.void
      : sql`
          ${givenOf(sql, EVENT).insert("inbound_events", events.map(toRow))}
          ORDER BY g."workspaceId", g.provider, g."providerEventId"
          ON CONFLICT (workspace_id, provider, provider_event_id) DO NOTHING
        `.pipe(run("inbound.receive"))
}))
