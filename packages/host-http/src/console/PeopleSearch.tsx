import { type LeadLine, PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import { count } from "../web/Words.js"
import { LEAD_WORDS } from "./campaigns/campaignWords.js"
import { Table } from "./Parts.js"

export interface PeopleFound {
  readonly text: string
  /** One more than is shown where there are more. */
  readonly people: ReadonlyArray<LeadLine>
}

/** Looks for people of the campaign that a request is about, beyond those that it names. */
export const PeopleSearch = (props: { readonly path: string; readonly search: PeopleFound | null }) => {
  const { path, search } = props
  const shown = search?.people.slice(0, PEOPLE_FOUND_MAX) ?? []
  return (
    <section aria-labelledby="find">
      <h2 id="find">Look for somebody</h2>
      <form class="filters" method="get" action={`${path}#find`} role="search">
        <p class="field">
          <label for="q">Address, name or company</label>
          <input id="q" name="q" type="search" value={search?.text ?? ""} maxLength={200} />
        </p>
        <button type="submit">Search</button>
      </form>
      {search === null ? null : shown.length === 0 ? (
        <p class="card soft" role="status">
          Nobody in this campaign is like that.
        </p>
      ) : (
        <>
          <p role="status">
            {search.people.length > PEOPLE_FOUND_MAX
              ? `The first ${PEOPLE_FOUND_MAX} that fit`
              : count(search.people.length, "person fits", "people fit")}
            , of all who are in the campaign now.
          </p>
          <Table label="People found" head={["Address", "Name", "Company", "State"]}>
            {shown.map(({ campaignLeadId, companyName, email, name, state }) => (
              <tr key={campaignLeadId}>
                <td>{email}</td>
                <td>{name ?? "–"}</td>
                <td>{companyName ?? "–"}</td>
                <td>{LEAD_WORDS[state]}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </section>
  )
}
