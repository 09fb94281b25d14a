import { type Scope, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Choice } from "../control/Choice.js"
import { isOn } from "../control/fields.js"
import { Field, type Problem } from "../Parts.js"
import { SCOPE_WORDS } from "./keyWords.js"

/** What a policy's form begins with. */
export interface PolicyShown {
  readonly scopes: ReadonlyArray<Scope>
  /** As it is typed; "": no cap. */
  readonly cap: string
  readonly autonomous: boolean
  readonly runRequired: boolean
  /** Null: the form has no such field. */
  readonly allowance: string | null
}

/** What was typed, where something of it was wrong. */
const shownOf = (given: PolicyShown, problem: Problem | undefined): PolicyShown =>
  problem === undefined
    ? given
    : {
        scopes: SCOPES.filter((scope) => problem.form.getAll("scopes").includes(scope)),
        cap: problem.form.get("monthly_spend_cap") ?? "",
        autonomous: isOn(problem.form, "autonomous_external_actions"),
        runRequired: isOn(problem.form, "run_required"),
        allowance: given.allowance === null ? null : (problem.form.get("premium_allowance") ?? "")
      }

export const PolicyFields = (props: { readonly of: PolicyShown; readonly problem: Problem | undefined }) => {
  const shown = shownOf(props.of, props.problem)
  return (
    <>
      <fieldset>
        <legend>What it may do</legend>
        <input type="hidden" name="scopes" value="" />
        {SCOPES.map((scope) => (
          <Choice
            key={scope}
            id={`scope-${scope.replace(":", "-")}`}
            name="scopes"
            value={scope}
            label={scope}
            hint={SCOPE_WORDS[scope]}
            isOn={shown.scopes.includes(scope)}
          />
        ))}
      </fieldset>
      <Field
        label="Monthly cap, in credits"
        name="monthly_spend_cap"
        inputMode="decimal"
        value={shown.cap}
        hint="Empty: no cap. It counts from the first of the month (UTC)."
      />
      {shown.allowance === null ? null : (
        <Field
          label="Premium allowance, in credits"
          name="premium_allowance"
          inputMode="decimal"
          value={shown.allowance}
          hint="The most that one premium step may cost."
        />
      )}
      <Choice
        name="autonomous_external_actions"
        label="May ask for approvals"
        hint="Off: it may draft and preview, but ask for no purchase, launch or reply."
        isOn={shown.autonomous}
      />
      <Choice
        name="run_required"
        label="Must name a run"
        hint="Every call must then belong to a run, and stay within its budget."
        isOn={shown.runRequired}
      />
    </>
  )
}
