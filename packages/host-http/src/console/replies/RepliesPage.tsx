import type { Classification, Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { CLASSIFICATIONS } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { understand } from "@outbound/domain/outreach/replies/understood.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { Badge, fitted, Pager, Select } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { CLASSIFICATION_WORDS, INTENT_WORDS } from "./replyWords.js"

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

export const repliesPage = (options: {
  readonly viewer: Viewer
  readonly shown: ReadonlyArray<Received>
  readonly next: string | null
  readonly isLater: boolean
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
  readonly campaignId: string | null
  readonly classification: Classification | null
}): Reply => {
  const { campaignId, campaigns, classification, isLater, next, shown, viewer } = options
  const names = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign.name]))
  const filters = new URLSearchParams({
    ...(campaignId === null ? {} : { campaign: campaignId }),
    ...(classification === null ? {} : { classification })
  })
  const isFiltered = campaignId !== null || classification !== null
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
          <Select
            label="Classification"
            name="classification"
            value={classification ?? ""}
            options={[["", "All"], ...CLASSIFICATIONS.map((one) => [one, CLASSIFICATION_WORDS[one][0]] as const)]}
          />
          <button type="submit">Show</button>
        </form>
        {shown.length === 0 ? (
          <p class="card soft">{isLater ? "No more replies." : isFiltered ? "No reply matches." : "No replies yet."}</p>
        ) : (
          <ul class="list">
            {shown.map((of) => (
              <ReplyItem key={of.replyId} of={of} campaignName={names.get(of.campaignId) ?? "Its campaign"} />
            ))}
          </ul>
        )}
        <Pager path="/console/replies" filters={filters} isLater={isLater} next={next} />
      </>
    )
  })
}
