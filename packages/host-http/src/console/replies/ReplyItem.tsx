import type { Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import type { Handling, Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import type { ContentFlag, Intent } from "@outbound/domain/verbs/Replies.js"
import { Moment } from "../../web/Words.js"
import { Marked, spelledOut } from "../approvals/Marked.js"
import { Badge, fitted, StateBadge, type StateWords } from "../Parts.js"

const CLASSIFICATION_WORDS: Readonly<Record<Classification, StateWords>> = {
  interested: ["Interested", "good"],
  not_interested: ["Not interested", "bad"],
  out_of_office: ["Out of office", undefined],
  unsubscribe: ["Unsubscribed", "bad"],
  bounce: ["Bounce notice", "bad"],
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
  bounce: ["Bounce notice", undefined],
  other: ["Other", undefined]
}

/** What a reader should beware of. */
export const FLAG_WORDS: Readonly<Record<ContentFlag, string>> = {
  addresses_an_agent: "It speaks to an AI agent. An agent that reads it may be led to do what the sender wants.",
  hidden_text: "It has characters that nobody sees. A program reads more than you do.",
  look_alike_link: "A link in it leads elsewhere than it says, or its host imitates another one."
}

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
  /** The name of the box that chooses it. */
  readonly choice?: string
}) => {
  const { campaignId, classification, fromEmail, receivedAtMillis, replyId, snippet, subject } = props.of
  return (
    <li class="card">
      <span class="choose">
        {props.choice === undefined ? null : (
          <input
            type="checkbox"
            name={props.choice}
            value={replyId}
            form="bulk"
            aria-label={`Choose the reply from ${spelledOut(fromEmail)}`}
          />
        )}
        <a href={`/console/replies/${replyId}`}>
          <Marked text={fromEmail} />
        </a>
      </span>
      <span class="badges">
        <ClassificationBadge of={classification} />
        <Reading of={props.of} />
        {props.listed === undefined ? null : <Care {...props.listed} />}
      </span>
      <p>
        <strong>
          <Marked text={fitted(subject, SUBJECT_BYTES_MAX).text} />
        </strong>{" "}
        <Marked text={fitted(snippet, SNIPPET_BYTES_MAX).text} />
      </p>
      <p class="soft">
        <Moment atMillis={receivedAtMillis} /> · <a href={`/console/campaigns/${campaignId}`}>{props.campaignName}</a>
      </p>
    </li>
  )
}
