import { SavedAnswerStore } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(SavedAnswerStore, "SavedAnswerStore", ({ read, write }) => ({
  list: (workspaceId) =>
    read(({ savedAnswers }) =>
      savedAnswers
        .filter((answer) => answer.workspaceId === workspaceId)
        .sort(
          ascending(
            ({ title }) => title,
            ({ savedAnswerId }) => savedAnswerId
          )
        )
    ),
  put: (answer) =>
    write(({ savedAnswers }) => savedAnswers.set(keyOf(answer.workspaceId, answer.savedAnswerId), answer)),
  remove: (workspaceId, savedAnswerId) =>
    write(({ savedAnswers }) => savedAnswers.delete(keyOf(workspaceId, savedAnswerId)))
}))
