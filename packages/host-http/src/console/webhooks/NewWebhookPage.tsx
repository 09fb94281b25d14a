import type { Reply } from "../../http/Reply.js"
import { formPage, secretPage } from "../control/formPage.js"
import { Field, Form, type Problem } from "../Fields.js"
import type { Viewer } from "../Shell.js"
import { KindFields } from "./KindFields.js"

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
