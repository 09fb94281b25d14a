import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { pages } from "../pages.js"
import type { ApprovalRules } from "@outbound/domain/calls/approvals/approvers.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Result } from "effect"
import type { Reply } from "../../http/Reply.js"
import { allOf, countOf, creditsOf, isOn, mayLoosen, MayNote, type Typed, typed } from "../control/acting.js"
import { Choice } from "../control/Choice.js"
import { Field, Form, type Problem } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { formsOf } from "../control/formsOf.js"
import { type Inside, member, type Page } from "../Visit.js"

const APPROVERS_PATH = "/console/settings/approvals"

const ruleWords = ({ creditsAbove, excludesKeyOwner, recipientsAbove }: ApprovalRules): ReadonlyArray<string> => [
  recipientsAbove === null
    ? "One person approves a launch."
    : `Two different people approve a launch to more than ${recipientsAbove} leads.`,
  creditsAbove === null
    ? "One person approves a purchase."
    : `Two different people approve a purchase of more than ${format(creditsAbove)} credits.`,
  excludesKeyOwner
    ? "The person who made the key that asks can’t approve."
    : "The person who made the key that asks can approve like anybody else."
]

const approversPage = (options: {
  readonly viewer: Viewer
  readonly rules: ApprovalRules
  readonly isDone: boolean
  readonly problem?: Problem | undefined
}): Reply => {
  const { isDone, problem, rules, viewer } = options
  const form = problem?.form
  return titledPage(
    {
      title: "Who must approve",
      viewer,
      at: "settings",
      isNarrow: true,
      said: isDone ? "The rules are saved." : undefined,
      problem,
      lead: "Every member can decide on requests. For large ones you can ask for two different people. Stricter rules hold at once, also for requests that wait; looser ones hold for later requests."
    },
    <>
      <MayNote path={APPROVERS_PATH} loosening="change these rules" />
      {mayLoosen(viewer) ? (
        <Form class="card" action={APPROVERS_PATH} button="Save rules">
          <Field
            label="Two people for launches to more leads than"
            name="recipients_above"
            inputMode="numeric"
            value={rules.recipientsAbove === null ? "" : String(rules.recipientsAbove)}
            hint="Leads added later count together with those of the launch. Leave empty for one person."
          />
          <Field
            label="Two people for purchases of more credits than"
            name="credits_above"
            inputMode="decimal"
            value={rules.creditsAbove === null ? "" : format(rules.creditsAbove)}
            hint="Leave empty for one person."
          />
          <Choice
            name="excludes_key_owner"
            label="The person who made the key that asks can’t approve"
            hint="They can still decline."
            isOn={form === undefined ? rules.excludesKeyOwner : isOn(form, "excludes_key_owner")}
          />
        </Form>
      ) : (
        <ul class="card">
          {ruleWords(rules).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** An empty field sets no limit. */
const orNone = <A,>(form: URLSearchParams, name: string, read: (form: URLSearchParams, name: string) => Typed<A>) =>
  (form.get(name) ?? "").trim() === "" ? Result.succeed(null) : read(form, name)

const rulesOf = (form: URLSearchParams): Typed<ApprovalRules> =>
  allOf({
    recipientsAbove: orNone(form, "recipients_above", countOf),
    creditsAbove: orNone(form, "credits_above", creditsOf),
    excludesKeyOwner: Result.succeed(isOn(form, "excludes_key_owner"))
  })

export const approverPages = pages({ approvers: Approvers }, ({ approvers }) => {
  const show = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.map(approvers.rules(by), (rules) =>
      approversPage({ viewer, rules, isDone: query.get("done") !== null, problem })
    )

  const save = formsOf(APPROVERS_PATH, show).post("set", ({ by, form }) =>
    Effect.flatMap(typed(rulesOf(form)), (rules) => approvers.setRules(by, rules))
  )

  return [member(APPROVERS_PATH, { get: (visit) => show(visit), post: save })]
})
