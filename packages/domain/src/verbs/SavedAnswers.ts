import { Schema } from "effect"
import { Timestamp, Uuid } from "./fields.js"
import { defineVerb, READ_HINTS, READS } from "./Verb.js"

export const ListSavedAnswers = defineVerb({
  name: "list_saved_answers",
  route: { method: "GET", path: "/v1/saved-answers" },
  summary: "List the texts that people of this workspace saved for their answers, by title.",
  description:
    "Free. Draft a reply from one, with its variables filled in: a human still approves the exact text. Only people change them.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({}),
  result: Schema.Struct({
    saved_answers: Schema.Array(
      Schema.Struct({
        saved_answer_id: Uuid,
        title: Schema.String,
        body: Schema.String.annotate({ description: "With variables such as `{{first_name|there}}`." }),
        saved_at: Timestamp
      }).annotate({ identifier: "SavedAnswerLine" })
    )
  }),
  errors: [],
  tool: { title: "List saved answers", ...READ_HINTS }
})
