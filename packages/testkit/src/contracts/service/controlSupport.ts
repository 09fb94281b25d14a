import { assert } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control, ControlRefused, type ControlRefusal } from "@outbound/domain/control/Control.js"
import type { ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import type { ControlLog } from "@outbound/domain/control/ControlLog.js"
import type { KillStore } from "@outbound/domain/control/KillStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import type { Role, SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, makeClient, makeKey } from "../../service/Client.js"
import type { ServiceOnStores } from "./stories.js"

/** The service with the stores that tell what a control did. */
export type ControlOnStores = ServiceOnStores | ChangeRequestStore | ControlLog | KeyStore | KillStore | WorkspaceStore

/** Somebody who opened a fresh sign-in link just now. */
export const signIn = (email: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const link = yield* console.makeSignInLink(email)
    return Option.getOrThrow(yield* console.signIn(link)).signedIn
  }).pipe(Effect.orDie)

let invited = 0

/** Somebody whom the owner invited, signed in. */
export const colleague = (owner: SignedIn, role: Role = "member") =>
  Effect.gen(function* () {
    const control = yield* Control
    const email = `colleague-${(invited += 1)}-${process.pid}@example.test`
    yield* control.inviteMember(owner, email, role)
    return yield* signIn(email)
  }).pipe(Effect.orDie)

/** A fresh workspace: its owner, a member, and a key that may control the others. */
export const office = (options: { readonly credits?: string } = {}) =>
  Effect.gen(function* () {
    const manager = yield* makeClient({ scopes: ["data:read", "trail:read", "control:manage"], ...options })
    const owner = yield* signIn(manager.ownerEmail)
    const member = yield* colleague(owner)
    return { manager, owner, member }
  })

/** Long enough for a sign-in to be stale. */
export const growStale = TestClock.adjust("301 seconds")

export const keyIn = (client: Client, options: Parameters<typeof makeKey>[2] = {}) =>
  makeKey(client.workspaceId, client.ownerEmail, options)

/** The console refuses it so. */
export const refusedBy = <A, E, R>(reason: ControlRefusal, act: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(act), (error) => {
    assert.instanceOf(error, ControlRefused)
    assert.strictEqual((error as ControlRefused).reason, reason)
  })
