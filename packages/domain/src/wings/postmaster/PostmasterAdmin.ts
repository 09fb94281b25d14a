import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import type { ControlRefused } from "../../control/Control.js"
import { freshOwner, makeLogBy, mend, orNotFound, owner } from "../../control/access.js"
import type { SignedIn } from "../../control/users/UserStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { grantSecret, type MailGrant } from "../../outreach/sending/mailGrant.js"
import type { PostmasterConnection, PostmasterReading } from "./Postmaster.js"
import { grantBoundTo, postmasterJob, PostmasterStore } from "./PostmasterStore.js"

export interface PostmasterStanding {
  /** Null: nobody consented. */
  readonly connection: Omit<PostmasterConnection, "sealedGrant"> | null
  readonly readings: ReadonlyArray<PostmasterReading>
}

type Act<A> = FromStore<A, ControlRefused>

/** A workspace's consent to read Google's Postmaster Tools. Each change writes one row to the control log. */
export class PostmasterAdmin extends Context.Service<
  PostmasterAdmin,
  {
    readonly standing: (by: SignedIn) => FromStore<PostmasterStanding>
    /** Owners, after a fresh sign-in. Live workspaces alone: a sandbox has no domains. */
    readonly mayConnect: (by: SignedIn) => Act<void>
    /** The grant that Google gave to this owner. It is sealed, and read now. */
    readonly connect: (by: SignedIn, grant: MailGrant) => Act<void>
    /** Owners. The consent and what was read are deleted. */
    readonly disconnect: (by: SignedIn) => Act<void>
  }
>()("@outbound/domain/wings/postmaster/PostmasterAdmin") {}

export const layer = Layer.effect(
  PostmasterAdmin,
  Effect.gen(function* () {
    const store = yield* PostmasterStore
    const crypto = yield* Crypto
    const work = yield* LongWork
    const workspaces = yield* WorkspaceStore
    const log = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    const mayConnect = (by: SignedIn): Act<void> =>
      Effect.gen(function* () {
        yield* freshOwner(by)
        const workspace = yield* workspaces.get(by.session.workspaceId)
        const isLive = Option.exists(workspace, ({ kind }) => kind === "live")
        yield* mend(isLive ? [] : [{ path: "workspace", message: "is a sandbox, whose domains no receiver knows" }])
      })

    return PostmasterAdmin.of({
      standing: ({ session: { workspaceId } }) =>
        Effect.gen(function* () {
          const found = Option.getOrNull(yield* store.get(workspaceId))
          const readings = yield* store.readings(workspaceId)
          if (found === null) return { connection: null, readings }
          const { sealedGrant: _sealedGrant, ...connection } = found
          return { connection, readings }
        }),
      mayConnect,
      connect: (by, grant) =>
        Effect.gen(function* () {
          // The sign-in was fresh when the owner left for Google.
          yield* owner(by)
          const { workspaceId } = by.session
          const nowMillis = yield* Clock.currentTimeMillis
          const before = yield* store.lock(workspaceId)
          yield* store.put({
            workspaceId,
            sealedGrant: crypto.seal("postmaster_grant", Redacted.value(grantSecret(grant)), grantBoundTo(workspaceId)),
            connectedBy: by.user.email,
            connectedAtMillis: nowMillis,
            refusedAtMillis: null,
            readAtMillis: Option.getOrNull(before)?.readAtMillis ?? null,
            nextAtMillis: nowMillis,
            failures: 0
          })
          yield* log(by, "set_postmaster", "none", { before: {}, after: { connected: true } })
          yield* work.announce([postmasterJob(workspaceId)])
        }).pipe(atomically),
      disconnect: (by) =>
        Effect.gen(function* () {
          yield* owner(by)
          const { workspaceId } = by.session
          yield* orNotFound(store.lock(workspaceId))
          yield* store.remove(workspaceId)
          yield* log(by, "set_postmaster", "none", { before: { connected: true }, after: {} })
        }).pipe(atomically)
    })
  })
)
