import { Clock, Effect } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import { orFail } from "../kernel/orFail.js"
import type { SignedIn } from "./users/UserStore.js"
import type { Actor } from "./ControlLog.js"
import { type ControlRefusal, ControlRefused, FRESH_SIGN_IN_MILLIS } from "./Control.js"
import type { Direction } from "./PolicyChange.js"

/** Permissions in the console. */

export const refused = (reason: Exclude<ControlRefusal, "invalid">): Effect.Effect<never, ControlRefused> =>
  Effect.fail(new ControlRefused({ reason, issues: [] }))

/** What a store found, or else `not_found`. */
export const orNotFound = orFail(new ControlRefused({ reason: "not_found", issues: [] }))

export const mend = (issues: ReadonlyArray<Issue>): Effect.Effect<void, ControlRefused> =>
  issues.length === 0 ? Effect.void : Effect.fail(new ControlRefused({ reason: "invalid", issues }))

export const actorOf = ({ user }: SignedIn): Actor => ({ kind: "user", userId: user.userId, email: user.email })

export const owner = (by: SignedIn): Effect.Effect<void, ControlRefused> =>
  by.role === "owner" ? Effect.void : refused("owner_required")

/** They signed in just now. */
export const fresh = (by: SignedIn): Effect.Effect<void, ControlRefused> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    nowMillis - by.session.createdAtMillis <= FRESH_SIGN_IN_MILLIS ? Effect.void : refused("reauthentication_required")
  )

export const freshOwner = (by: SignedIn): Effect.Effect<void, ControlRefused> => Effect.zipRight(owner(by), fresh(by))

/** Any member may tighten; only owners with a fresh sign-in may loosen. */
export const may = (by: SignedIn, direction: Direction): Effect.Effect<void, ControlRefused> =>
  direction === "loosen" ? freshOwner(by) : Effect.void
