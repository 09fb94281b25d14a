import type { Reply } from "../../http/Reply.js"
import { MayNote } from "../control/acting.js"
import { Csrf, Field, Note, type Problem, ProblemNote } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { KindFields } from "./KindFields.js"

export const newWebhookPage = (options: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { nowMillis, problem, viewer } = options
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "New webhook",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>New webhook</h1>
        <p class="lead">
          Events name people and hold their addresses: send them to a service of yours alone. Its secret is shown once.
        </p>
        <MayNote viewer={viewer} nowMillis={nowMillis} path="/console/webhooks/new" loosening="add a webhook" />
        <ProblemNote of={problem} />
        <form class="card" method="post" action="/console/webhooks">
          <Csrf viewer={viewer} />
          <Field
            label="Address"
            name="url"
            required
            maxLength={1000}
            value={problem?.form.get("url") ?? ""}
            hint="Such as https://example.com/outbound-events. A sandbox on your own machine may also name a loopback host, by http."
          />
          <KindFields kinds={[]} />
          <button class="go" type="submit">
            Add webhook
          </button>
        </form>
      </>
    )
  })
}

/** The one moment at which a secret is seen. */
export const webhookSecretPage = (viewer: Viewer, endpointId: string, secret: string, isRotated: boolean): Reply =>
  consolePage({
    title: "The webhook’s secret",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>The webhook’s secret</h1>
        <Note tone="good" role="status">
          <p>
            <strong>Copy it now.</strong> It can’t be shown again.
            {isRotated ? " The one before goes on signing, beside it, for 24 hours." : null}
          </p>
        </Note>
        <pre class="secret" tabIndex={0} aria-label="The webhook’s secret">
          <code>{secret}</code>
        </pre>
        <p>
          <a href={`/console/webhooks/${endpointId}`}>Go to the webhook</a> ·{" "}
          <a href="/console/webhooks">All webhooks</a>
        </p>
      </>
    )
  })
