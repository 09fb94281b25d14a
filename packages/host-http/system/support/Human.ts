import { Human } from "@outbound/examples/loop/Human.js"
import { Effect } from "effect"
import { type Host, operate } from "./Host.js"
import type { Place } from "./Place.js"
import type { Tenant } from "./Tenant.js"

/** The owner, signed in to the host's console. */
export const signedIn = (place: Place, host: Host, tenant: Tenant) =>
  Effect.gen(function* () {
    const { url } = yield* operate(place, "sign-in-link", "--email", tenant.ownerEmail)
    const { pathname, search } = new URL(String(url))
    const human = new Human({ publicUrl: host.publicUrl, reachedAt: host.baseUrl })
    yield* Effect.promise(() => human.signIn(`${host.publicUrl}${pathname}${search}`))
    return human
  })

/** The owner signs in to the host's console, opens the approval's page and approves what it shows. */
export const approve = (place: Place, host: Host, tenant: Tenant, approvalUrl: string) =>
  Effect.flatMap(signedIn(place, host, tenant), (human) => Effect.promise(() => human.approve(approvalUrl)))
