import { WebhookStore } from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { eventOf, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Effect, Option } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const MINUTE = 60_000

/** A webhook that took one event, refused another for good, and is yet to be told a third. */
export const furnishWebhooks = ({ workspaceId }: Tenant, nowMillis: number, endpointId: string) =>
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const trail = yield* TrailStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const endpoint = {
      workspaceId,
      state: "enabled",
      sealedSecret: "sealed",
      previous: null,
      createdAtMillis: nowMillis
    } as const
    const url = "https://crm.example.com/outbound?of=us"
    yield* atomically(store.insert({ ...endpoint, endpointId, url, kinds: [] }))
    const other = { endpointId: ids.next(nowMillis), url: "https://hooks.example.com/events" }
    yield* atomically(store.insert({ ...endpoint, ...other, kinds: ["reply", "unsubscribe"] }))
    const kinds = ["mailbox_active", "approval_requested", "paused"] as const
    const happened = kinds.map((kind) => eventOf(ids, nowMillis, { workspaceId, kind, source: "system" }))
    yield* atomically(trail.append(happened))
    const claimed = yield* atomically(store.claim({ claimId: ids.next(nowMillis), leaseMillis: MINUTE, limit: 1 }))
    const answer = { failure: null, tookMillis: 84, retryInMillis: 10 * MINUTE, restMillis: 0 }
    let next = Option.fromNullishOr(claimed[0])
    for (const one of [
      { ...answer, state: "delivered", status: 204 },
      { ...answer, state: "failed", status: 404, failure: "status" },
      { ...answer, state: "pending", status: null, failure: "timeout" }
    ] as const) {
      if (Option.isNone(next)) break
      yield* atomically(store.record(next.value, one))
      next = yield* atomically(store.next(next.value, MINUTE))
    }
    const laid: Laid = {
      ids: { webhooks: endpointId },
      pages: [
        { name: "webhooks", path: "/console/webhooks" },
        { name: "webhook", path: `/console/webhooks/${endpointId}` },
        { name: "webhook-new", path: "/console/webhooks/new" }
      ],
      forOwners: [["/console/webhooks", { url: "https://example.com/events", every: "on" }]]
    }
    return laid
  })
