import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import {
  OUTAGE_FAILURES,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryAttempt,
  type Endpoint,
  type EndpointStanding,
  WAITING_COUNTED_MAX,
  WebhookStore
} from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Clock, Effect, Option } from "effect"
import { isRetained } from "./MemoryTrailStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { DeliveryRow, EndpointRow, Tables } from "./Tables.js"

const keyOfEndpoint = ({ endpointId, workspaceId }: Pick<Endpoint, "workspaceId" | "endpointId">) =>
  keyOf(workspaceId, endpointId)
const keyOfDelivery = ({ endpointId, eventId, workspaceId }: DeliveryRow) => keyOf(workspaceId, endpointId, eventId)

const oldestFirst = ascending(
  (row: DeliveryRow) => row.observedAtMillis,
  (row: DeliveryRow) => row.eventId
)

const of = ({ deliveries }: Tables, endpoint: Pick<Endpoint, "workspaceId" | "endpointId">) =>
  deliveries.where("endpoint", keyOfEndpoint(endpoint))

// This clock counts whole milliseconds: an attempt in that of the recovery was before it.
const isDue = ({ recoveredAtMillis }: EndpointRow, row: DeliveryRow, nowMillis: number): boolean =>
  DeliveryMachine.is.pending(row.state) &&
  (row.dueAtMillis <= nowMillis ||
    (row.attemptedAtMillis !== null && recoveredAtMillis !== null && row.attemptedAtMillis <= recoveredAtMillis))

const firstDue = (tables: Tables, row: EndpointRow, nowMillis: number): DeliveryRow | undefined =>
  of(tables, row.endpoint)
    .filter((delivery) => isDue(row, delivery, nowMillis))
    .sort(oldestFirst)[0]

const eventOf = (tables: Tables, eventId: string, nowMillis: number): TrailEvent => {
  const event = tables.trail.get(eventId)
  if (event === undefined) throw new Error(`the trail has no event ${eventId}`)
  const { email, workspaceId } = event
  return email !== null && !isRetained(tables, workspaceId, email, nowMillis) ? { ...event, email: null } : event
}

const claimedOf = (tables: Tables, row: EndpointRow, claimId: string, due: DeliveryRow, nowMillis: number) => ({
  claimId,
  endpoint: row.endpoint,
  workspaceKind: tables.workspaces.get(row.endpoint.workspaceId)?.kind ?? ("live" as const),
  event: eventOf(tables, due.eventId, nowMillis),
  attempts: due.attempts,
  failures: row.failures
})

const standingOf = (tables: Tables, row: EndpointRow): EndpointStanding => {
  const counted = (state: DeliveryRow["state"]) =>
    Math.min(of(tables, row.endpoint).filter((delivery) => delivery.state === state).length, WAITING_COUNTED_MAX)
  return {
    endpoint: row.endpoint,
    failures: row.failures,
    failingSinceMillis: row.failingSinceMillis,
    deliveredAtMillis: row.deliveredAtMillis,
    waiting: counted("pending"),
    failed: counted("failed")
  }
}

const entryOf = (tables: Tables, row: DeliveryRow): Delivery => ({
  eventId: row.eventId,
  kind: tables.trail.get(row.eventId)?.kind ?? "admitted",
  observedAtMillis: row.observedAtMillis,
  state: row.state,
  attempts: row.attempts,
  createdAtMillis: row.createdAtMillis,
  attemptedAtMillis: row.attemptedAtMillis,
  nextAttemptAtMillis: DeliveryMachine.is.pending(row.state) ? row.dueAtMillis : null,
  status: row.status,
  failure: row.failure,
  tookMillis: row.tookMillis
})

const release = ({ endpoints }: Tables, { claimId, endpoint }: ClaimedDelivery): void => {
  if (endpoints.get(keyOfEndpoint(endpoint))?.claim?.claimId !== claimId) return
  endpoints.update(keyOfEndpoint(endpoint), (row) => ({ ...row, claim: null }))
}

const record = (tables: Tables, claimed: ClaimedDelivery, attempt: DeliveryAttempt, nowMillis: number): boolean => {
  const { deliveries, endpoints } = tables
  const key = keyOfEndpoint(claimed.endpoint)
  const row = endpoints.get(key)
  if (row?.claim?.claimId !== claimed.claimId) return false
  const isTaken = DeliveryMachine.is.delivered(attempt.state)
  endpoints.set(key, {
    ...row,
    failures: isTaken ? 0 : row.failures + 1,
    failingSinceMillis: isTaken ? null : (row.failingSinceMillis ?? nowMillis),
    deliveredAtMillis: isTaken ? nowMillis : row.deliveredAtMillis,
    recoveredAtMillis: isTaken && row.failures >= OUTAGE_FAILURES ? nowMillis : row.recoveredAtMillis,
    restsUntilMillis: nowMillis + attempt.restMillis
  })
  const { endpointId, workspaceId } = claimed.endpoint
  const delivery = keyOf(workspaceId, endpointId, claimed.event.eventId)
  if (!DeliveryMachine.is.pending(deliveries.get(delivery)?.state)) return false
  deliveries.update(delivery, (before) => ({
    ...before,
    state: attempt.state,
    attempts: before.attempts + 1,
    attemptedAtMillis: nowMillis,
    dueAtMillis: nowMillis + attempt.retryInMillis,
    status: attempt.status,
    failure: attempt.failure,
    tookMillis: Math.round(attempt.tookMillis)
  }))
  return true
}

export const layer = memoryStore(WebhookStore, "WebhookStore", ({ read, write }) => {
  const now = Clock.currentTimeMillis
  const known = ({ endpoints }: Tables, workspaceId: string, endpointId: string): EndpointRow | undefined => {
    const row = endpoints.get(keyOf(workspaceId, endpointId))
    return EndpointMachine.is.removed(row?.endpoint.state) ? undefined : row
  }
  const again = (tables: Tables, row: DeliveryRow, nowMillis: number) =>
    tables.deliveries.set(keyOfDelivery(row), { ...row, state: "pending", attempts: 0, dueAtMillis: nowMillis })

  return {
    insert: (endpoint) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ endpoints }) =>
          endpoints.insert(keyOfEndpoint(endpoint), {
            endpoint,
            failures: 0,
            failingSinceMillis: null,
            deliveredAtMillis: null,
            recoveredAtMillis: null,
            restsUntilMillis: nowMillis,
            claim: null
          })
        )
      ),
    lock: (workspaceId, endpointId) =>
      read((tables) => Option.fromNullishOr(known(tables, workspaceId, endpointId)?.endpoint)),
    update: (endpoint) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ endpoints }) =>
          endpoints.update(keyOfEndpoint(endpoint), (row) => ({
            ...row,
            endpoint: { ...endpoint, url: row.endpoint.url },
            restsUntilMillis: row.endpoint.state === endpoint.state ? row.restsUntilMillis : nowMillis
          }))
        )
      ),
    list: (workspaceId) =>
      read((tables) =>
        tables.endpoints
          .filter(({ endpoint }) => endpoint.workspaceId === workspaceId && !EndpointMachine.is.removed(endpoint.state))
          .sort(
            ascending(
              ({ endpoint }) => endpoint.createdAtMillis,
              ({ endpoint }) => endpoint.endpointId
            )
          )
          .map((row) => standingOf(tables, row))
      ),
    find: (workspaceId, endpointId) =>
      read((tables) =>
        Option.map(Option.fromNullishOr(known(tables, workspaceId, endpointId)), (row) => standingOf(tables, row))
      ),
    log: ({ before, endpointId, limit, state, workspaceId }) =>
      read((tables) =>
        of(tables, { endpointId, workspaceId })
          .filter((row) => (state === null || row.state === state) && (before === null || row.eventId < before))
          .sort(descending((row) => row.eventId))
          .slice(0, limit)
          .map((row) => entryOf(tables, row))
      ),
    sendAgain: (workspaceId, endpointId, eventId) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => {
          const row = tables.deliveries.get(keyOf(workspaceId, endpointId, eventId))
          if (row !== undefined) again(tables, row, nowMillis)
          return row !== undefined
        })
      ),
    sendFailedAgain: (workspaceId, endpointId, limit) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => {
          const failed = of(tables, { endpointId, workspaceId })
            .filter(({ state }) => DeliveryMachine.is.failed(state))
            .sort(ascending(({ eventId }) => eventId))
            .slice(0, limit)
          for (const row of failed) again(tables, row, nowMillis)
          return failed.length
        })
      ),
    claim: ({ claimId, leaseMillis, limit }) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => {
          const { endpoints } = tables
          const due = endpoints
            .filter(
              ({ claim, endpoint, restsUntilMillis }) =>
                EndpointMachine.is.on(endpoint.state) &&
                restsUntilMillis <= nowMillis &&
                (claim === null || claim.untilMillis <= nowMillis)
            )
            .flatMap((row) => {
              const delivery = firstDue(tables, row, nowMillis)
              return delivery === undefined ? [] : [{ row, delivery }]
            })
            .slice(0, limit)
          return due.map(({ delivery, row }) => {
            const claim = { claimId, untilMillis: nowMillis + leaseMillis }
            endpoints.set(keyOfEndpoint(row.endpoint), { ...row, claim })
            return claimedOf(tables, row, claimId, delivery, nowMillis)
          })
        })
      ),
    record: (claimed, attempt) =>
      Effect.flatMap(now, (nowMillis) => write((tables) => record(tables, claimed, attempt, nowMillis))),
    next: (claimed, leaseMillis) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => {
          const key = keyOfEndpoint(claimed.endpoint)
          const row = tables.endpoints.get(key)
          if (row?.claim?.claimId !== claimed.claimId) return Option.none<ClaimedDelivery>()
          const isOpen = EndpointMachine.is.on(row.endpoint.state) && row.restsUntilMillis <= nowMillis
          const delivery = isOpen ? firstDue(tables, row, nowMillis) : undefined
          if (delivery === undefined) {
            release(tables, claimed)
            return Option.none<ClaimedDelivery>()
          }
          const claim = { claimId: claimed.claimId, untilMillis: nowMillis + leaseMillis }
          tables.endpoints.set(key, { ...row, claim })
          return Option.some(claimedOf(tables, row, claimed.claimId, delivery, nowMillis))
        })
      ),
    release: (claimed) => write((tables) => release(tables, claimed)),
    purge: (beforeMillis, limit) =>
      write(({ deliveries }) =>
        deliveries.deleteFirst(
          limit,
          ({ createdAtMillis }) => createdAtMillis < beforeMillis,
          ascending(({ createdAtMillis }) => createdAtMillis)
        )
      )
  }
})
