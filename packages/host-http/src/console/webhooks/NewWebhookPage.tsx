import type { Reply } from "../../http/Reply.js"
import { formPage, secretPage } from "../control/formPage.js"
import { Csrf, Field, type Problem } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { KindFields } from "./KindFields.js"

export const newWebhookPage = (options: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { nowMillis, problem, viewer } = options
  return formPage({
    viewer,
    nowMillis,
    problem,
    title: "New webhook",
    lead: "Events name people and hold their addresses: send them to a service of yours alone. Its secret is shown once.",
    at: "settings",
    path: "/console/webhooks/new",
    loosening: "add a webhook",
    children: (
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
        <KindFields kinds={[]} problem={problem} />
        <button class="go" type="submit">
          Add webhook
        </button>
      </form>
    )
  })
}

export const webhookSecretPage = (viewer: Viewer, endpointId: string, secret: string, isRotated: boolean): Reply =>
  secretPage({
    viewer,
    title: "The webhook’s secret",
    at: "settings",
    says: `It can’t be shown again.${isRotated ? " The one before goes on signing, beside it, for 24 hours." : ""}`,
    label: "The webhook’s secret",
    secret,
    links: (
      <>
        <a href={`/console/webhooks/${endpointId}`}>Go to the webhook</a> · <a href="/console/webhooks">All webhooks</a>
      </>
    )
  })
