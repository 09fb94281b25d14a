import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import type { ControlRefused } from "../../control/Control.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { TRAIL_KINDS, type TrailKind } from "../../kernel/trail/TrailEvent.js"
import type { SignedIn } from "../../control/users/UserStore.js"
import type { DeliveryState } from "../../control/webhooks/DeliveryMachine.js"
import {
  type Delivery,
  type Endpoint,
  type EndpointStanding,
  WebhookStore
} from "../../control/webhooks/WebhookStore.js"
import { difference, freshOwner, makeLogBy, may, mend, orNotFound, owner, refused } from "../../control/access.js"
import type { Direction } from "../../control/PolicyChange.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { step } from "../../kernel/machine.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids, isUuid } from "../../kernel/ports/Ids.js"
import { isAtHome, Settings } from "../../kernel/Settings.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type EndpointEvent, EndpointMachine } from "../../control/webhooks/EndpointMachine.js"
import { urlIssues } from "../../control/webhooks/target.js"

/** Prefix of Standard Webhooks secrets, followed by the base64 key. */
export const SECRET_PREFIX = "whsec_"

/** How long the old secret also signs after a rotation. */
export const ROTATION_MILLIS = DAY_MILLIS

type Bound = Pick<Endpoint, "workspaceId" | "endpointId">

/** Binds a sealed secret to its endpoint. */
const boundTo = ({ endpointId, workspaceId }: Bound): string => `${workspaceId}/${endpointId}`

/** 32 random bytes in the base64 form of Standard Webhooks. */
export const makeSecret = (crypto: Crypto["Service"]): string =>
  `${SECRET_PREFIX}${crypto.randomToken().replaceAll("-", "+").replaceAll("_", "/")}=`

export const sealSecret = (crypto: Crypto["Service"], of: Bound, secret: string): string =>
  crypto.seal("webhook_secret", secret, boundTo(of))

/** The current signing secrets, newest first. Empty: they were sealed with another server secret. */
export const secretsOf = (
  crypto: Crypto["Service"],
  of: Endpoint,
  nowMillis: number
): ReadonlyArray<Redacted.Redacted> => {
  const sealed = [
    of.sealedSecret,
    ...(of.previous !== null && nowMillis < of.previous.untilMillis ? [of.previous.sealedSecret] : [])
  ]
  return sealed.flatMap((one) => {
    const secret = crypto.open("webhook_secret", one, boundTo(of))
    return secret === null ? [] : [Redacted.make(secret)]
  })
}

/** Most endpoints of a workspace, removed ones excluded. */
export const ENDPOINTS_MAX = 10

/** Page size of the log, and most failed deliveries that one call resends. */
const LOG_PAGE_MAX = 100
const SEND_FAILED_MAX = 1_000

type Read<A> = FromStore<A>
type Act<A> = FromStore<A, ControlRefused>

/**
 * Webhook settings for signed-in people. Any member reads, disables an endpoint, removes kinds and resends events.
 * Sending more out of the workspace is for owners with a fresh sign-in. Each change writes one row to the control log.
 * Another workspace's endpoints are `not_found`.
 */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => Read<ReadonlyArray<EndpointStanding>>
    readonly endpoint: (by: SignedIn, endpointId: string) => Act<EndpointStanding>
    /** Newest first, at most `LOG_PAGE_MAX`. `before`: the last event of the previous page. */
    readonly log: (
      by: SignedIn,
      endpointId: string,
      of: { readonly state: DeliveryState | null; readonly before: string | null }
    ) => Act<ReadonlyArray<Delivery>>

    /** Owners, after a fresh sign-in. `secret` is returned only here. No kinds: every kind. */
    readonly add: (
      by: SignedIn,
      endpoint: { readonly url: string; readonly kinds: ReadonlyArray<TrailKind> }
    ) => Act<{ readonly endpointId: string; readonly secret: string }>
    /** Owners, after a fresh sign-in. The old secret also signs for one more day. */
    readonly rotate: (by: SignedIn, endpointId: string) => Act<{ readonly secret: string }>
    /** Removing kinds: any member. Adding kinds: owners, after a fresh sign-in. */
    readonly setKinds: (by: SignedIn, endpointId: string, kinds: ReadonlyArray<TrailKind>) => Act<void>
    /** Any member. */
    readonly disable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners, after a fresh sign-in. Waiting events are sent at once. */
    readonly enable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners. Permanent; waiting events are dropped. */
    readonly remove: (by: SignedIn, endpointId: string) => Act<void>
    /** Any member. Resends one event in any state. */
    readonly sendAgain: (by: SignedIn, endpointId: string, eventId: string) => Act<void>
    /** Any member. Resends exhausted events, oldest first, at most `SEND_FAILED_MAX`. Returns how many. */
    readonly sendFailedAgain: (by: SignedIn, endpointId: string) => Act<number>
  }
>()("@outbound/domain/wings/webhooks/Webhooks") {}

/** The fields of an endpoint that the control log shows. Never the secret. */
const shown = (of: Endpoint) => ({
  endpoint_id: of.endpointId,
  url: of.url,
  kinds: of.kinds.length === 0 ? "all" : of.kinds,
  state: of.state
})

/** Removes duplicates and sorts as the trail lists them. */
const sorted = (kinds: ReadonlyArray<TrailKind>): ReadonlyArray<TrailKind> =>
  TRAIL_KINDS.filter((kind) => kinds.includes(kind))

const wants = (kinds: ReadonlyArray<TrailKind>, kind: TrailKind): boolean => kinds.length === 0 || kinds.includes(kind)

/** Adding a kind loosens; removing one tightens. */
const directionOfKinds = (before: ReadonlyArray<TrailKind>, after: ReadonlyArray<TrailKind>): Direction => {
  if (TRAIL_KINDS.some((kind) => wants(after, kind) && !wants(before, kind))) return "loosen"
  return TRAIL_KINDS.some((kind) => wants(before, kind) && !wants(after, kind)) ? "tighten" : "none"
}

export const layer = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const workspaces = yield* WorkspaceStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const logBy = yield* makeLogBy
    const { baseUrl } = yield* Settings
    const { atomically } = yield* UnitOfWork

    const standingOf = (by: SignedIn, endpointId: string) =>
      orNotFound(isUuid(endpointId) ? store.find(by.session.workspaceId, endpointId) : Effect.succeedNone)

    const locked = (by: SignedIn, endpointId: string) =>
      orNotFound(isUuid(endpointId) ? store.lock(by.session.workspaceId, endpointId) : Effect.succeedNone)

    const logChange = (by: SignedIn, direction: Direction, was: Endpoint, will: Endpoint) =>
      logBy(by, "set_webhook", direction, {
        before: { url: was.url, ...difference(shown(was), shown(will)).before },
        after: { url: was.url, ...difference(shown(was), shown(will)).after }
      })

    const add: Webhooks["Service"]["add"] = (by, wanted) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* freshOwner(by)
        const { workspaceId } = by.session
        const url = wanted.url.trim()
        // The lock makes concurrent additions wait, so the limit holds.
        const workspace = Option.getOrThrow(yield* workspaces.lock(workspaceId))
        const full: ReadonlyArray<Issue> =
          (yield* store.list(workspaceId)).length < ENDPOINTS_MAX
            ? []
            : [{ path: "url", message: `can't be added: a workspace can have at most ${ENDPOINTS_MAX} webhooks` }]
        yield* mend([...urlIssues(url, workspace.kind, isAtHome(baseUrl)), ...full])
        const endpointId = ids.next(nowMillis)
        const secret = makeSecret(crypto)
        const endpoint: Endpoint = {
          workspaceId,
          endpointId,
          url: new URL(url).href,
          kinds: sorted(wanted.kinds),
          state: EndpointMachine.initial,
          sealedSecret: sealSecret(crypto, { workspaceId, endpointId }, secret),
          previous: null,
          createdAtMillis: nowMillis
        }
        yield* store.insert(endpoint)
        yield* logBy(by, "add_webhook", "loosen", { after: shown(endpoint) })
        return { endpointId, secret }
      }).pipe(atomically)

    const rotate: Webhooks["Service"]["rotate"] = (by, endpointId) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* freshOwner(by)
        const endpoint = yield* locked(by, endpointId)
        const secret = makeSecret(crypto)
        yield* store.update({
          ...endpoint,
          sealedSecret: sealSecret(crypto, endpoint, secret),
          previous: { sealedSecret: endpoint.sealedSecret, untilMillis: nowMillis + ROTATION_MILLIS }
        })
        yield* logBy(by, "rotate_webhook_secret", "none", { after: { endpoint_id: endpointId, url: endpoint.url } })
        return { secret }
      }).pipe(atomically)

    const setKinds: Webhooks["Service"]["setKinds"] = (by, endpointId, given) =>
      Effect.gen(function* () {
        const was = yield* locked(by, endpointId)
        const will: Endpoint = { ...was, kinds: sorted(given) }
        const direction = directionOfKinds(was.kinds, will.kinds)
        yield* may(by, direction)
        yield* store.update(will)
        yield* logChange(by, direction, was, will)
      }).pipe(atomically)

    const move =
      (event: EndpointEvent, direction: Direction): Webhooks["Service"]["enable"] =>
      (by, endpointId) =>
        Effect.gen(function* () {
          yield* event === "remove" ? owner(by) : may(by, direction)
          const was = yield* locked(by, endpointId)
          const state = step(EndpointMachine, was.state, event)
          if (Result.isFailure(state)) return yield* refused("not_found")
          if (state.success === was.state) return
          const will: Endpoint = { ...was, state: state.success }
          yield* store.update(will)
          yield* logChange(by, direction, was, will)
        }).pipe(atomically)

    return Webhooks.of({
      list: (by) => store.list(by.session.workspaceId),
      endpoint: standingOf,
      log: (by, endpointId, { before, state }) =>
        Effect.flatMap(standingOf(by, endpointId), ({ endpoint: { workspaceId } }) =>
          store.log({ workspaceId, endpointId, state, limit: LOG_PAGE_MAX, before })
        ),
      add,
      rotate,
      setKinds,
      disable: move("disable", "tighten"),
      enable: move("enable", "loosen"),
      remove: move("remove", "tighten"),
      sendAgain: (by, endpointId, eventId) =>
        Effect.gen(function* () {
          const { workspaceId } = yield* locked(by, endpointId)
          const isKnown = isUuid(eventId) && (yield* store.sendAgain(workspaceId, endpointId, eventId))
          if (!isKnown) return yield* refused("not_found")
        }).pipe(atomically),
      sendFailedAgain: (by, endpointId) =>
        Effect.flatMap(locked(by, endpointId), ({ workspaceId }) =>
          store.sendFailedAgain(workspaceId, endpointId, SEND_FAILED_MAX)
        ).pipe(atomically)
    })
  })
)
