import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { Delivery, EndpointStanding } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Form, type Problem, Select } from "../Fields.js"
import { LinkLine, MomentOr, Note, Pager, type Row, Section, StateBadge, Table } from "../Parts.js"
import { useViewer, type Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { KIND_WORDS } from "../trail/trailWords.js"
import { KindFields } from "./KindFields.js"
import { DELIVERY_WORDS, endpointWords, outcomeWords } from "./webhookWords.js"
import { countWords } from "./WebhooksPage.js"
import { titledPage } from "../titledPage.js"

const rowOf = (of: Delivery, path: string): Row => {
  const { attempts, eventId, kind, nextAttemptAtMillis, observedAtMillis, state } = of
  return [
    <Moment atMillis={observedAtMillis} />,
    KIND_WORDS[kind],
    <StateBadge of={DELIVERY_WORDS[state]} />,
    attempts,
    outcomeWords(of),
    <MomentOr atMillis={nextAttemptAtMillis} />,
    <Form action={`${path}/again`} button="Resend" about={`the event ${eventId}`}>
      <input type="hidden" name="event_id" value={eventId} />
    </Form>
  ]
}

const Health = (props: { readonly of: EndpointStanding; readonly path: string }) => {
  const { endpoint, failed, failingSinceMillis, failures, waiting } = props.of
  const isOwner = mayLoosen(useViewer())
  const { path } = props
  return (
    <Section id="health" title="Status" isCard>
      {failingSinceMillis === null ? null : (
        <Note tone="bad">
          Every delivery has failed since <Moment atMillis={failingSinceMillis} /> ({failures} attempts). We keep trying
          until you turn the webhook off.
        </Note>
      )}
      {EndpointMachine.is.on(endpoint.state) ? null : (
        <Note>This webhook is off. New events are not delivered; pending deliveries are held.</Note>
      )}
      <p>
        {countWords(waiting)} pending · {countWords(failed)} failed
      </p>
      <div class="actions">
        {failed > 0 ? <Form action={`${path}/failed-again`} button="Resend failed deliveries" /> : null}
        {EndpointMachine.is.on(endpoint.state) ? (
          <Form action={`${path}/disable`} button="Turn off" tone="stop" />
        ) : isOwner ? (
          <Form action={`${path}/enable`} button="Turn on" tone="go" />
        ) : null}
        {isOwner ? <Form action={`${path}/rotate`} button="Rotate secret" /> : null}
        {isOwner ? <Form action={`${path}/remove`} button="Remove permanently" tone="stop" /> : null}
      </div>
    </Section>
  )
}

export const webhookPage = (
  options: Listing<Delivery> & {
    readonly viewer: Viewer
    readonly of: EndpointStanding
    readonly state: Delivery["state"] | null
    readonly problem?: Problem | undefined
  }
): Reply => {
  const { isLater, of, problem, shown, state, viewer } = options
  const { endpoint } = of
  const path = `/console/webhooks/${endpoint.endpointId}`
  const filters = new URLSearchParams(state === null ? {} : { state })
  return titledPage(
    {
      title: "Webhook",
      viewer,
      at: "settings",
      lead: (
        <>
          <code>{endpoint.url}</code> <StateBadge of={endpointWords(of)} />
        </>
      ),
      problem,
      before: (
        <>
          <LinkLine to="/console/webhooks" text="All webhooks" />
          <MayNote path={path} loosening="turn it on, add events or rotate its secret" />
        </>
      )
    },
    <>
      <Health of={of} path={path} />
      <Section id="log" title="Deliveries">
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
        <Table
          label="Deliveries"
          head={["Time", "Event", "State", "Attempts", "Last response", "Next attempt", "Actions"]}
          numbers={[3]}
          none={isLater ? "No more deliveries." : "No deliveries."}
          rows={shown.map((one) => rowOf(one, path))}
        />
        <Pager path={path} filters={filters} name="before" of={options} />
      </Section>
      <Section id="kinds" title="Events" isCard>
        <Form action={`${path}/kinds`} button="Save">
          <KindFields kinds={endpoint.kinds} />
        </Form>
      </Section>
    </>
  )
}
