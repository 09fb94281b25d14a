import { Context, type Option } from "effect"
import type { SessionBegin } from "../../calls/approvals/approvers.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** What a person may do in a workspace, the most first: everything; what tightens, and decide; decide; read. */
export const ROLES = ["owner", "member", "approver", "reader"] as const
export type Role = (typeof ROLES)[number]

export interface User {
  readonly userId: string
  readonly email: string
  readonly createdAtMillis: number
}

export interface Membership {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly kind: WorkspaceKind
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
  /** The workspace that it opens. Null: the user's first. */
  readonly workspaceId: string | null
  readonly beginsBy: Exclude<SessionBegin, "passkey">
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

export interface Session {
  readonly sessionHash: string
  readonly userId: string
  readonly workspaceId: string
  /** How the session began; approvals record it. */
  readonly beganBy: SessionBegin
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

export interface SignedIn {
  readonly session: Session
  readonly user: User
  readonly role: Role
  readonly workspaceName: string
}

export class UserStore extends Context.Service<
  UserStore,
  {
    /** Creates the user and the membership unless they exist. */
    readonly ensureMember: (member: {
      readonly userId: string
      readonly email: string
      readonly workspaceId: string
      readonly role: Role
      readonly atMillis: number
    }) => InTx<User>
    /** A workspace's members, oldest first. The lock makes membership changes run one at a time. */
    readonly lockMembers: (workspaceId: string) => InTx<ReadonlyArray<Member>>
    readonly members: (workspaceId: string) => FromStore<ReadonlyArray<Member>>
    readonly setRole: (workspaceId: string, userId: string, role: Role) => InTx<void>
    /** Also ends their sessions in the workspace. */
    readonly removeMember: (workspaceId: string, userId: string) => InTx<void>
    readonly findByEmail: (email: string) => FromStore<Option.Option<User>>
    /** Oldest first. */
    readonly memberships: (userId: string) => FromStore<ReadonlyArray<Membership>>
    readonly insertLink: (link: SignInLink) => InTx<void>
    readonly findLink: (linkHash: string, nowMillis: number) => FromStore<Option.Option<SignInLink>>
    /** Uses up a valid link: exactly one of concurrent callers gets it. */
    readonly spendLink: (linkHash: string, nowMillis: number) => InTx<Option.Option<SignInLink>>
    readonly insertSession: (session: Session) => InTx<void>
    /** None: unknown, ended or expired, or its user has left the workspace. */
    readonly findSession: (sessionHash: string, nowMillis: number) => FromStore<Option.Option<SignedIn>>
    readonly endSession: (sessionHash: string) => InTx<void>
    /** Ends the user's sessions in every workspace, and their unused sign-in links. Waits for a link being used. */
    readonly endSessions: (userId: string) => InTx<void>
  }
>()("@outbound/domain/control/users/UserStore") {}
