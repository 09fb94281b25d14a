import type { ShownPerson } from "@outbound/domain/outreach/campaigns/content/ContentStore.js"
import { fitted } from "../Parts.js"
import { contentPath, LOOK_WORDS } from "./contentWords.js"
import { Marked } from "./Marked.js"

/** The most bytes of each value in a list. A person's own page shows it in full. */
const VALUE_BYTES_MAX = 1_200

const valuesOf = ({
  companyName,
  custom,
  firstName,
  lastName
}: ShownPerson): ReadonlyArray<readonly [string, string]> =>
  [
    ["first_name", firstName] as const,
    ["last_name", lastName] as const,
    ["company_name", companyName] as const,
    ...Object.entries(custom).map(([name, value]) => [`custom.${name}`, value] as const)
  ].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

/** A person with the values that their messages are merged from. */
export const Values = (props: { readonly approvalId: string; readonly of: ShownPerson }) => {
  const { of } = props
  return (
    <div class="values">
      <p>
        <strong>
          <Marked text={of.email} />
        </strong>{" "}
        {of.looks.map((look) => (
          <span class="badge wait" key={look}>
            {LOOK_WORDS[look].short}
          </span>
        ))}{" "}
        <a href={contentPath(props.approvalId, "person", { of: of.shownId })}>
          Their messages<span class="unseen"> to {of.email}</span>
        </a>
      </p>
      <dl>
        {valuesOf(of).map(([name, value]) => {
          const { isCut, text } = fitted(value, VALUE_BYTES_MAX)
          return (
            <>
              <dt>
                <Marked text={name} />
              </dt>
              <dd class="mail">
                <Marked text={text} />
                {isCut ? "… (cut; their messages show all)" : ""}
              </dd>
            </>
          )
        })}
      </dl>
    </div>
  )
}
