import { Clock, Context, Effect, Layer, Option, Struct } from "effect"
import { freshOwner, makeLogBy, mend, owner, refused } from "../access.js"
import type { ControlRefused } from "../Control.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type OwnKey, OwnKeyStore } from "../../sources/ownKeys/OwnKeyStore.js"
import { OwnKeyVendors } from "../../sources/ownKeys/OwnKeyVendors.js"
import { isPossibleSecret, openOwnKey, sealOwnKey } from "../../sources/ownKeys/secret.js"

/** A credential as shown to owners. Never the secret. */
export interface OwnKeyView extends Pick<OwnKey, "last4" | "addedBy" | "addedAtMillis" | "refusedAtMillis"> {
  /** False: it was sealed with another service secret and must be set again. */
  readonly isUsable: boolean
}

export interface OwnKeyStanding {
  readonly vendor: string
  readonly title: string
  /** Null: the vendor is no longer configured. */
  readonly hasServiceKey: boolean | null
  readonly key: OwnKeyView | null
}

type Act<A> = FromStore<A, ControlRefused>

/**
 * The workspace's own vendor credentials, for owners. A sandbox has none: it calls no vendor. Each change writes one
 * row to the control log; a secret is never returned.
 */
export class OwnKeys extends Context.Service<
  OwnKeys,
  {
    /** Owners. Every vendor that accepts a credential, and those that have one. */
    readonly list: (by: SignedIn) => Act<ReadonlyArray<OwnKeyStanding>>
    /** Owners, after a fresh sign-in. Replaces the previous one. */
    readonly set: (by: SignedIn, vendor: string, secret: string) => Act<void>
    /** Owners. From then on the service's own credential is used, if there is one. */
    readonly remove: (by: SignedIn, vendor: string) => Act<void>
  }
>()("@outbound/domain/control/ownKeys/OwnKeys") {}

const LAST_CHARS = 4

export const layer = Layer.effect(
  OwnKeys,
  Effect.gen(function* () {
    const store = yield* OwnKeyStore
    const workspaces = yield* WorkspaceStore
    const vendors = yield* OwnKeyVendors
    const crypto = yield* Crypto
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    const viewOf = (key: OwnKey): OwnKeyView => ({
      ...Struct.pick(key, ["last4", "addedBy", "addedAtMillis", "refusedAtMillis"]),
      isUsable: openOwnKey(crypto, key) !== null
    })

    return OwnKeys.of({
      list: (by) =>
        Effect.gen(function* () {
          yield* owner(by)
          const keys = yield* store.list(by.session.workspaceId)
          const offered = vendors.map(({ hasServiceKey, name, title }): OwnKeyStanding => {
            const key = keys.find(({ vendor }) => vendor === name)
            return { vendor: name, title, hasServiceKey, key: key === undefined ? null : viewOf(key) }
          })
          const left = keys
            .filter(({ vendor }) => !vendors.some(({ name }) => name === vendor))
            .map((key): OwnKeyStanding => ({
              vendor: key.vendor,
              title: key.vendor,
              hasServiceKey: null,
              key: viewOf(key)
            }))
          return [...offered, ...left]
        }),
      set: (by, vendor, given) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          yield* freshOwner(by)
          // Locking makes concurrent changes wait, so the log shows the true previous value.
          const { kind, workspaceId } = Option.getOrThrow(yield* workspaces.lock(by.session.workspaceId))
          const secret = given.trim()
          const form = vendors.find(({ name }) => name === vendor)?.credentialForm
          yield* mend([
            ...(kind === "live" ? [] : [{ path: "vendor", message: "is not used by a sandbox, which needs no key" }]),
            ...(vendors.some(({ name }) => name === vendor)
              ? []
              : [{ path: "vendor", message: "must be a vendor of this service" }]),
            ...(isPossibleSecret(secret)
              ? []
              : [{ path: "key", message: "must be 8 to 4,096 characters on one line, without spaces" }]),
            ...(form === undefined || form.pattern.test(secret)
              ? []
              : [{ path: "key", message: `must have the form ${form.words}` }])
          ])
          const before = (yield* store.list(workspaceId)).find((key) => key.vendor === vendor)
          const last4 = secret.slice(-LAST_CHARS)
          yield* store.put({
            workspaceId,
            vendor,
            sealedSecret: sealOwnKey(crypto, { workspaceId, vendor }, secret),
            last4,
            addedBy: by.user.email,
            addedAtMillis: nowMillis,
            refusedAtMillis: null
          })
          yield* logBy(by, "set_own_key", "loosen", {
            before: before === undefined ? {} : { vendor, last4: before.last4 },
            after: { vendor, last4 }
          })
        }).pipe(atomically),
      remove: (by, vendor) =>
        Effect.gen(function* () {
          yield* owner(by)
          const { workspaceId } = Option.getOrThrow(yield* workspaces.lock(by.session.workspaceId))
          const before = (yield* store.list(workspaceId)).find((key) => key.vendor === vendor)
          if (before === undefined || !(yield* store.remove(workspaceId, vendor))) return yield* refused("not_found")
          yield* logBy(by, "remove_own_key", "tighten", { before: { vendor, last4: before.last4 } })
        }).pipe(atomically)
    })
  })
)
