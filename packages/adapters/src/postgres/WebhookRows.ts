/** Rows of webhook endpoints and deliveries. */
import { WEBHOOK_FAILURES } from "@outbound/domain/control/webhooks/failures.js"
import { TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { ClaimedDelivery, Endpoint } from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"
import { columnsOf, integers, texts, timesOrNull } from "./Table.js"
import { EventRow } from "./TrailRows.js"

export const EndpointFields = Schema.Struct({
  ...texts("workspaceId", "endpointId", "url"),
  kinds: Schema.Array(TrailKind),
  state: Schema.Literals(EndpointMachine.states),
  sealedSecret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousUntilMillis: Schema.NullOr(Millis),
  endpointCreatedAtMillis: Millis
})

export const StandingRow = Schema.Struct({
  ...EndpointFields.fields,
  failures: Schema.Int,
  ...timesOrNull("failingSinceMillis", "deliveredAtMillis"),
  ...integers("waiting", "failed")
})

export const DeliveryRow = Schema.Struct({
  eventId: Schema.String,
  kind: TrailKind,
  observedAtMillis: Millis,
  state: Schema.Literals(DeliveryMachine.states),
  attempts: Schema.Int,
  createdAtMillis: Millis,
  ...timesOrNull("attemptedAtMillis", "nextAttemptAtMillis"),
  status: Schema.NullOr(Schema.Int),
  failure: Schema.NullOr(Schema.Literals(WEBHOOK_FAILURES)),
  tookMillis: Schema.NullOr(Schema.Int)
})

export const ClaimedRow = Schema.Struct({
  ...EndpointFields.fields,
  claimId: Schema.String,
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  ...integers("attempts", "failures"),
  event: Schema.Struct({ ...EventRow.fields, observedAtMillis: Schema.Number })
})

/** The columns of `DeliveryRow`, of `webhook_deliveries d` and its event, `trail_events t`. */
export const DELIVERY_COLUMNS = columnsOf(DeliveryRow, "d", {
  kind: "t.kind",
  nextAttemptAtMillis: "CASE WHEN d.state = 'pending' THEN d.due_at END",
  tookMillis: "d.took_millis"
})

export const ENDPOINT_COLUMNS = columnsOf(EndpointFields, "e", { endpointCreatedAtMillis: "e.created_at" })

export const toEndpoint = (row: typeof EndpointFields.Type): Endpoint => {
  const { endpointCreatedAtMillis: createdAtMillis, previousSecret, previousUntilMillis, ...endpoint } = row
  const isReplaced = previousSecret !== null && previousUntilMillis !== null
  const previous = isReplaced ? { sealedSecret: previousSecret, untilMillis: previousUntilMillis } : null
  return { ...endpoint, previous, createdAtMillis }
}

export const toStanding = (row: typeof StandingRow.Type) => {
  const { deliveredAtMillis, failed, failingSinceMillis, failures, waiting, ...endpoint } = row
  return { endpoint: toEndpoint(endpoint), failures, failingSinceMillis, deliveredAtMillis, waiting, failed }
}

export const toClaimed = (row: typeof ClaimedRow.Type): ClaimedDelivery => {
  const { attempts, claimId, event, failures, workspaceKind, ...endpoint } = row
  return { claimId, endpoint: toEndpoint(endpoint), workspaceKind, event, attempts, failures }
}
