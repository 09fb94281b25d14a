import { ENDPOINTS_MAX } from "@outbound/domain/control/webhooks/Webhooks.js"
import { type EndpointStanding, WAITING_COUNTED_MAX } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Cards, Note, StateBadge } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { endpointWords } from "./webhookWords.js"
import { titledPage } from "../titledPage.js"

/** A count, up to the most that is counted. */
export const countWords = (count: number): string =>
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
