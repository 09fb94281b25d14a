import { DEFAULT_SCOPES } from "@outbound/domain/keys/Policy.js"
import type { Reply } from "../../http/Reply.js"
import { MayNote } from "../control/acting.js"
import { Csrf, Field, Note, type Problem, ProblemNote } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { PolicyFields } from "./PolicyFields.js"

export const newKeyPage = (options: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { nowMillis, problem, viewer } = options
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "New key",
    viewer,
    at: "keys",
    isNarrow: true,
    children: (
      <>
        <h1>New key</h1>
        <p class="lead">Give each agent a key of its own, with no more than it needs. Its secret is shown once.</p>
        <MayNote viewer={viewer} nowMillis={nowMillis} path="/console/keys/new" loosening="create a key" />
        <ProblemNote of={problem} />
        <form class="card" method="post" action="/console/keys">
          <Csrf viewer={viewer} />
          <Field
            label="Name"
            name="name"
            required
            maxLength={120}
            value={problem?.form.get("name") ?? ""}
            hint="Such as the agent that will use it."
          />
          <PolicyFields
            of={{ scopes: DEFAULT_SCOPES, cap: "", autonomous: true, runRequired: false, allowance: null }}
            problem={problem}
          />
          <button class="go" type="submit">
            Create key
          </button>
        </form>
      </>
    )
  })
}

/** The one moment at which the secret is seen. */
export const keyMadePage = (viewer: Viewer, keyId: string, apiKey: string): Reply =>
  consolePage({
    title: "Your new key",
    viewer,
    at: "keys",
    isNarrow: true,
    children: (
      <>
        <h1>Your new key</h1>
        <Note tone="good" role="status">
          <p>
            <strong>Copy it now.</strong> It is kept nowhere, and can’t be shown again.
          </p>
        </Note>
        <pre class="secret" tabIndex={0} aria-label="The key’s secret">
          <code>{apiKey}</code>
        </pre>
        <p>
          <a href={`/console/keys/${keyId}`}>Go to the key</a> · <a href="/console/keys">All keys</a>
        </p>
      </>
    )
  })
