import type { RemovalReason } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { LeftOutPerson } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { Marked } from "../approvals/Marked.js"
import type { ExportForm } from "../exporting.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import type { Listing } from "../paging.js"
import { Pager, Section, Table } from "../Parts.js"
import { consolePage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

const REASON_WORDS: Readonly<Record<RemovalReason, string>> = {
  invalid: "can’t be written to",
  opted_out: "opted out, bounced or replied before",
  platform_blocked: "on the suppression list",
  capped: "written to by another campaign in the last 30 days",
  other: "kept out by the CRM or a rule of the workspace"
}

export type LeftOutCounts = ReadonlyMap<RemovalReason, number>

const totalOf = (counts: LeftOutCounts): number => [...counts.values()].reduce((sum, people) => sum + people, 0)

/** How many were left out, and why. Nothing where nobody was. */
export const LeftOutSection = (props: { readonly of: LeftOutCounts; readonly path: string }) =>
  props.of.size === 0 ? null : (
    <Section id="left-out" title="Left out">
      <div class="card">
        <p>
          {count(totalOf(props.of), "person was", "people were")} left out:{" "}
          {[...props.of].map(([reason, people]) => `${grouped(people)} ${REASON_WORDS[reason]}`).join(", ")}.
        </p>
        <p>
          <a href={`${props.path}/left-out`}>Who, and why</a> ·{" "}
          <a href={`${props.path}/left-out/csv`}>Download as CSV</a>
        </p>
      </div>
    </Section>
  )

const Why = (props: { readonly of: LeftOutPerson }) => {
  const { detail, reason } = props.of
  return detail.faults.length === 0 ? (
    <>{REASON_WORDS[reason]}</>
  ) : (
    <ul>
      {detail.faults.map(({ field, message, value }) => (
        <li key={field}>
          <strong>
            <Marked text={field} />
          </strong>{" "}
          {value === null ? null : (
            <>
              “<Marked text={value} />”{" "}
            </>
          )}
          {message}
        </li>
      ))}
    </ul>
  )
}

export const leftOutPage = (options: {
  readonly viewer: Viewer
  readonly campaignId: string
  readonly campaignName: string
  readonly counts: LeftOutCounts
  readonly listed: Listing<LeftOutPerson>
}): Reply => {
  const { campaignId, campaignName, counts, listed, viewer } = options
  const path = `/console/campaigns/${campaignId}`
  return consolePage(
    { title: "People who were left out", viewer, at: "campaigns" },
    <>
      <p>
        <a href={path}>
          Back to <Marked text={campaignName} />
        </a>
      </p>
      <h1>People who were left out</h1>
      <p class="lead">
        {count(totalOf(counts), "person", "people")}.{" "}
        {(counts.get("invalid") ?? 0) === 0 ? null : (
          <>
            <a href={`${path}/left-out/csv`}>Download them as CSV</a>, mend the named cells, and give the rows again.
          </>
        )}
      </p>
      <Table
        label="People who were left out"
        head={["Email", "Row", "Why"]}
        numbers={[1]}
        none="Nobody was left out."
        rows={listed.shown.map((person) => [
          person.detail.email === "" ? "–" : <Marked text={person.detail.email} />,
          person.detail.index === null ? "–" : grouped(person.detail.index + 1),
          <Why of={person} />
        ])}
      />
      <Pager path={`${path}/left-out`} filters={new URLSearchParams()} of={listed} first="First" more="Next" />
    </>
  )
}

/** The columns before and after those of custom values. The last ones say why, and are no values of a person. */
const FIRST = ["email", "first_name", "last_name", "company_name"] as const
const LAST = ["left_out_row", "left_out_reason", "left_out_field", "left_out_value", "left_out_why"] as const

/** The names of custom values in the rows as given. */
export const customNamesOf = (people: ReadonlyArray<LeftOutPerson>): ReadonlyArray<string> =>
  people.flatMap(({ detail }) => Object.keys(detail.given?.custom ?? {})).filter((name) => name.trim() !== "")

/** The rows as they were given, so that they can be mended and given again, with what has to be mended behind. */
export const leftOutCsv = (customNames: ReadonlyArray<string>): ExportForm<LeftOutPerson> => ({
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: csvLine([...FIRST, ...customNames, ...LAST]),
  line: ({ detail: { email, faults, given, index }, reason }) => {
    const [fault] = faults
    return csvLine([
      given?.email ?? email,
      given?.first_name ?? null,
      given?.last_name ?? null,
      given?.company_name ?? null,
      ...customNames.map((name) => given?.custom?.[name] ?? null),
      index === null ? null : `${index + 1}`,
      reason,
      fault?.field ?? null,
      fault?.value ?? null,
      faults.length === 0 ? REASON_WORDS[reason] : faults.map(({ field, message }) => `${field} ${message}`).join("; ")
    ])
  }
})
