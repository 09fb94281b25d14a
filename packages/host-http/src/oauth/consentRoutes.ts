import type { Decision } from "@outbound/domain/control/oauth/OAuth.js"
import { Effect, Either } from "effect"
import { acting } from "../console/control/acting.js"
import { typed } from "../console/keys/keyRoutes.js"
import { policyChangeOf } from "../console/keys/policyForm.js"
import type { Problem } from "../console/Parts.js"
import { type ConsoleServices, type Inside, member, type Page, type Route } from "../console/Visit.js"
import { consentPage } from "./ConsentPage.js"
import { leave } from "./leave.js"
import { CONSENT_PATH } from "./OAuthSurface.js"

const DENY: Decision = { _tag: "Deny" }

/** The form's scopes and cap. */
const allowOf = (form: URLSearchParams) =>
  Either.map(policyChangeOf(form), ({ monthlySpendCap, scopes }): Decision => ({
    _tag: "Allow",
    scopes: scopes ?? [],
    monthlySpendCap: monthlySpendCap ?? null
  }))

/** The consent page, allowing and denying. */
export const consentRoutes = ({ oauth }: ConsoleServices): ReadonlyArray<Route> => {
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
}
