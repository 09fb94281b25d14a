import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { Delivery, EndpointStanding } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Badge, Csrf, MomentOr, Note, Pager, type Problem, ProblemNote, Select, Table } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { KIND_WORDS } from "../trail/trailWords.js"
import { KindFields } from "./KindFields.js"
import { DELIVERY_WORDS, endpointWords, outcomeWords } from "./webhookWords.js"
import { countWords } from "./WebhooksPage.js"

const Press = (props: {
  readonly viewer: Viewer
  readonly path: string
  readonly text: string
  readonly tone?: "go" | "stop"
  readonly eventId?: string
  readonly about?: string
}) => (
  <form method="post" action={props.path}>
    <Csrf viewer={props.viewer} />
    {props.eventId === undefined ? null : <input type="hidden" name="event_id" value={props.eventId} />}
    <button class={props.tone} type="submit">
      {props.text}
      {props.about === undefined ? null : <span class="unseen"> {props.about}</span>}
    </button>
  </form>
)

const Entry = (props: { readonly of: Delivery; readonly viewer: Viewer; readonly path: string }) => {
  const { attempts, eventId, kind, nextAttemptAtMillis, observedAtMillis, state } = props.of
  const [words, tone] = DELIVERY_WORDS[state]
  return (
    <tr>
      <td>
        <Moment atMillis={observedAtMillis} />
      </td>
      <td>{KIND_WORDS[kind]}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td class="number">{attempts}</td>
      <td>{outcomeWords(props.of)}</td>
      <td>
        <MomentOr atMillis={nextAttemptAtMillis} />
      </td>
      <td>
        <Press
          viewer={props.viewer}
          path={`${props.path}/again`}
          text="Resend"
          eventId={eventId}
          about={`the event ${eventId}`}
        />
      </td>
    </tr>
  )
}

const Health = (props: { readonly of: EndpointStanding; readonly viewer: Viewer; readonly path: string }) => {
  const { endpoint, failed, failingSinceMillis, failures, waiting } = props.of
  const isOwner = mayLoosen(props.viewer)
  const { path, viewer } = props
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Status</h2>
      {failingSinceMillis === null ? null : (
        <Note tone="bad">
          <p>
            Every delivery has failed since <Moment atMillis={failingSinceMillis} /> ({failures} attempts). We keep
            trying until you turn the webhook off.
          </p>
        </Note>
      )}
      {EndpointMachine.is.on(endpoint.state) ? null : (
        <Note>
          <p>This webhook is off. New events are not delivered; pending deliveries are held.</p>
        </Note>
      )}
      <p>
        {countWords(waiting)} pending · {countWords(failed)} failed
      </p>
      <div class="actions">
        {failed > 0 ? <Press viewer={viewer} path={`${path}/failed-again`} text="Resend failed deliveries" /> : null}
        {EndpointMachine.is.on(endpoint.state) ? (
          <Press viewer={viewer} path={`${path}/disable`} text="Turn off" tone="stop" />
        ) : isOwner ? (
          <Press viewer={viewer} path={`${path}/enable`} text="Turn on" tone="go" />
        ) : null}
        {isOwner ? <Press viewer={viewer} path={`${path}/rotate`} text="Rotate secret" /> : null}
        {isOwner ? <Press viewer={viewer} path={`${path}/remove`} text="Remove permanently" tone="stop" /> : null}
      </div>
    </section>
  )
}

export const webhookPage = (options: {
  readonly viewer: Viewer
  readonly of: EndpointStanding
  readonly shown: ReadonlyArray<Delivery>
  readonly state: Delivery["state"] | null
  readonly next: string | null
  readonly isLater: boolean
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { isLater, next, nowMillis, of, problem, shown, state, viewer } = options
  const { endpoint } = of
  const path = `/console/webhooks/${endpoint.endpointId}`
  const [words, tone] = endpointWords(of)
  const filters = new URLSearchParams(state === null ? {} : { state })
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "Webhook",
    viewer,
    at: "settings",
    children: (
      <>
        <h1>Webhook</h1>
        <p class="lead">
          <code>{endpoint.url}</code> <Badge tone={tone}>{words}</Badge>
        </p>
        <p>
          <a href="/console/webhooks">All webhooks</a>
        </p>
        <MayNote
          viewer={viewer}
          nowMillis={nowMillis}
          path={path}
          loosening="turn it on, add events or rotate its secret"
        />
        <ProblemNote of={problem} />
        <Health of={of} viewer={viewer} path={path} />
        <section aria-labelledby="log">
          <h2 id="log">Deliveries</h2>
          <form class="filters" method="get" action={path}>
            <Select
              label="State"
              name="state"
              value={state ?? ""}
              options={[
                ["", "All"],
                ["pending", "Pending"],
                ["delivered", "Delivered"],
                ["failed", "Failed"]
              ]}
            />
            <button type="submit">Show</button>
          </form>
          {shown.length === 0 ? (
            <p class="card soft">{isLater ? "No more deliveries." : "No deliveries."}</p>
          ) : (
            <Table
              label="Deliveries"
              head={["Time", "Event", "State", "Attempts", "Last response", "Next attempt", "Actions"]}
              numbers={[3]}
            >
              {shown.map((one) => (
                <Entry key={one.eventId} of={one} viewer={viewer} path={path} />
              ))}
            </Table>
          )}
          <Pager path={path} filters={filters} name="before" isLater={isLater} next={next} />
        </section>
        <section class="card" aria-labelledby="kinds">
          <h2 id="kinds">Events</h2>
          <form method="post" action={`${path}/kinds`}>
            <Csrf viewer={viewer} />
            <KindFields kinds={endpoint.kinds} problem={problem} />
            <button type="submit">Save</button>
          </form>
        </section>
      </>
    )
  })
}
