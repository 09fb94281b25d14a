import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

export type Role = "owner" | "member"

export interface User {
  readonly userId: string
  readonly email: string
  readonly createdAtMillis: number
}

export interface Membership {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly role: Role
}

/** Who belongs to a workspace. */
export interface Member {
  readonly userId: string
  readonly email: string
  readonly role: Role
  readonly sinceMillis: number
}

/** A one-time link: its GET shows a button, only its POST spends it. */
export interface SignInLink {
  readonly linkHash: string
  readonly userId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

export interface Session {
  readonly sessionHash: string
  readonly userId: string
  readonly workspaceId: string
  /** How it began; an approval records it. */
  readonly beganBy: "link" | "passkey"
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

export interface SignedIn {
  readonly session: Session
  readonly user: User
  readonly role: Role
  readonly workspaceName: string
}

export class UserStore extends Context.Tag("@outbound/domain/control/users/UserStore")<
  UserStore,
  {
    /** Makes the user where the address is new, and the membership where there is none. */
    readonly ensureMember: (member: {
      readonly userId: string
      readonly email: string
      readonly workspaceId: string
      readonly role: Role
      readonly atMillis: number
    }) => Effect.Effect<User, StoreUnavailable, Tx>
    /** Of a workspace, oldest first, locked: who belongs to it changes one at a time. */
    readonly lockMembers: (workspaceId: string) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable, Tx>
    readonly members: (workspaceId: string) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable>
    readonly setRole: (workspaceId: string, userId: string, role: Role) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Their sessions in the workspace end with it. */
    readonly removeMember: (workspaceId: string, userId: string) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<User>, StoreUnavailable>
    /** Oldest first. */
    readonly memberships: (userId: string) => Effect.Effect<ReadonlyArray<Membership>, StoreUnavailable>
    readonly insertLink: (link: SignInLink) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly findLink: (
      linkHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignInLink>, StoreUnavailable>
    /** Spends an unspent link whose time is not over: exactly one of any number of callers gets it. */
    readonly spendLink: (
      linkHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignInLink>, StoreUnavailable, Tx>
    readonly insertSession: (session: Session) => Effect.Effect<void, StoreUnavailable, Tx>
    /** None where it is unknown, ended or expired, or its user is no member of its workspace any more. */
    readonly findSession: (
      sessionHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignedIn>, StoreUnavailable>
    readonly endSession: (sessionHash: string) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
