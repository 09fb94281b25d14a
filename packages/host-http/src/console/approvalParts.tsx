import { PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import { count } from "../web/Words.js"
import { ApprovalChanges, peopleChanged } from "./ApprovalChanges.js"
import { LEAD_WORDS } from "./campaigns/campaignWords.js"
import { ToldSection } from "./notices/ToldSection.js"
import { SearchForm, Section, Table } from "./Parts.js"
import { changesBetween } from "./snapshotChanges.js"
import { SnapshotView } from "./SnapshotView.js"
import { AttentionOffer, AttentionPart } from "./approvals/AttentionPart.js"
import { DomainsPart } from "./approvals/DomainsPart.js"
import { Evidence } from "./approvals/EvidenceSection.js"
import { ForecastSection } from "./approvals/ForecastSection.js"
import { LinksPart } from "./approvals/LinksSection.js"
import { ListPart } from "./approvals/ListPart.js"
import { LooksSection } from "./approvals/LooksSection.js"
import { Marked } from "./approvals/Marked.js"
import { MergedLegend, MergedMessages } from "./approvals/MergedMessages.js"
import type { Part } from "./approvals/Part.js"
import { PeopleSection, VariablesSection } from "./approvals/PeopleSection.js"
import { HoldoutPart } from "./approvals/HoldoutSection.js"
import { OriginsPart, WordsPart } from "./approvals/WordsSection.js"
import { WinnerRuleSection } from "./approvals/WinnerRuleSection.js"

const Changes: Part = ({ content, earlier, of }) => {
  const changes = earlier === null ? null : changesBetween(earlier.approval.snapshot, of.approval.snapshot)
  return earlier === null || changes === null ? null : (
    <ApprovalChanges earlier={earlier} changes={changes} people={peopleChanged(content?.difference ?? null)} />
  )
}

/** First of all, what deserves a look in the merged messages. */
const Looks: Part = ({ asked, content, facts, of }) =>
  content === null ? null : (
    <LooksSection
      approvalId={of.approval.approvalId}
      of={content.summary}
      samples={content.samples}
      isAllHosts={asked.isAllHosts}
      overlap={facts.overlap}
    />
  )

/** The messages of one lead at a time, with a way to the next. */
const Messages: Part = ({ content, of }) => {
  const { approvalId, snapshot } = of.approval
  const example = content?.example ?? null
  if (example === null || (snapshot.kind !== "launch" && snapshot.kind !== "add_leads")) return null
  const to = (shownId: string): string => `/console/approvals/${approvalId}?lead=${shownId}#messages`
  return (
    <Section id="messages" title="One lead’s messages, whole">
      <MergedMessages
        campaignId={snapshot.campaign_id}
        steps={snapshot.steps}
        postalAddress={snapshot.postal_address}
        recipient={example.person}
        words={example.person.words}
        texts={snapshot.words?.texts ?? {}}
        heading="h3"
      />
      <nav class="pager" aria-label="Leads">
        {example.before === null ? null : (
          <a href={to(example.before)} rel="prev">
            Previous lead
          </a>
        )}
        {example.after === null ? null : (
          <a href={to(example.after)} rel="next">
            Next lead
          </a>
        )}
      </nav>
      <MergedLegend />
    </Section>
  )
}

const Variables: Part = ({ content, of }) =>
  content === null ? null : <VariablesSection approvalId={of.approval.approvalId} of={content.summary} />

const Leaves: Part = ({ facts }) => (facts.forecast === null ? null : <ForecastSection of={facts.forecast} />)

const People: Part = ({ asked, content, of }) =>
  content === null ? null : (
    <PeopleSection
      approvalId={of.approval.approvalId}
      leads={"leads" in of.approval.snapshot ? of.approval.snapshot.leads : 0}
      text={asked.text}
      people={content.people}
    />
  )

/** Among all leads of a request's campaign, where the request itself keeps none. */
const OldPeople: Part = ({ content, of, search }) => {
  const { approvalId, snapshot } = of.approval
  if (content !== null || !("campaign_id" in snapshot)) return null
  const shown = search?.people.slice(0, PEOPLE_FOUND_MAX) ?? []
  return (
    <Section id="find" title="Find a lead">
      <SearchForm
        action={`/console/approvals/${approvalId}#find`}
        label="Email, name or company"
        text={search?.text ?? null}
      />
      {search === null ? null : shown.length === 0 ? (
        <p class="card soft" role="status">
          No lead of this campaign matches.
        </p>
      ) : (
        <>
          <p role="status">
            {search.people.length > PEOPLE_FOUND_MAX
              ? `The first ${PEOPLE_FOUND_MAX} matches`
              : count(search.people.length, "match", "matches")}{" "}
            among all leads now in the campaign.
          </p>
          <Table
            label="Leads found"
            head={["Email", "Name", "Company", "State"]}
            rows={shown.map(({ companyName, email, name, state }) => [
              <Marked text={email} />,
              <Marked text={name ?? "–"} />,
              <Marked text={companyName ?? "–"} />,
              LEAD_WORDS[state]
            ])}
          />
        </>
      )}
    </Section>
  )
}

const Snapshot: Part = ({ of }) => <SnapshotView of={of.approval.snapshot} />

const WinnerRule: Part = ({ isPending, of, standing, viewer }) => (
  <WinnerRuleSection of={of.approval} standing={standing} isPending={isPending} userId={viewer.signedIn.user.userId} />
)

const Told: Part = ({ told }) => <ToldSection of={told} />

/** What stands beside the card, in this order: one line for each part. */
export const PARTS: ReadonlyArray<Part> = [
  AttentionPart,
  Changes,
  Looks,
  Evidence,
  WinnerRule,
  Messages,
  AttentionOffer,
  People,
  OldPeople,
  ListPart,
  DomainsPart,
  Leaves,
  Variables,
  HoldoutPart,
  WordsPart,
  LinksPart,
  OriginsPart,
  Snapshot,
  Told
]
