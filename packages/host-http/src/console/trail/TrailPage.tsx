import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { TRAIL_KINDS, type TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { Reply } from "../../http/Reply.js"
import { dayStartOf, dayWords, TimeOfDay } from "../../web/Words.js"
import { Badge, fitted, Pager, Select } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import type { TrailQuery } from "./trailQuery.js"
import { approvalOf, detailWords, KIND_TONES, KIND_WORDS, SOURCE_WORDS } from "./trailWords.js"

/** The most bytes of an event's details that are shown. */
const DETAIL_BYTES_MAX = 400

const Links = (props: { readonly of: TrailEvent; readonly names: ReadonlyMap<string, string> }) => {
  const { campaignId, replyId, requestId } = props.of
  const approvalId = approvalOf(props.of)
  return (
    <>
      {campaignId === null ? null : (
        <>
          {" · "}
          <a href={`/console/campaigns/${campaignId}`}>{props.names.get(campaignId) ?? "campaign"}</a>
        </>
      )}
      {replyId === null ? null : (
        <>
          {" · "}
          <a href={`/console/replies/${replyId}`}>reply</a>
        </>
      )}
      {approvalId === null || !isUuid(approvalId) ? null : (
        <>
          {" · "}
          <a href={`/console/approvals/${approvalId}`}>approval</a>
        </>
      )}
      {requestId === null ? null : <span class="id"> · call {requestId}</span>}
    </>
  )
}

const Event = (props: { readonly of: TrailEvent; readonly names: ReadonlyMap<string, string> }) => {
  const { email, kind, observedAtMillis, source } = props.of
  const detail = detailWords(props.of)
  return (
    <li>
      <TimeOfDay atMillis={observedAtMillis} />
      <div>
        <p>
          <Badge tone={KIND_TONES[kind]}>{KIND_WORDS[kind]}</Badge>{" "}
          {email === null ? null : (
            <a class="person" href={`/console/trail?email=${encodeURIComponent(email)}`}>
              {email}
            </a>
          )}{" "}
          {detail === null || detail === "" ? null : <span>{fitted(detail, DETAIL_BYTES_MAX).text}</span>}
        </p>
        <p class="soft">
          {SOURCE_WORDS[source]}
          <Links of={props.of} names={props.names} />
        </p>
      </div>
    </li>
  )
}

/** Groups events by day. */
const byDay = (
  events: ReadonlyArray<TrailEvent>
): ReadonlyArray<readonly [dayMillis: number, of: Array<TrailEvent>]> => {
  const days: Array<readonly [number, Array<TrailEvent>]> = []
  for (const event of events) {
    const dayMillis = dayStartOf(event.observedAtMillis)
    const last = days.at(-1)
    if (last?.[0] === dayMillis) last[1].push(event)
    else days.push([dayMillis, [event]])
  }
  return days
}

const Filters = (props: {
  readonly of: TrailQuery
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
}) => (
  <form class="filters" method="get" action="/console/trail">
    <Select
      label="Event"
      name="kind"
      value={props.of.kinds[0] ?? ""}
      options={[["", "All"], ...TRAIL_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const)]}
    />
    <Select
      label="Campaign"
      name="campaign"
      value={props.of.campaignId ?? ""}
      options={[["", "All"], ...props.campaigns.map(({ campaignId, name }) => [campaignId, name] as const)]}
    />
    <p class="field">
      <label for="email">Person’s email</label>
      <input id="email" name="email" type="text" inputMode="email" value={props.of.typedEmail} maxLength={320} />
    </p>
    <p class="field short">
      <label for="since">From (UTC)</label>
      <input id="since" name="since" type="date" value={props.of.since} />
    </p>
    <p class="field short">
      <label for="until">To (inclusive)</label>
      <input id="until" name="until" type="date" value={props.of.until} />
    </p>
    <button type="submit">Show</button>
  </form>
)

export const trailPage = (options: {
  readonly viewer: Viewer
  readonly query: TrailQuery
  readonly shown: ReadonlyArray<TrailEvent>
  readonly next: string | null
  readonly isLater: boolean
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
}): Reply => {
  const { campaigns, isLater, next, query, shown } = options
  const names = new Map(campaigns.map(({ campaignId, name }) => [campaignId, name]))
  const filters = query.params.toString()
  const exported = (form: string): string => `/console/trail/${form}${filters === "" ? "" : `?${filters}`}`
  return consolePage({
    title: "Trail",
    viewer: options.viewer,
    at: "trail",
    children: (
      <>
        <h1>Trail</h1>
        <p class="lead">Every contact with a person and every human decision, newest first.</p>
        <Filters of={query} campaigns={campaigns} />
        <p class="export">
          Export: <a href={exported("csv")}>CSV</a> · <a href={exported("jsonl")}>JSON Lines</a>
        </p>
        {shown.length === 0 ? (
          <p class="card soft">
            {isLater ? "No older events." : filters === "" ? "No events yet." : "No event matches."}
          </p>
        ) : (
          byDay(shown).map(([dayMillis, events]) => (
            <section key={dayMillis} aria-label={dayWords(dayMillis)}>
              <h2>{dayWords(dayMillis)}</h2>
              <ol class="card timeline">
                {events.map((of) => (
                  <Event key={of.eventId} of={of} names={names} />
                ))}
              </ol>
            </section>
          ))
        )}
        <Pager path="/console/trail" filters={query.params} isLater={isLater} next={next} />
      </>
    )
  })
}
