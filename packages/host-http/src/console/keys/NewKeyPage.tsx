import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import type { Reply } from "../../http/Reply.js"
import { formPage, secretPage } from "../control/formPage.js"
import { Field, Form, type Problem } from "../Fields.js"
import type { Viewer } from "../Shell.js"
import { PolicyFields } from "./PolicyFields.js"

export const newKeyPage = (options: { readonly viewer: Viewer; readonly problem?: Problem | undefined }): Reply => {
  const { problem, viewer } = options
  return formPage(
    {
      viewer,
      problem,
      title: "New key",
      lead: "Give each agent its own key, with only the scopes it needs. The secret is shown once.",
      at: "keys",
      path: "/console/keys/new",
      loosening: "create a key"
    },
    <Form class="card" action="/console/keys" button="Create key" tone="go">
      <Field label="Name" name="name" required maxLength={120} hint="For example, the agent that will use it." />
      <PolicyFields of={{ scopes: DEFAULT_SCOPES, cap: "", autonomous: true, runRequired: false, allowance: null }} />
    </Form>
  )
}

export const keyMadePage = (viewer: Viewer, keyId: string, apiKey: string): Reply =>
  secretPage({
    viewer,
    title: "Your new key",
    at: "keys",
    says: "We don’t store it and can’t show it again.",
    label: "The key’s secret",
    secret: apiKey,
    links: (
      <>
        <a href={`/console/keys/${keyId}`}>Go to the key</a> · <a href="/console/keys">All keys</a>
      </>
    )
  })
