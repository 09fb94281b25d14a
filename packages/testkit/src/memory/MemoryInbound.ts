import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { inboxKey } from "./MemoryReplyStore.js"
import { memoryStore } from "./MemoryStore.js"

export const layer = memoryStore(Inbound, "Inbound", ({ atomically, write }) => ({
  receive: (events) =>
    atomically(
      write(({ inbox }) => {
        for (const event of events) {
          if (!inbox.has(inboxKey(event))) inbox.insert(inboxKey(event), { event, taken: false })
        }
      })
    )
}))
