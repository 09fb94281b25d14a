import type { AuthorizationRequest } from "@outbound/domain/control/oauth/OAuthStore.js"
import { isLoopback } from "@outbound/domain/control/oauth/redirects.js"
import type { Reply } from "../http/Reply.js"
import { mayLoosen, MayNote } from "../console/control/acting.js"
import { Choice } from "../console/control/Choice.js"
import { SCOPE_WORDS } from "../console/keys/keyWords.js"
import { Csrf, Field, Note, type Problem, ProblemNote } from "../console/Parts.js"
import { consolePage, type Viewer } from "../console/Shell.js"
import { contentSecurityPolicy } from "../web/Page.js"

/**
 * Browsers hold every hop of a form's redirects to `form-action`, and what a client's callback leads on to, often a
 * program's own scheme, nobody can name beforehand. The page has no script, and all that it shows is escaped.
 */
const WITHOUT_FORM_ACTION = contentSecurityPolicy(null)

const Who = (props: { readonly of: AuthorizationRequest }) => {
  const { clientId, clientKind, redirectUri } = props.of
  return (
    <dl class="facts card">
      <dt>Who it is</dt>
      <dd>
        {clientKind === "document" ? (
          <>
            what <strong>{new URL(clientId).host}</strong> publishes under <code>{clientId}</code>
          </>
        ) : (
          "a program that registered itself; its name is what it says of itself"
        )}
      </dd>
      <dt>Where its access goes</dt>
      <dd>
        {isLoopback(redirectUri) ? (
          <>
            a program on <strong>this computer</strong>
          </>
        ) : (
          <strong>{new URL(redirectUri).host}</strong>
        )}
      </dd>
    </dl>
  )
}

/** What a client asks for, to be allowed in whole, in part or not at all. */
export const consentPage = (options: {
  readonly viewer: Viewer
  readonly of: AuthorizationRequest
  readonly path: string
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { nowMillis, of, path, problem, viewer } = options
  const ticked = problem?.form.getAll("scopes") ?? of.scopes
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: `Allow ${of.clientName}?`,
    viewer,
    isNarrow: true,
    headers: { "content-security-policy": WITHOUT_FORM_ACTION },
    children: (
      <>
        <h1>Allow “{of.clientName}”?</h1>
        <p class="lead">
          It asks to work in <strong>{viewer.signedIn.workspaceName}</strong>, on the workspace’s credits. You did not
          start this just now? Then deny it.
        </p>
        <Who of={of} />
        <MayNote viewer={viewer} nowMillis={nowMillis} path={path} loosening="allow a program anything" />
        <ProblemNote of={problem} />
        <h2>What it may do</h2>
        {mayLoosen(viewer) ? (
          <form class="card" method="post" action={path}>
            <Csrf viewer={viewer} />
            <fieldset>
              <legend>Scopes that it asks for</legend>
              <input type="hidden" name="scopes" value="" />
              {of.scopes.map((scope) => (
                <Choice
                  key={scope}
                  id={`scope-${scope.replace(":", "-")}`}
                  name="scopes"
                  value={scope}
                  label={scope}
                  hint={SCOPE_WORDS[scope]}
                  isOn={ticked.includes(scope)}
                />
              ))}
            </fieldset>
            <Field
              label="Monthly cap, in credits"
              name="monthly_spend_cap"
              inputMode="decimal"
              value={problem?.form.get("monthly_spend_cap") ?? ""}
              hint="Empty: no cap. It counts from the first of the month (UTC)."
            />
            <button class="go" type="submit">
              Allow
            </button>
          </form>
        ) : null}
        <form class="card" method="post" action={`${path}/deny`}>
          <Csrf viewer={viewer} />
          <button class="stop" type="submit">
            Deny
          </button>
        </form>
        <Note>
          <p>
            Allowing makes a <a href="/console/keys">key</a> of its name: pause or revoke it there at any time. Buying
            and launching still wait for your approval each time; answering people, reading the trail and changing keys
            are never allowed this way.
          </p>
        </Note>
      </>
    )
  })
}
