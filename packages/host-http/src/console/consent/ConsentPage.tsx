import { pages } from "../pages.js"
import type { AuthorizationRequest } from "@outbound/domain/control/oauth/OAuthStore.js"
import { destinationOf } from "@outbound/domain/control/oauth/redirects.js"
import { type Decision, OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { Effect, Result } from "effect"
import type { Reply } from "../../http/Reply.js"
import { acting, mayLoosen, MayNote, typed } from "../control/acting.js"
import { CapField, policyChangeOf, ScopeFields } from "../keys/PolicyFields.js"
import { Facts, Form, Note, type Problem } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { contentSecurityPolicy } from "../../web/Page.js"
import { type Inside, member, type Page } from "../Visit.js"
import { leave } from "./leave.js"

/** The consent page. */
export const CONSENT_PATH = "/console/oauth/authorize"

/**
 * No `form-action`: browsers apply it to every redirect after a form, and a client's callback may lead to any address,
 * often the program's own scheme. The page has no script, and everything it shows is escaped.
 */
const WITHOUT_FORM_ACTION = contentSecurityPolicy(null)

const Where = (props: { readonly uri: string }) => {
  const to = destinationOf(props.uri)
  if (to._tag === "Host") return <strong>{to.host}</strong>
  return to._tag === "Loopback" ? (
    <>
      a program on <strong>this computer</strong>
    </>
  ) : (
    <>
      the program on <strong>this device</strong> that opens <code>{to.scheme}:</code> links
    </>
  )
}

const Who = (props: { readonly of: AuthorizationRequest }) => {
  const { clientId, clientKind, redirectUri } = props.of
  return (
    <Facts
      of={[
        [
          "Program",
          clientKind === "document" ? (
            <>
              published by <strong>{new URL(clientId).host}</strong> at <code>{clientId}</code>
            </>
          ) : (
            "registered itself; nobody has verified its name"
          )
        ],
        ["Access goes to", <Where uri={redirectUri} />]
      ]}
    />
  )
}

/** The page to allow a client some or all of its scopes, or to deny it. */
const consentPage = (options: {
  readonly viewer: Viewer
  readonly of: AuthorizationRequest
  readonly path: string
  readonly problem?: Problem | undefined
}): Reply => {
  const { of, path, problem, viewer } = options
  const ticked = problem?.form.getAll("scopes") ?? of.scopes
  return titledPage(
    {
      title: `Allow ${of.clientName}?`,
      viewer,
      isNarrow: true,
      headers: { "content-security-policy": WITHOUT_FORM_ACTION },
      heading: <>Allow “{of.clientName}”?</>,
      lead: (
        <>
          It asks for access to <strong>{viewer.signedIn.workspaceName}</strong> and spends its credits. If you did not
          start this just now, deny it.
        </>
      ),
      problem,
      before: (
        <>
          <Who of={of} />
          <MayNote path={path} loosening="allow a program" />
        </>
      )
    },
    <>
      <h2>Scopes</h2>
      {mayLoosen(viewer) ? (
        <Form class="card" action={path} button="Allow" tone="go">
          <ScopeFields legend="Requested scopes" of={of.scopes} ticked={ticked} />
          <CapField />
        </Form>
      ) : null}
      <Form class="card" action={`${path}/deny`} button="Deny" tone="stop" />
      <Note>
        Allowing creates a <a href="/console/keys">key</a> with the program’s name, which you can pause or revoke at any
        time. Every purchase and launch still needs your approval. Replying to leads, reading the trail and changing
        keys are never allowed this way.
      </Note>
    </>
  )
}

const DENY: Decision = { _tag: "Deny" }

/** The form's scopes and cap. */
const allowOf = (form: URLSearchParams) =>
  Result.map(policyChangeOf(form), ({ monthlySpendCap, scopes }): Decision => ({
    _tag: "Allow",
    scopes: scopes ?? [],
    monthlySpendCap: monthlySpendCap ?? null
  }))

/** The consent page, allowing and denying. */
export const consentPages = pages({ oauth: OAuth }, ({ oauth }) => {
  const pathOf = ({ id }: Inside): `/${string}` => `${CONSENT_PATH}/${id}`

  const show = (visit: Inside, problem?: Problem): Page => {
    const { id, viewer } = visit
    const path = pathOf(visit)
    return acting(visit, "/console/keys", oauth.request(id), {
      done: (of) => consentPage({ viewer, of, path, problem })
    })
  }

  const allow = (visit: Inside): Page => {
    const allowed = Effect.flatMap(typed(allowOf(visit.form)), (decision) => oauth.decide(visit.by, visit.id, decision))
    return acting(visit, pathOf(visit), allowed, {
      done: ({ redirectTo }) => leave(redirectTo),
      again: (problem) => show(visit, problem)
    })
  }

  const deny = (visit: Inside): Page =>
    acting(visit, pathOf(visit), oauth.decide(visit.by, visit.id, DENY), {
      done: ({ redirectTo }) => leave(redirectTo)
    })

  return [
    member(`${CONSENT_PATH}/:id`, { get: (visit) => show(visit), post: allow }),
    member(`${CONSENT_PATH}/:id/deny`, { post: deny })
  ]
})
