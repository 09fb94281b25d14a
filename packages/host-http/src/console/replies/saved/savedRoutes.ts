import { SavedAnswers, type Seen } from "@outbound/domain/control/SavedAnswers.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect } from "effect"
import { acting } from "../../control/acting.js"
import { confirmPage } from "../../control/ConfirmPage.js"
import { pages } from "../../pages.js"
import type { Problem } from "../../Parts.js"
import { missingPage } from "../../Shell.js"
import { type Inside, member, type Page } from "../../Visit.js"
import { SAVED_PATH, savedAnswersPage } from "./SavedAnswersPage.js"

/** The saved answer that a form or an address is about, as it was shown; null: none, or a new one. */
const seenIn = (given: URLSearchParams): Seen | null => {
  const id = given.get("id") ?? ""
  return isUuid(id) ? { savedAnswerId: id.toLowerCase(), version: given.get("version") ?? "" } : null
}

/** The texts that people save for their answers. Everybody reads them, owners and members write them. */
export const savedAnswerPages = pages({ answers: SavedAnswers }, ({ answers }) => {
  const show = ({ form, query, viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.map(answers.list(workspaceId), (of) => {
      const id = (problem === undefined ? query.get("edit") : form.get("id")) ?? ""
      const edited = of.find(({ savedAnswerId }) => savedAnswerId === id.toLowerCase()) ?? null
      return savedAnswersPage({ viewer, of, edited, done: query.get("done"), problem })
    })

  const save = (visit: Inside): Page => {
    const { by, form } = visit
    const text = {
      title: (form.get("title") ?? "").trim(),
      // Browsers send line ends as CRLF.
      body: (form.get("text") ?? "").replaceAll("\r\n", "\n").trim()
    }
    return acting(visit, `${SAVED_PATH}?done=saved`, answers.save(by, seenIn(form), text), {
      again: (problem) => show(visit, problem)
    })
  }

  const askRemove = ({ query, viewer, workspaceId }: Inside): Page =>
    Effect.map(answers.list(workspaceId), (of) => {
      const seen = seenIn(query)
      const found = of.find(({ savedAnswerId }) => savedAnswerId === seen?.savedAnswerId)
      if (seen === null || found === undefined) return missingPage(viewer)
      return confirmPage({
        viewer,
        title: `Remove the saved answer “${found.title}”`,
        at: "replies",
        effects: [
          "Nobody is offered its text any more, and agents no longer read it. Nobody can bring it back.",
          "Answers that were sent with it stay as they are."
        ],
        action: `${SAVED_PATH}/remove`,
        fields: { id: seen.savedAnswerId, version: found.version },
        button: "Remove it",
        back: SAVED_PATH
      })
    })

  const remove = (visit: Inside): Page => {
    const seen = seenIn(visit.form)
    if (seen === null) return Effect.succeed(missingPage(visit.viewer))
    return acting(visit, `${SAVED_PATH}?done=removed`, answers.remove(visit.by, seen), {
      again: (problem) => show(visit, problem)
    })
  }

  return [
    member(SAVED_PATH, { get: (visit) => show(visit), post: save }),
    member(`${SAVED_PATH}/remove`, { get: askRemove, formOn: SAVED_PATH, post: remove })
  ]
})
