import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { LookKind } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { ShownPerson, ShownValue } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../../http/Reply.js"
import { count } from "../../web/Words.js"
import { titleOf } from "../ApprovalWords.js"
import { Cards, Pager, SearchForm, Table } from "../Parts.js"
import { consolePage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { contentPath, LOOK_WORDS, variableWords } from "./contentWords.js"
import { Marked } from "./Marked.js"
import { PersonEvidence } from "./EvidenceSection.js"
import { MergedLegend, MergedMessages } from "./MergedMessages.js"
import { Values } from "./LooksSection.js"

interface Shared {
  readonly viewer: Viewer
  readonly of: Approval
}

const Back = (props: { readonly of: Approval }) => (
  <p>
    <a href={`/console/approvals/${props.of.approvalId}`}>
      Back to <Marked text={titleOf(props.of.snapshot)} />
    </a>
  </p>
)

const page = (shared: Shared, title: string, children: ComponentChildren): Reply =>
  consolePage(
    { title, viewer: shared.viewer, at: "approvals", isNarrow: true },
    <>
      <Back of={shared.of} />
      <h1>
        <Marked text={title} />
      </h1>
      {children}
    </>
  )

/** The people of a request, filtered, page by page, with their values. */
export const peoplePage = (
  shared: Shared,
  listed: Listing<ShownPerson> & {
    readonly filters: URLSearchParams
    readonly look: LookKind | null
    readonly host: string | null
    readonly text: string | null
  }
): Reply => {
  const { filters, host, look, shown, text } = listed
  const path = contentPath(shared.of.approvalId, "people")
  const title =
    host === null
      ? look === null
        ? "Leads and their values"
        : LOOK_WORDS[look].title
      : `Links and addresses to ${host}`
  return page(
    shared,
    title,
    <>
      <SearchForm action={path} label="Email, name or company, or any text in their values" text={text}>
        {look === null ? null : <input type="hidden" name="look" value={look} />}
        {host === null ? null : <input type="hidden" name="host" value={host} />}
      </SearchForm>
      <Cards
        of={shown}
        none="No lead matches."
        each={(person) => (
          <li class="card">
            <Values approvalId={shared.of.approvalId} of={person} />
          </li>
        )}
      />
      <Pager path={path} filters={filters} of={listed} first="First" more="Next" />
    </>
  )
}

/** The distinct values of a variable, the rarest first, each in full. */
export const valuesPage = (
  shared: Shared,
  listed: Listing<ShownValue> & {
    readonly variable: string
    readonly fallbacks: ReadonlyArray<string>
    readonly text: string | null
  }
): Reply => {
  const { fallbacks, shown, text, variable } = listed
  const path = contentPath(shared.of.approvalId, "values")
  const filters = new URLSearchParams({ variable, ...(text === null ? {} : { q: text }) })
  return page(
    shared,
    `Values of ${variableWords(variable)}`,
    <>
      <p class="lead">The rarest first.</p>
      <SearchForm action={path} label="Text in the values" text={text}>
        <input type="hidden" name="variable" value={variable} />
      </SearchForm>
      {shown.length === 0 ? (
        <p class="card soft">{text === null ? "No values." : "No value matches."}</p>
      ) : (
        <Table label="Values" head={["Text in the messages", "Leads"]} numbers={[1]}>
          {shown.map(({ people, value }) => (
            <tr key={value ?? ""}>
              <td class="value">
                {value === null ? (
                  fallbacks.length === 0 ? (
                    "nothing"
                  ) : (
                    fallbacks.map((fallback, index) => (
                      <span class="merged fallback" key={index}>
                        <Marked text={fallback} />
                      </span>
                    ))
                  )
                ) : (
                  <Marked text={value} />
                )}
              </td>
              <td class="number">{count(people, "lead")}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={path} filters={filters} of={listed} name="from" first="First" more="Next" />
    </>
  )
}

/** One person's messages exactly as they will leave. */
export const personPage = (
  shared: Shared,
  person: ShownPerson,
  terms: {
    readonly campaignId: string
    readonly steps: Parameters<typeof MergedMessages>[0]["steps"]
    readonly mailboxes: ReadonlyArray<string>
    readonly postalAddress: string
    readonly texts: Readonly<Record<string, string>>
  }
): Reply =>
  page(
    shared,
    `Messages to ${person.email}`,
    <>
      <MergedLegend />
      <p class="soft">
        From one of{" "}
        {terms.mailboxes.map((mailbox, index) => (
          <span key={mailbox}>
            {index === 0 ? "" : ", "}
            <Marked text={mailbox} />
          </span>
        ))}
        .
      </p>
      <MergedMessages
        campaignId={terms.campaignId}
        steps={terms.steps}
        postalAddress={terms.postalAddress}
        recipient={person}
        words={person.words}
        texts={terms.texts}
        heading="h2"
      />
      <PersonEvidence of={person} />
    </>
  )
