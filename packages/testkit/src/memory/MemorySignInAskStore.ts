import { SignInAskStore } from "@outbound/domain/control/users/SignInAskStore.js"
import { memoryStore } from "./MemoryStore.js"

export const layer = memoryStore(SignInAskStore, "SignInAskStore", ({ write }) => ({
  count: (subject, nowMillis, windowMillis) =>
    write(({ asks }) => {
      for (const old of asks.filter(({ overMillis }) => overMillis <= nowMillis)) asks.delete(old.subject)
      const row = asks.get(subject)
      const next =
        row === undefined ? { subject, overMillis: nowMillis + windowMillis, asks: 1 } : { ...row, asks: row.asks + 1 }
      asks.set(subject, next)
      return next.asks
    })
}))
