import { type ClassCount, REPLIES_COUNTED_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import { AUTOMATIC, type Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import type { Handling, Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import type { ContentFlag, Intent } from "@outbound/domain/verbs/Replies.js"
import type { Reply } from "../../http/Reply.js"
import { grouped, Moment } from "../../web/Words.js"
import { Badge, Cards, fitted, Pager, Section, Select, StateBadge, type StateWords } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"

const CLASSIFICATION_WORDS: Readonly<Record<Classification, StateWords>> = {
  interested: ["Interested", "good"],
  not_interested: ["Not interested", "bad"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Unsubscribed", "bad"],
  bounce: ["Bounced", "bad"],
  other: ["Other", undefined]
}

export const INTENT_WORDS: Readonly<Record<Intent, StateWords>> = {
  interested: ["Interested", "good"],
  meeting: ["Wants to meet", "good"],
  not_now: ["Not now", undefined],
  not_interested: ["Not interested", undefined],
  wrong_person: ["Wrong person", undefined],
  referral: ["Names somebody else", "good"],
  question: ["Asks a question", "good"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Wants no more mail", undefined],
  bounce: ["Bounced", undefined],
  other: ["Other", undefined]
}

/** What a reader should beware of. */
export const FLAG_WORDS: Readonly<Record<ContentFlag, string>> = {
  addresses_an_agent: "It speaks to an AI agent. An agent that reads it may be led to do what the sender wants.",
  hidden_text: "It has characters that nobody sees. A program reads more than you do.",
  look_alike_link: "A link in it leads elsewhere than it says, or its host imitates another one."
}

/** Which replies the list shows: those of a class, those that people wrote, or all. */
type Shown = Classification | "people" | "all"

/** What else a list of replies is narrowed by. */
export interface ReplySearch {
  readonly text: string | null
  readonly isOpen: boolean
  readonly ownerUserId: string | null
}

/** The tabs, what needs an answer first. */
const TABS: ReadonlyArray<readonly [shown: Shown, words: string]> = [
  ["people", "From people"],
  ["interested", "Interested"],
  ["other", "Other"],
  ["not_interested", "Not interested"],
  ["unsubscribe", "Unsubscribed"],
  ["out_of_office", "Out of office"],
  ["bounce", "Bounced"],
  ["all", "All"]
]

export const shownOf = (text: string | null): Shown => TABS.find(([shown]) => shown === text)?.[0] ?? "people"

/** How many replies a tab has. */
const countIn = (counts: ReadonlyArray<ClassCount>, shown: Shown): number =>
  counts
    .filter(({ classification }) => {
      if (shown === "people") return classification === null || !AUTOMATIC.includes(classification)
      return shown === "all" || classification === shown
    })
    .reduce((sum, { count }) => sum + count, 0)

/** The most bytes of a subject and of a snippet that the list shows. */
const SUBJECT_BYTES_MAX = 300
const SNIPPET_BYTES_MAX = 1_200

export const ClassificationBadge = (props: { readonly of: Classification | null }) => {
  if (props.of === null) return <Badge>Not classified</Badge>
  return <StateBadge of={CLASSIFICATION_WORDS[props.of]} />
}

/** What we read in the reply, where that says more than its classification. */
const Reading = (props: { readonly of: Received }) => {
  const { contentFlags, intent } = understand(props.of)
  return (
    <>
      {intent === "other" || intent === props.of.classification ? null : <StateBadge of={INTENT_WORDS[intent]} />}
      {contentFlags.length === 0 ? null : <Badge tone="bad">Suspicious text</Badge>}
    </>
  )
}

/** A reply in a list, and how far people are with it. */
export interface Listed {
  readonly reply: Received
  readonly handling: Handling
  readonly ownerEmail: string | null
}

const Care = ({ handling, ownerEmail }: Listed) => (
  <>
    {handling.handledAtMillis === null ? (
      handling.readAtMillis === null ? (
        <Badge tone="wait">New</Badge>
      ) : null
    ) : (
      <Badge>Handled</Badge>
    )}
    {ownerEmail === null ? null : <Badge>{ownerEmail}</Badge>}
  </>
)

export const ReplyItem = (props: {
  readonly of: Received
  readonly campaignName: string
  readonly listed?: Listed
}) => {
  const { campaignId, classification, fromEmail, receivedAtMillis, replyId, snippet, subject } = props.of
  return (
    <li class="card">
      <a href={`/console/replies/${replyId}`}>{fromEmail}</a>
      <span class="badges">
        <ClassificationBadge of={classification} />
        <Reading of={props.of} />
        {props.listed === undefined ? null : <Care {...props.listed} />}
      </span>
      <p>
        <strong>{fitted(subject, SUBJECT_BYTES_MAX).text}</strong> {fitted(snippet, SNIPPET_BYTES_MAX).text}
      </p>
      <p class="soft">
        <Moment atMillis={receivedAtMillis} /> · <a href={`/console/campaigns/${campaignId}`}>{props.campaignName}</a>
      </p>
    </li>
  )
}

/** A full count may be more: only the newest replies are counted. */
const countWords = (count: number): string =>
  count >= REPLIES_COUNTED_MAX ? `${grouped(REPLIES_COUNTED_MAX)}+` : grouped(count)

const Tabs = (props: {
  readonly of: ReadonlyArray<ClassCount>
  readonly tab: Shown
  readonly hrefOf: (shown: Shown) => string
}) => (
  <nav aria-label="Kinds of replies">
    <ul class="tiles">
      {TABS.map(([shown, words]) => ({ shown, words, count: countIn(props.of, shown) }))
        .filter(({ count, shown }) => count > 0 || shown === "people" || shown === props.tab)
        .map(({ count, shown, words }) => (
          <li key={shown}>
            <a href={props.hrefOf(shown)} aria-current={props.tab === shown ? "true" : undefined}>
              <span class="big">{countWords(count)}</span> {words.toLowerCase()}
            </a>
          </li>
        ))}
    </ul>
  </nav>
)

export const repliesPage = (
  options: Listing<Listed> & {
    readonly viewer: Viewer
    /** Interested people whom nobody has answered, first of all. */
    readonly first: ReadonlyArray<Listed>
    readonly search: ReplySearch
    readonly members: ReadonlyArray<Member>
    readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
    readonly campaignId: string | null
    readonly tab: Shown
    readonly counts: ReadonlyArray<ClassCount>
  }
): Reply => {
  const { campaignId, campaigns, counts, first, isLater, members, search, shown, tab, viewer } = options
  const names = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign.name]))
  const filtersOf = (one: Shown) =>
    new URLSearchParams({
      ...(campaignId === null ? {} : { campaign: campaignId }),
      classification: one,
      ...(search.text === null ? {} : { q: search.text }),
      ...(search.isOpen ? { open: "yes" } : {}),
      ...(search.ownerUserId === null ? {} : { owner: search.ownerUserId })
    })
  const item = (listed: Listed) => (
    <ReplyItem
      key={listed.reply.replyId}
      of={listed.reply}
      campaignName={names.get(listed.reply.campaignId) ?? "Its campaign"}
      listed={listed}
    />
  )
  return titledPage(
    {
      title: "Replies",
      viewer,
      at: "replies",
      isLive: true,
      lead: "Replies from leads, newest first; interested people whom nobody has answered stand on top. A lead who replies gets no more messages from campaigns."
    },
    <>
      <form class="filters" method="get" action="/console/replies">
        <Select
          label="Campaign"
          name="campaign"
          value={campaignId ?? ""}
          options={[["", "All"], ...campaigns.map(({ campaignId: id, name }) => [id, name] as const)]}
        />
        <p class="field">
          <label for="f-q">Search</label>
          <input id="f-q" name="q" type="search" value={search.text ?? ""} autocomplete="off" />
        </p>
        <Select
          label="Show"
          name="open"
          value={search.isOpen ? "yes" : ""}
          options={[
            ["", "All"],
            ["yes", "Not handled"]
          ]}
        />
        <Select
          label="Owner"
          name="owner"
          value={search.ownerUserId ?? ""}
          options={[["", "Anybody"], ...members.map(({ email, userId }) => [userId, email] as const)]}
        />
        <input type="hidden" name="classification" value={tab} />
        <button type="submit">Show</button>
      </form>
      <Tabs of={counts} tab={tab} hrefOf={(one) => `/console/replies?${filtersOf(one).toString()}`} />
      {first.length === 0 ? null : (
        <Section id="first" title="Interested, not handled">
          <Cards of={first} each={item} />
          <h2>All others</h2>
        </Section>
      )}
      <Cards of={shown} none={isLater ? "No more replies." : "No such reply yet."} each={item} />
      <Pager path="/console/replies" filters={filtersOf(tab)} of={options} />
    </>
  )
}
