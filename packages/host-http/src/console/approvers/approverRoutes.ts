import type { ApprovalRules } from "@outbound/domain/calls/approvals/approvers.js"
import { Effect, Either } from "effect"
import { formsOf } from "../control/formsOf.js"
import { allOf, countOf, creditsOf, isOn, type Typed } from "../control/fields.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import { typed } from "../keys/keyRoutes.js"
import type { Problem } from "../Fields.js"
import type { Inside, Page, Route } from "../Visit.js"
import { APPROVERS_PATH, approversPage } from "./ApproversPage.js"

/** An empty field sets no limit. */
const orNone = <A>(form: URLSearchParams, name: string, read: (form: URLSearchParams, name: string) => Typed<A>) =>
  (form.get(name) ?? "").trim() === "" ? Either.right(null) : read(form, name)

const rulesOf = (form: URLSearchParams): Typed<ApprovalRules> =>
  allOf({
    recipientsAbove: orNone(form, "recipients_above", countOf),
    creditsAbove: orNone(form, "credits_above", creditsOf),
    excludesKeyOwner: Either.right(isOn(form, "excludes_key_owner"))
  })

export const approverRoutes = ({ approvers }: Pick<ConsoleServices, "approvers">): ReadonlyArray<Route> => {
  const show = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.map(approvers.rules(by), (rules) =>
      approversPage({ viewer, rules, isDone: query.get("done") !== null, problem })
    )

  const save = formsOf(APPROVERS_PATH, show).post("set", ({ by, form }) =>
    Effect.flatMap(typed(rulesOf(form)), (rules) => approvers.setRules(by, rules))
  )

  return [{ access: "member", path: APPROVERS_PATH, get: (visit) => show(visit), post: save }]
}
