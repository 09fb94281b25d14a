import { type SandboxLetter, SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { Effect, Layer } from "effect"
import { keyOf } from "./Table.js"

/** Without transactions, as the table's own statements have none around them. */
export const layer: Layer.Layer<SandboxLetters> = Layer.sync(SandboxLetters, () => {
  const letters = new Map<string, { readonly letter: SandboxLetter; readonly heldUntilMillis: number }>()
  const keyFor = ({ messageId, workspaceId }: Pick<SandboxLetter, "workspaceId" | "messageId">) =>
    keyOf(workspaceId, messageId)
  return SandboxLetters.of({
    put: (letter) =>
      Effect.sync(() => {
        if (!letters.has(keyFor(letter))) letters.set(keyFor(letter), { letter, heldUntilMillis: 0 })
      }),
    take: ({ holdMillis, limit, nowMillis }) =>
      Effect.sync(() => {
        const due = [...letters.values()]
          .filter(({ heldUntilMillis, letter }) => letter.dueAtMillis <= nowMillis && heldUntilMillis <= nowMillis)
          .map(({ letter }) => letter)
          .sort((a, b) => a.dueAtMillis - b.dueAtMillis)
          .slice(0, limit)
        for (const letter of due) letters.set(keyFor(letter), { letter, heldUntilMillis: nowMillis + holdMillis })
        return due
      }),
    done: (read) => Effect.sync(() => read.forEach((letter) => void letters.delete(keyFor(letter))))
  })
})
