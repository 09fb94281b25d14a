import { type Scope, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Choice } from "../control/Choice.js"
import { isOn } from "../control/acting.js"
import { Field, useTyped } from "../Parts.js"
import { SCOPE_WORDS } from "./keyWords.js"

/** The values that a policy's form shows. */
export interface PolicyShown {
  readonly scopes: ReadonlyArray<Scope>
  /** As typed; "" means no cap. */
  readonly cap: string
  readonly autonomous: boolean
  readonly runRequired: boolean
  /** Null: the form leaves the field out. */
  readonly allowance: string | null
}

/** After a validation error, what was typed. */
const shownOf = (given: PolicyShown, typed: URLSearchParams | undefined): PolicyShown =>
  typed === undefined
    ? given
    : {
        scopes: SCOPES.filter((scope) => typed.getAll("scopes").includes(scope)),
        cap: typed.get("monthly_spend_cap") ?? "",
        autonomous: isOn(typed, "autonomous_external_actions"),
        runRequired: isOn(typed, "run_required"),
        allowance: given.allowance === null ? null : (typed.get("premium_allowance") ?? "")
      }

/** The choice of scopes. */
export const ScopeFields = (props: {
  readonly legend: string
  readonly of: ReadonlyArray<Scope>
  readonly ticked: ReadonlyArray<string>
}) => (
  <fieldset>
    <legend>{props.legend}</legend>
    <input type="hidden" name="scopes" value="" />
    {props.of.map((scope) => (
      <Choice
        key={scope}
        id={`scope-${scope.replace(":", "-")}`}
        name="scopes"
        value={scope}
        label={scope}
        hint={SCOPE_WORDS[scope]}
        isOn={props.ticked.includes(scope)}
      />
    ))}
  </fieldset>
)

/** The cap of what a key spends in a month. */
export const CapField = (props: { readonly value?: string }) => (
  <Field
    label="Monthly cap, in credits"
    name="monthly_spend_cap"
    inputMode="decimal"
    value={props.value}
    hint="Leave empty for no cap. Months begin on the first (UTC)."
  />
)

export const PolicyFields = (props: { readonly of: PolicyShown }) => {
  const shown = shownOf(props.of, useTyped())
  return (
    <>
      <ScopeFields legend="Scopes" of={SCOPES} ticked={shown.scopes} />
      <CapField value={shown.cap} />
      {shown.allowance === null ? null : (
        <Field
          label="Premium allowance, in credits"
          name="premium_allowance"
          inputMode="decimal"
          value={shown.allowance}
          hint="The most that one premium step can cost."
        />
      )}
      <Choice
        name="autonomous_external_actions"
        label="Can ask for approvals"
        hint="Off: it can draft and preview, but not ask for a purchase, launch or reply."
        isOn={shown.autonomous}
      />
      <Choice
        name="run_required"
        label="Must name a run"
        hint="On: every call must name a run and stay within its budget."
        isOn={shown.runRequired}
      />
    </>
  )
}
