import { Effect } from "effect"
import { answering } from "../../calls/Handler.js"
import { iso } from "../../kernel/text.js"
import { SavedAnswerStore } from "../../outreach/replies/SavedAnswerStore.js"
import type { ListSavedAnswers } from "../../verbs/SavedAnswers.js"

export const listSavedAnswers = Effect.map(SavedAnswerStore, (store) =>
  answering<typeof ListSavedAnswers>((_request, { workspaceId }) =>
    Effect.map(store.list(workspaceId), (found) => ({
      saved_answers: found.map(({ body, savedAnswerId, savedAtMillis, title }) => ({
        saved_answer_id: savedAnswerId,
        title,
        body,
        saved_at: iso(savedAtMillis)
      }))
    }))
  )
)
