/** Rows of webhook endpoints and deliveries. */
import { WEBHOOK_FAILURES } from "@outbound/domain/control/webhooks/WebhookSender.js"
import { TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import type { ClaimedDelivery, Endpoint } from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"
import { columnsOf, texts } from "./RowFields.js"
import { EventRow } from "./TrailRows.js"

export const EndpointFields = Schema.Struct({
  ...texts("workspaceId", "endpointId", "url"),
  kinds: Schema.Array(TrailKind),
  state: Schema.Literal(...EndpointMachine.states),
  sealedSecret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousUntilMillis: Schema.NullOr(Millis),
  endpointCreatedAtMillis: Millis
})

export const StandingRow = Schema.Struct({
  ...EndpointFields.fields,
  failures: Schema.Int,
  failingSinceMillis: Schema.NullOr(Millis),
  deliveredAtMillis: Schema.NullOr(Millis),
  waiting: Schema.Int,
  failed: Schema.Int
})

export const DeliveryRow = Schema.Struct({
  eventId: Schema.String,
  kind: TrailKind,
  observedAtMillis: Millis,
  state: Schema.Literal(...DeliveryMachine.states),
  attempts: Schema.Int,
  createdAtMillis: Millis,
  attemptedAtMillis: Schema.NullOr(Millis),
  nextAttemptAtMillis: Schema.NullOr(Millis),
  status: Schema.NullOr(Schema.Int),
  failure: Schema.NullOr(Schema.Literal(...WEBHOOK_FAILURES)),
  tookMillis: Schema.NullOr(Schema.Int)
})

export const ClaimedRow = Schema.Struct({
  ...EndpointFields.fields,
  claimId: Schema.String,
  workspaceKind: Schema.Literal("sandbox", "live"),
  attempts: Schema.Int,
  failures: Schema.Int,
  event: Schema.Struct({ ...EventRow.fields, observedAtMillis: Schema.Number })
})

/** The columns of `EndpointFields`, of `webhook_endpoints e`. */
export const ENDPOINT_COLUMNS = columnsOf(EndpointFields, "e", { endpointCreatedAtMillis: "e.created_at" })

export const toEndpoint = (row: typeof EndpointFields.Type): Endpoint => ({
  workspaceId: row.workspaceId,
  endpointId: row.endpointId,
  url: row.url,
  kinds: row.kinds,
  state: row.state,
  sealedSecret: row.sealedSecret,
  previous:
    row.previousSecret === null || row.previousUntilMillis === null
      ? null
      : { sealedSecret: row.previousSecret, untilMillis: row.previousUntilMillis },
  createdAtMillis: row.endpointCreatedAtMillis
})

export const toStanding = (row: typeof StandingRow.Type) => ({
  endpoint: toEndpoint(row),
  failures: row.failures,
  failingSinceMillis: row.failingSinceMillis,
  deliveredAtMillis: row.deliveredAtMillis,
  waiting: row.waiting,
  failed: row.failed
})

export const toClaimed = (row: typeof ClaimedRow.Type): ClaimedDelivery => ({
  claimId: row.claimId,
  endpoint: toEndpoint(row),
  workspaceKind: row.workspaceKind,
  event: row.event,
  attempts: row.attempts,
  failures: row.failures
})
