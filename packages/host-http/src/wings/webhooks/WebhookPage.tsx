import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import {
  type Delivery,
  type EndpointStanding,
  WAITING_COUNTED_MAX
} from "@outbound/domain/control/webhooks/WebhookStore.js"
import { ENDPOINTS_MAX } from "@outbound/domain/wings/webhooks/Webhooks.js"
import type { WebhookFailureReason } from "@outbound/domain/control/webhooks/failures.js"
import { TRAIL_KINDS, type TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Result } from "effect"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { formPage, isOn, mayLoosen, MayNote, secretPage, type Typed } from "../../console/control/acting.js"
import {
  Cards,
  Field,
  Form,
  LinkLine,
  MomentOr,
  Note,
  Pager,
  type Problem,
  type Row,
  Section,
  Select,
  StateBadge,
  type StateWords,
  Table,
  useTyped
} from "../../console/Parts.js"
import { titledPage } from "../../console/Shell.js"
import { useViewer, type Viewer } from "../../console/Viewer.js"
import type { Listing } from "../../console/paging.js"
import { KIND_WORDS } from "../../console/trail/trailWords.js"
import { Choice } from "../../console/control/Choice.js"

/** The choice of event kinds. */
const KindFields = (props: {
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
}) => {
  const form = useTyped()
  const every = form === undefined ? props.kinds.length === 0 : isOn(form, "every")
  const wanted: ReadonlyArray<string> = form?.getAll("kinds") ?? props.kinds
  return (
    <>
      <Choice
        name="every"
        label="All events"
        hint="Includes kinds added later. Overrides the choice below."
        isOn={every}
      />
      <fieldset>
        <legend>Or only these events</legend>
        {TRAIL_KINDS.map((kind) => (
          <Choice
            key={kind}
            name="kinds"
            id={`f-kind-${kind}`}
            value={kind}
            label={KIND_WORDS[kind]}
            isOn={wanted.includes(kind)}
          />
        ))}
      </fieldset>
    </>
  )
}

/** The chosen kinds; empty means every kind. */
export const kindsOf = (form: URLSearchParams): Typed<ReadonlyArray<TrailKind>> => {
  if (isOn(form, "every")) return Result.succeed([])
  const wanted = form.getAll("kinds")
  const kinds = TRAIL_KINDS.filter((kind) => wanted.includes(kind))
  return kinds.length > 0
    ? Result.succeed(kinds)
    : Result.fail([{ path: "kinds", message: "must include at least one" }])
}

export const newWebhookPage = (options: { readonly viewer: Viewer; readonly problem?: Problem | undefined }): Reply => {
  const { problem, viewer } = options
  return formPage(
    {
      viewer,
      problem,
      title: "New webhook",
      lead: "Events contain people’s email addresses, so send them only to your own service. The signing secret is shown once.",
      at: "settings",
      path: "/console/webhooks/new",
      loosening: "add a webhook"
    },
    <Form class="card" action="/console/webhooks" button="Add webhook" tone="go">
      <Field
        label="URL"
        name="url"
        required
        maxLength={1000}
        hint="For example, https://example.com/outbound-events. A sandbox on your own machine also accepts http to a loopback host."
      />
      <KindFields kinds={[]} />
    </Form>
  )
}

export const webhookSecretPage = (viewer: Viewer, endpointId: string, secret: string, isRotated: boolean): Reply =>
  secretPage({
    viewer,
    title: "Webhook secret",
    at: "settings",
    says: `We can’t show it again.${isRotated ? " The previous secret also signs for another 24 hours." : ""}`,
    label: "Webhook secret",
    secret,
    links: (
      <>
        <a href={`/console/webhooks/${endpointId}`}>Go to the webhook</a> · <a href="/console/webhooks">All webhooks</a>
      </>
    )
  })

/** An endpoint's state, in a word. */
const endpointWords = ({ endpoint, failingSinceMillis }: EndpointStanding): StateWords => {
  if (!EndpointMachine.is.on(endpoint.state)) return ["Off", undefined]
  return failingSinceMillis === null ? ["On", "good"] : ["Failing", "bad"]
}

const DELIVERY_WORDS: Readonly<Record<Delivery["state"], StateWords>> = {
  pending: ["Pending", "wait"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"]
}

const FAILURES: Readonly<Record<Exclude<WebhookFailureReason, "status">, string>> = {
  redirect: "redirect not followed",
  timeout: "timed out",
  unreachable: "unreachable",
  forbidden_address: "address is not public"
}

/** The result of the last attempt. */
const outcomeWords = ({ failure, status }: Delivery): string => {
  if (failure !== null && failure !== "status")
    return status === null ? FAILURES[failure] : `${status}, ${FAILURES[failure]}`
  return status === null ? "–" : `Status ${status}`
}

/** A count, up to the most that is counted. */
const countWords = (count: number): string =>
  count >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX} or more` : String(count)

const Endpoint = (props: { readonly of: EndpointStanding }) => {
  const { deliveredAtMillis, endpoint, failed, failingSinceMillis, waiting } = props.of
  return (
    <li class="card">
      <a href={`/console/webhooks/${endpoint.endpointId}`}>{endpoint.url}</a>
      <StateBadge of={endpointWords(props.of)} />
      <p>
        {endpoint.kinds.length === 0 ? "All events" : `${endpoint.kinds.length} kinds of events`} ·{" "}
        {countWords(waiting)} pending · {countWords(failed)} failed
      </p>
      <p class="soft">
        {deliveredAtMillis === null ? (
          "Nothing delivered yet"
        ) : (
          <>
            Last delivered <Moment atMillis={deliveredAtMillis} />
          </>
        )}
        {failingSinceMillis === null ? null : (
          <>
            {" · failing since "}
            <Moment atMillis={failingSinceMillis} />
          </>
        )}
      </p>
    </li>
  )
}

export const webhooksPage = (options: {
  readonly viewer: Viewer
  readonly endpoints: ReadonlyArray<EndpointStanding>
}): Reply => {
  const { endpoints, viewer } = options
  const canAdd = mayLoosen(viewer) && endpoints.length < ENDPOINTS_MAX
  return titledPage(
    {
      title: "Webhooks",
      viewer,
      at: "settings",
      isNarrow: true,
      beside: canAdd ? (
        <a class="button" href="/console/webhooks/new">
          New webhook
        </a>
      ) : null,
      lead: "Send events of the trail to your own service as they happen. Deliveries are signed and retried until they succeed."
    },
    <>
      {mayLoosen(viewer) ? null : <Note>You are a member: you can turn webhooks off. Only an owner can add one.</Note>}
      <Cards of={endpoints} none="No webhooks yet." each={(of) => <Endpoint of={of} />} />
    </>
  )
}

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
