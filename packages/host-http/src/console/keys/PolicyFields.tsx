import { type Scope, SCOPES } from "@outbound/domain/verbs/Policy.js"
import type { NewKey } from "@outbound/domain/control/Control.js"
import type { PolicyChange } from "@outbound/domain/control/PolicyChange.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Result } from "effect"
import { Choice } from "../control/Choice.js"
import { allOf, creditsOf, isOn, nameOf, type Typed } from "../control/acting.js"
import { Field, useTyped } from "../Parts.js"
import { SCOPE_WORDS } from "./keyWords.js"

/** The values that a policy's form shows. */
export interface PolicyShown {
  readonly scopes: ReadonlyArray<Scope>
  /** As typed; "" means no cap. */
  readonly cap: string
  /** As `cap`. */
  readonly dailyCap: string
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
        dailyCap: typed.get("daily_spend_cap") ?? "",
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

const DailyCapField = (props: { readonly value: string }) => (
  <Field
    label="Daily cap, in credits"
    name="daily_spend_cap"
    inputMode="decimal"
    value={props.value}
    hint="Leave empty for no cap. Days begin at midnight (UTC)."
  />
)

export const PolicyFields = (props: { readonly of: PolicyShown }) => {
  const shown = shownOf(props.of, useTyped())
  return (
    <>
      <ScopeFields legend="Scopes" of={SCOPES} ticked={shown.scopes} />
      <CapField value={shown.cap} />
      <DailyCapField value={shown.dailyCap} />
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

/** A cap; an empty field means no cap, none at all no change. */
const capOf = (form: URLSearchParams, name: string): Typed<Credits | null | undefined> => {
  if (!form.has(name)) return Result.succeed(undefined)
  return (form.get(name) ?? "").trim() === "" ? Result.succeed(null) : creditsOf(form, name)
}

const scopesOf = (form: URLSearchParams): Typed<ReadonlyArray<Scope>> => {
  const given = form.getAll("scopes").filter((text) => text !== "")
  const unknown = given.filter((text) => !SCOPES.some((scope) => scope === text))
  return unknown.length > 0
    ? Result.fail([{ path: "scopes", message: "contain a scope that does not exist" }])
    : Result.succeed(SCOPES.filter((scope) => given.includes(scope)))
}

/** A change of a policy: only fields in the form are set. */
export const policyChangeOf = (form: URLSearchParams): Typed<PolicyChange> => {
  const [cap, daily] = [capOf(form, "monthly_spend_cap"), capOf(form, "daily_spend_cap")]
  const scopes: Typed<ReadonlyArray<Scope> | undefined> = form.has("scopes")
    ? scopesOf(form)
    : Result.succeed(undefined)
  const allowance: Typed<Credits | undefined> = form.has("premium_allowance")
    ? creditsOf(form, "premium_allowance")
    : Result.succeed(undefined)
  const typed = allOf({ monthlySpendCap: cap, dailySpendCap: daily, wanted: scopes, premiumAllowance: allowance })
  if (Result.isFailure(typed)) return Result.fail(typed.failure)
  const { dailySpendCap, monthlySpendCap, premiumAllowance, wanted } = typed.success
  return Result.succeed({
    ...(monthlySpendCap === undefined ? {} : { monthlySpendCap }),
    ...(dailySpendCap === undefined ? {} : { dailySpendCap }),
    ...(wanted === undefined ? {} : { scopes: wanted }),
    ...(premiumAllowance === undefined ? {} : { premiumAllowance }),
    ...(form.has("autonomous_external_actions")
      ? { autonomousExternalActions: isOn(form, "autonomous_external_actions") }
      : {}),
    ...(form.has("run_required") ? { runRequired: isOn(form, "run_required") } : {})
  })
}

export const newKeyOf = (form: URLSearchParams): Typed<NewKey> => {
  const isBare = form.has("scopes") && form.getAll("scopes").every((text) => text === "")
  const noScope = [{ path: "scopes", message: "must contain at least one scope" }]
  const typed = allOf({
    name: nameOf(form),
    scopes: isBare ? Result.fail(noScope) : Result.succeed(true),
    policy: policyChangeOf(form)
  })
  return Result.map(typed, ({ name, policy }) => ({
    name,
    scopes: policy.scopes ?? [],
    monthlySpendCap: policy.monthlySpendCap ?? null,
    dailySpendCap: policy.dailySpendCap ?? null,
    autonomousExternalActions: policy.autonomousExternalActions ?? true,
    runRequired: policy.runRequired ?? false
  }))
}
