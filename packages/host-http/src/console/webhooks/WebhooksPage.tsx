import { ENDPOINTS_MAX } from "@outbound/domain/control/webhooks/Webhooks.js"
import { type EndpointStanding, WAITING_COUNTED_MAX } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Badge, Note } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { endpointWords } from "./webhookWords.js"

/** Many, as far as they are counted. */
export const countWords = (count: number): string =>
  count >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX} or more` : String(count)

const Endpoint = (props: { readonly of: EndpointStanding }) => {
  const { deliveredAtMillis, endpoint, failed, failingSinceMillis, waiting } = props.of
  const [words, tone] = endpointWords(props.of)
  return (
    <li class="card">
      <a href={`/console/webhooks/${endpoint.endpointId}`}>{endpoint.url}</a>
      <Badge tone={tone}>{words}</Badge>
      <p>
        {endpoint.kinds.length === 0 ? "Every kind of event" : `${endpoint.kinds.length} kinds of events`} ·{" "}
        {countWords(waiting)} waiting · {countWords(failed)} failed
      </p>
      <p class="soft">
        {deliveredAtMillis === null ? (
          "Nothing was delivered yet"
        ) : (
          <>
            Delivered last <Moment atMillis={deliveredAtMillis} />
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
  return consolePage({
    title: "Webhooks",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <div class="title">
          <h1>Webhooks</h1>
          {canAdd ? (
            <a class="button" href="/console/webhooks/new">
              New webhook
            </a>
          ) : null}
        </div>
        <p class="lead">
          Events of the trail, told to a service of yours as they happen: signed, and again until it has taken them.
        </p>
        {mayLoosen(viewer) ? null : (
          <Note>
            <p>You are a member: you may switch webhooks off. Only an owner may add one.</p>
          </Note>
        )}
        {endpoints.length === 0 ? (
          <p class="card soft">There is none yet.</p>
        ) : (
          <ul class="list">
            {endpoints.map((of) => (
              <Endpoint key={of.endpoint.endpointId} of={of} />
            ))}
          </ul>
        )}
      </>
    )
  })
}
