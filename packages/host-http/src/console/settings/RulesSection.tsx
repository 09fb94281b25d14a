import {
  AUTHENTICATION_RULES,
  EVIDENCE_RULES,
  ROLE_ADDRESS_RULES,
  RULE_BOUNDS,
  type WorkspaceRules
} from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Result } from "effect"
import { allOf, countOf, type Typed } from "../control/acting.js"
import { Field, Form, Section, Select } from "../Parts.js"
import { maySend, RULES_PATH } from "../roles.js"
import { useViewer } from "../Viewer.js"

const AUTHENTICATION = [
  ["warn", "Warn: a launch from a domain that is not authenticated is shown, not refused"],
  ["require", "Require: such a launch is refused"]
] as const satisfies Choices<"authentication">

const ROLE_ADDRESSES = [
  ["allow", "Write to them"],
  ["leave_out", "Leave them out"]
] as const satisfies Choices<"roleAddresses">

const EVIDENCE = [
  ["none", "Not asked for"],
  ["mark", "Mark values without evidence on the approval"],
  ["require", "Refuse a launch with values without evidence"]
] as const satisfies Choices<"evidence">

type Choices<Rule extends keyof WorkspaceRules> = ReadonlyArray<readonly [value: WorkspaceRules[Rule], words: string]>

const wordsOf = <Value extends string>(of: ReadonlyArray<readonly [Value, string]>, value: Value): string =>
  of.find(([one]) => one === value)?.[1] ?? value

const typedOf = (value: number | null): string => (value === null ? "" : String(value))

const ruleWords = (rules: WorkspaceRules): ReadonlyArray<readonly [name: string, words: string]> => [
  ["Authentication", wordsOf(AUTHENTICATION, rules.authentication)],
  [
    "Unverified addresses",
    rules.unverifiedMaxPercent === null ? "Any share" : `At most ${rules.unverifiedMaxPercent}%`
  ],
  ["A verification counts for", `${rules.verificationMaxAgeDays} days`],
  ["Role addresses", wordsOf(ROLE_ADDRESSES, rules.roleAddresses)],
  ["Evidence", wordsOf(EVIDENCE, rules.evidence)],
  ["Questions before an approval", rules.attentionAbove === null ? "Never" : `Above ${rules.attentionAbove} recipients`]
]

/** What the workspace asks of its launches. Who may approve sees a form, the others words. */
export const RulesSection = (props: { readonly rules: WorkspaceRules }) => {
  const { rules } = props
  return (
    <Section id="rules" title="Rules of launches" isCard>
      <p class="soft">
        They hold for launches, and for leads added to an active campaign, from now on. Anyone who may approve can make
        them stricter; only an owner with a fresh sign-in can make them looser.
      </p>
      {maySend(useViewer().signedIn.role, RULES_PATH) ? (
        <Form action={RULES_PATH} button="Save rules">
          <Select
            label="Sending domains without authentication"
            name="authentication"
            value={rules.authentication}
            options={AUTHENTICATION}
          />
          <div class="pairs">
            <Field
              label="Unverified addresses, at most, in percent"
              name="unverified_max_percent"
              inputMode="numeric"
              value={typedOf(rules.unverifiedMaxPercent)}
              hint="0 to 100. Leave empty for any share."
            />
            <Field
              label="Days that a verification counts"
              name="verification_max_age_days"
              required
              inputMode="numeric"
              value={typedOf(rules.verificationMaxAgeDays)}
              hint="1 to 365. An older one counts as none."
            />
          </div>
          <Select
            label="Role addresses, such as info@"
            name="role_addresses"
            value={rules.roleAddresses}
            options={ROLE_ADDRESSES}
          />
          <Select label="Evidence for what messages say" name="evidence" value={rules.evidence} options={EVIDENCE} />
          <Field
            label="Ask before an approval of more recipients than"
            name="attention_above"
            inputMode="numeric"
            value={typedOf(rules.attentionAbove)}
            hint="The page asks about the messages before it takes the decision. Leave empty for never."
          />
        </Form>
      ) : (
        <ul>
          {ruleWords(rules).map(([name, words]) => (
            <li key={name}>
              {name}: {words}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const oneOf = <A extends string>(form: URLSearchParams, path: string, values: ReadonlyArray<A>): Typed<A> => {
  const known = values.find((one) => one === form.get(path))
  return known === undefined
    ? Result.fail([{ path, message: `must be one of ${values.join(", ")}` }])
    : Result.succeed(known)
}

const within = (form: URLSearchParams, path: string, [min, max]: readonly [number, number]): Typed<number> => {
  const count = countOf(form, path)
  return Result.isSuccess(count) && count.success >= min && count.success <= max
    ? count
    : Result.fail([{ path, message: `must be a whole number from ${min} to ${max}` }])
}

/** An empty field sets no limit. */
const orNone = (form: URLSearchParams, path: string, bounds: readonly [number, number]): Typed<number | null> =>
  (form.get(path) ?? "").trim() === "" ? Result.succeed(null) : within(form, path, bounds)

/** The form's rules, or what is wrong in it, by the names of its fields. */
export const rulesOf = (form: URLSearchParams): Typed<WorkspaceRules> =>
  allOf({
    authentication: oneOf(form, "authentication", AUTHENTICATION_RULES),
    unverifiedMaxPercent: orNone(form, "unverified_max_percent", RULE_BOUNDS.unverifiedMaxPercent),
    verificationMaxAgeDays: within(form, "verification_max_age_days", RULE_BOUNDS.verificationMaxAgeDays),
    roleAddresses: oneOf(form, "role_addresses", ROLE_ADDRESS_RULES),
    evidence: oneOf(form, "evidence", EVIDENCE_RULES),
    attentionAbove: orNone(form, "attention_above", RULE_BOUNDS.attentionAbove)
  })
