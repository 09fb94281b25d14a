import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Place } from "./Place.js"
import { operate, type ProgramFailed } from "./Host.js"

/** No test here is about the rate. */
const RATE_PER_MINUTE = 1_000_000

/** A workspace with its owner and one key. */
export interface Tenant {
  readonly workspaceId: string
  readonly ownerEmail: string
  readonly keyId: string
  readonly apiKey: string
}

export interface TenantOptions {
  readonly credits: number
  /** Granted beside the first credits, as a payment would be: purchases need one. */
  readonly granted?: number
  readonly scopes?: ReadonlyArray<string>
  /** Of a live workspace, which this makes it; a sandbox unless said. */
  readonly postalAddress?: string
}

/** Made by the operator's program, beside the running service. */
export const makeTenant = (place: Place, options: TenantOptions): Effect.Effect<Tenant, ProgramFailed> =>
  Effect.gen(function* () {
    const ownerEmail = `owner-${randomUUID()}@example.test`
    const credits = ["--credits", String(options.credits)]
    const { postalAddress } = options
    const live = postalAddress === undefined ? [] : ["--kind", "live", "--postal-address", postalAddress]
    const owner = ["--owner-email", ownerEmail]
    const made = yield* operate(place, "workspace", "create", "--name", "T", ...owner, ...credits, ...live)
    const workspaceId = String(made["workspace_id"])
    const scopes = (options.scopes ?? []).flatMap((scope) => ["--scope", scope])
    const key = yield* operate(place, "key", "create", "--workspace", workspaceId, "--name", "agent", ...scopes)
    const keyId = String(key["key_id"])
    yield* operate(place, "key", "set", "--key", keyId, "--rate", String(RATE_PER_MINUTE))
    if (options.granted !== undefined) {
      yield* operate(place, "credits", "grant", "--workspace", workspaceId, "--amount", String(options.granted))
    }
    return { workspaceId, ownerEmail, keyId, apiKey: String(key["api_key"]) }
  })
