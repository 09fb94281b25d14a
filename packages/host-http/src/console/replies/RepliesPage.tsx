import { type ClassCount, REPLIES_COUNTED_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Classification, Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { understand } from "@outbound/domain/outreach/replies/understood.js"
import type { Reply } from "../../http/Reply.js"
import { grouped, Moment } from "../../web/Words.js"
import { Badge, fitted, Pager, Select } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { CLASSIFICATION_WORDS, countIn, INTENT_WORDS, type Shown, TABS } from "./replyWords.js"

/** The most bytes of a subject and of a snippet that the list shows. */
const SUBJECT_BYTES_MAX = 300
const SNIPPET_BYTES_MAX = 1_200

export const ClassificationBadge = (props: { readonly of: Classification | null }) => {
  if (props.of === null) return <Badge>Not classified</Badge>
  const [words, tone] = CLASSIFICATION_WORDS[props.of]
  return <Badge tone={tone}>{words}</Badge>
}

/** What we read in the reply, where that says more than its classification. */
const Reading = (props: { readonly of: Received }) => {
  const { contentFlags, intent } = understand(props.of)
  const [words, tone] = INTENT_WORDS[intent]
  return (
    <>
      {intent === "other" || intent === props.of.classification ? null : <Badge tone={tone}>{words}</Badge>}
      {contentFlags.length === 0 ? null : <Badge tone="bad">Suspicious text</Badge>}
    </>
  )
}

export const ReplyItem = (props: { readonly of: Received; readonly campaignName: string }) => {
  const { campaignId, classification, fromEmail, receivedAtMillis, replyId, snippet, subject } = props.of
  return (
    <li class="card">
      <a href={`/console/replies/${replyId}`}>{fromEmail}</a>
      <ClassificationBadge of={classification} />
      <Reading of={props.of} />
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

export const repliesPage = (options: {
  readonly viewer: Viewer
  readonly shown: ReadonlyArray<Received>
  readonly next: string | null
  readonly isLater: boolean
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
  readonly campaignId: string | null
  readonly tab: Shown
  readonly counts: ReadonlyArray<ClassCount>
}): Reply => {
  const { campaignId, campaigns, counts, isLater, next, shown, tab, viewer } = options
  const names = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign.name]))
  const filtersOf = (one: Shown) =>
    new URLSearchParams({ ...(campaignId === null ? {} : { campaign: campaignId }), classification: one })
  return consolePage({
    title: "Replies",
    viewer,
    at: "replies",
    children: (
      <>
        <h1>Replies</h1>
        <p class="lead">Replies from leads, newest first. A lead who replies gets no more messages from campaigns.</p>
        <form class="filters" method="get" action="/console/replies">
          <Select
            label="Campaign"
            name="campaign"
            value={campaignId ?? ""}
            options={[["", "All"], ...campaigns.map(({ campaignId: id, name }) => [id, name] as const)]}
          />
          <input type="hidden" name="classification" value={tab} />
          <button type="submit">Show</button>
        </form>
        <Tabs of={counts} tab={tab} hrefOf={(one) => `/console/replies?${filtersOf(one).toString()}`} />
        {shown.length === 0 ? (
          <p class="card soft">{isLater ? "No more replies." : "No such reply yet."}</p>
        ) : (
          <ul class="list">
            {shown.map((of) => (
              <ReplyItem key={of.replyId} of={of} campaignName={names.get(of.campaignId) ?? "Its campaign"} />
            ))}
          </ul>
        )}
        <Pager path="/console/replies" filters={filtersOf(tab)} isLater={isLater} next={next} />
      </>
    )
  })
}
