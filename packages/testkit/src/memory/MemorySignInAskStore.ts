import { SignInAskStore } from "@outbound/domain/users/SignInAskStore.js"
import { memoryStore } from "./MemoryStore.js"

export const layer = memoryStore(SignInAskStore, "SignInAskStore", ({ write }) => ({
  count: (subject, nowMillis, windowMillis) =>
    write(({ asks }) => {
      for (const old of asks.filter(({ fromMillis }) => fromMillis <= nowMillis - 2 * windowMillis)) {
        asks.delete(old.subject)
      }
      const row = asks.get(subject)
      const isOpen = row !== undefined && row.fromMillis > nowMillis - windowMillis
      const next = isOpen ? { ...row, asks: row.asks + 1 } : { subject, fromMillis: nowMillis, asks: 1 }
      asks.set(subject, next)
      return next.asks
    })
}))
