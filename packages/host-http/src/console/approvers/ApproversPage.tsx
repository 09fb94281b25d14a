import type { ApprovalRules } from "@outbound/domain/calls/approvals/approvers.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Choice } from "../control/Choice.js"
import { isOn } from "../control/fields.js"
import { Field, Form, type Problem } from "../Fields.js"
import type { Viewer } from "../Shell.js"
import { titledPage } from "../titledPage.js"

export const APPROVERS_PATH = "/console/settings/approvals"

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

export const approversPage = (options: {
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
