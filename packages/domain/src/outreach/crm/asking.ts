import type { Context, Effect } from "effect"
import { endedWithin } from "../../kernel/inOwnFiber.js"
import { inSpan } from "../../kernel/telemetry.js"
import { ProviderFailure, type ProviderFailureReason } from "../../sources/ports/ProviderFailure.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Crm, Crms } from "./Crm.js"
import { openCrmKey } from "./crmKey.js"
import type { CrmConnection } from "./CrmStore.js"

/** The longest that one step with a CRM may take: a page is several requests. */
export const ASK_SECONDS = 100

/** One step with the CRM, bounded in time. `otherwise`: what it means if it takes longer. */
export const askCrm = <A>(
  crm: Crm,
  otherwise: Extract<ProviderFailureReason, "transient" | "unknown_outcome">,
  step: Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ProviderFailure> =>
  endedWithin(
    step,
    ASK_SECONDS * 1_000,
    () => new ProviderFailure({ provider: crm.name, reason: otherwise, concluded: "timed_out" })
  ).pipe(inSpan("crm.ask", { kind: "client", attributes: () => ({ "peer.service": crm.name }) }))

/** The connection's account; `sealed` if its key can't be opened, null if this service doesn't speak to the CRM. */
export const crmOf = (
  { open }: Context.Tag.Service<typeof Crms>,
  crypto: Context.Tag.Service<typeof Crypto>,
  connection: CrmConnection
): Crm | "sealed" | null => {
  const access = openCrmKey(crypto, connection)
  return access === null ? "sealed" : open(connection.vendor, { workspaceId: connection.workspaceId, access })
}
