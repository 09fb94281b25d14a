import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { TRAIL_KINDS, type TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { Reply } from "../../http/Reply.js"
import { dayWordsIn, TimeOfDay } from "../../web/Words.js"
import { Badge, fitted, Pager, Select } from "../Parts.js"
import { runsOf } from "../runs.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import type { TrailQuery } from "./trailQuery.js"
import { approvalOf, type Callers, detailWords, KIND_TONES, KIND_WORDS, sourceWords } from "./trailWords.js"

/** The most bytes of an event's details that are shown. */
const DETAIL_BYTES_MAX = 400

/** Within this time, what happens to one lead of a campaign is one occurrence: a reply, its class, and its stop. */
const TOGETHER_MILLIS = 60_000

const belong = (last: TrailEvent, next: TrailEvent): boolean =>
  next.campaignLeadId !== null &&
  next.campaignLeadId === last.campaignLeadId &&
  Math.abs(last.observedAtMillis - next.observedAtMillis) <= TOGETHER_MILLIS

/** What the events name, each once. */
const named = (events: ReadonlyArray<TrailEvent>, of: (event: TrailEvent) => string | null): ReadonlyArray<string> => [
  ...new Set(events.map(of).filter((one) => one !== null))
]

const Links = (props: { readonly of: ReadonlyArray<TrailEvent>; readonly names: ReadonlyMap<string, string> }) => {
  const { names, of } = props
  const links = [
    ...named(of, ({ campaignId }) => campaignId).map((id) => [`campaigns/${id}`, names.get(id) ?? "campaign"] as const),
    ...named(of, ({ replyId }) => replyId).map((id) => [`replies/${id}`, "reply"] as const),
    ...named(of, approvalOf)
      .filter(isUuid)
      .map((id) => [`approvals/${id}`, "approval"] as const)
  ]
  return (
    <>
      {links.map(([path, text]) => (
        <span key={path}>
          {" · "}
          <a href={`/console/${path}`}>{text}</a>
        </span>
      ))}
      {named(of, ({ requestId }) => requestId).map((requestId) => (
        <span key={requestId} class="id">
          {" "}
          · call {requestId}
        </span>
      ))}
    </>
  )
}

const What = (props: { readonly of: TrailEvent }) => {
  const detail = detailWords(props.of)
  return (
    <>
      <Badge tone={KIND_TONES[props.of.kind]}>{KIND_WORDS[props.of.kind]}</Badge>{" "}
      {detail === null || detail === "" ? null : <span>{fitted(detail, DETAIL_BYTES_MAX).text}</span>}{" "}
    </>
  )
}

/** What happened at once, in the order in which it happened. */
const Occurrence = (props: {
  readonly of: readonly [TrailEvent, ...ReadonlyArray<TrailEvent>]
  readonly names: ReadonlyMap<string, string>
  readonly callers: Callers
}) => {
  const events = props.of.toReversed()
  const { email, observedAtMillis } = props.of[0]
  return (
    <li>
      <TimeOfDay atMillis={observedAtMillis} />
      <div>
        <p>
          {email === null ? null : (
            <>
              <a class="person" href={`/console/trail?email=${encodeURIComponent(email)}`}>
                {email}
              </a>{" "}
            </>
          )}
          {events.map((of) => (
            <What key={of.eventId} of={of} />
          ))}
        </p>
        <p class="soft">
          {named(events, (event) => sourceWords(event, props.callers)).join(", ")}
          <Links of={events} names={props.names} />
        </p>
      </div>
    </li>
  )
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
      <label for="since">From</label>
      <input id="since" name="since" type="date" value={props.of.since} />
    </p>
    <p class="field short">
      <label for="until">To (inclusive)</label>
      <input id="until" name="until" type="date" value={props.of.until} />
    </p>
    <button type="submit">Show</button>
  </form>
)

export const trailPage = (
  options: Listing<TrailEvent> &
    Callers & {
      readonly viewer: Viewer
      readonly query: TrailQuery
      readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
      /** Older events may be in an archive; null if none is, or where newer ones follow. */
      readonly archivedUntilMillis: number | null
      /** The workspace's own retention. */
      readonly trailMonths: number | null
    }
): Reply => {
  const { archivedUntilMillis, campaigns, isLater, query, shown, trailMonths } = options
  const { zone } = options.viewer
  const dayOf = ({ observedAtMillis }: TrailEvent): string => dayWordsIn(zone, observedAtMillis)
  const names = new Map(campaigns.map(({ campaignId, name }) => [campaignId, name]))
  const filters = query.params.toString()
  const exported = (form: string): string => `/console/trail/${form}${filters === "" ? "" : `?${filters}`}`
  return titledPage(
    {
      title: "Trail",
      viewer: options.viewer,
      at: "trail",
      lead: `Every contact with a person and every human decision, newest first. Days and times are those of ${zone}.`
    },
    <>
      <Filters of={query} campaigns={campaigns} />
      <p class="export">
        Export: <a href={exported("csv")}>CSV</a> · <a href={exported("jsonl")}>JSON Lines</a>
      </p>
      {shown.length === 0 ? (
        <p class="card soft">
          {isLater ? "No older events." : filters === "" ? "No events yet." : "No event matches."}
        </p>
      ) : (
        runsOf(shown, (last, next) => dayOf(last) === dayOf(next)).map((events) => {
          const day = dayOf(events[0])
          return (
            <section key={day} aria-label={day}>
              <h2>{day}</h2>
              <ol class="card timeline">
                {runsOf(events, belong).map((of) => (
                  <Occurrence key={of[0].eventId} of={of} names={names} callers={options} />
                ))}
              </ol>
            </section>
          )
        })
      )}
      {archivedUntilMillis === null ? null : (
        <p class="soft">
          Events up to {dayWordsIn(zone, archivedUntilMillis)} may be in your operator’s archive, and are not listed
          here.
        </p>
      )}
      {trailMonths === null || trailMonths === 0 ? null : (
        <p class="soft">
          Events stay here for at least {trailMonths} months. Then they move to your operator’s archive.
        </p>
      )}
      <Pager path="/console/trail" filters={query.params} of={options} />
    </>
  )
}
