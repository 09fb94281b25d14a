import type { NewKey } from "@outbound/domain/control/Control.js"
import type { PolicyChange } from "@outbound/domain/control/PolicyChange.js"
import { type Scope, SCOPES } from "@outbound/domain/verbs/Policy.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Either } from "effect"
import { allOf, creditsOf, isOn, issuesOf, nameOf, type Typed } from "../control/acting.js"

/** A cap; an empty field means no cap. */
const capOf = (form: URLSearchParams): Typed<Credits | null> =>
  (form.get("monthly_spend_cap") ?? "").trim() === "" ? Either.right(null) : creditsOf(form, "monthly_spend_cap")

const scopesOf = (form: URLSearchParams): Typed<ReadonlyArray<Scope>> => {
  const given = form.getAll("scopes").filter((text) => text !== "")
  const unknown = given.filter((text) => !SCOPES.some((scope) => scope === text))
  return unknown.length > 0
    ? Either.left([{ path: "scopes", message: "contain a scope that does not exist" }])
    : Either.right(SCOPES.filter((scope) => given.includes(scope)))
}

/** A change of a policy: only fields in the form are set. */
export const policyChangeOf = (form: URLSearchParams): Typed<PolicyChange> => {
  const cap: Typed<Credits | null | undefined> = form.has("monthly_spend_cap") ? capOf(form) : Either.right(undefined)
  const scopes: Typed<ReadonlyArray<Scope> | undefined> = form.has("scopes") ? scopesOf(form) : Either.right(undefined)
  const allowance: Typed<Credits | undefined> = form.has("premium_allowance")
    ? creditsOf(form, "premium_allowance")
    : Either.right(undefined)
  const issues = [cap, scopes, allowance].flatMap(issuesOf)
  if (Either.isLeft(cap) || Either.isLeft(scopes) || Either.isLeft(allowance)) return Either.left(issues)
  const [monthlySpendCap, wanted, premiumAllowance] = [cap.right, scopes.right, allowance.right]
  return Either.right({
    ...(monthlySpendCap === undefined ? {} : { monthlySpendCap }),
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
    scopes: isBare ? Either.left(noScope) : Either.right(true),
    policy: policyChangeOf(form)
  })
  return Either.map(typed, ({ name, policy }) => ({
    name,
    scopes: policy.scopes ?? [],
    monthlySpendCap: policy.monthlySpendCap ?? null,
    autonomousExternalActions: policy.autonomousExternalActions ?? true,
    runRequired: policy.runRequired ?? false
  }))
}
