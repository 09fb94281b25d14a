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

/** A workspace's member. */
export interface Member {
  readonly userId: string
  readonly email: string
  readonly role: Role
  readonly sinceMillis: number
}

/** A one-time link. Its GET only shows a button; its POST uses it up. */
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
  /** How the session began; approvals record it. */
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
    /** Creates the user and the membership unless they exist. */
    readonly ensureMember: (member: {
      readonly userId: string
      readonly email: string
      readonly workspaceId: string
      readonly role: Role
      readonly atMillis: number
    }) => Effect.Effect<User, StoreUnavailable, Tx>
    /** A workspace's members, oldest first. The lock makes membership changes run one at a time. */
    readonly lockMembers: (workspaceId: string) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable, Tx>
    readonly members: (workspaceId: string) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable>
    readonly setRole: (workspaceId: string, userId: string, role: Role) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Also ends their sessions in the workspace. */
    readonly removeMember: (workspaceId: string, userId: string) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<User>, StoreUnavailable>
    /** Oldest first. */
    readonly memberships: (userId: string) => Effect.Effect<ReadonlyArray<Membership>, StoreUnavailable>
    readonly insertLink: (link: SignInLink) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly findLink: (
      linkHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignInLink>, StoreUnavailable>
    /** Uses up a valid link: exactly one of concurrent callers gets it. */
    readonly spendLink: (
      linkHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignInLink>, StoreUnavailable, Tx>
    readonly insertSession: (session: Session) => Effect.Effect<void, StoreUnavailable, Tx>
    /** None: unknown, ended or expired, or its user has left the workspace. */
    readonly findSession: (
      sessionHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<SignedIn>, StoreUnavailable>
    readonly endSession: (sessionHash: string) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Ends the user's sessions in every workspace, and their unused sign-in links. Waits for a link being used. */
    readonly endSessions: (userId: string) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
