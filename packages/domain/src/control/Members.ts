import { Clock, Effect } from "effect"
import { usableEmail } from "../kernel/people/EmailAddress.js"
import { Ids } from "../kernel/ports/Ids.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { type Member, type Role, ROLES, type SignedIn, UserStore } from "./users/UserStore.js"
import { makeAsks } from "./users/asks.js"
import { freshOwner, makeLogBy, mend, owner, refused } from "./access.js"
import type { Control } from "./Control.js"

/** Most members of a workspace. */
export const MEMBERS_MAX = 200

/**
 * Invitations per day, by workspace and, across workspaces, by address. Each may email someone who didn't ask for it.
 * Inviting someone again sends another email.
 */
export const INVITATIONS_MAX = 100
export const INVITATIONS_PER_ADDRESS_MAX = 3
const INVITATION_WINDOW_MINUTES = 24 * 60

type Members = Pick<Control["Service"], "members" | "inviteMember" | "setRole" | "removeMember">

const keepsAnOwner = (members: ReadonlyArray<Member>, but: string): boolean =>
  members.some(({ role, userId }) => role === "owner" && userId !== but)

/** Members of a workspace. It always keeps an owner; otherwise no one could ever loosen anything in it. */
export const makeMembers = Effect.gen(function* () {
  const users = yield* UserStore
  const ids = yield* Ids
  const logBy = yield* makeLogBy
  const mayAsk = yield* makeAsks
  const { atomically } = yield* UnitOfWork

  /** Counted in the invitation's transaction, so a refused invitation counts for no one. */
  const notTooOften = (workspaceId: string, email: string, nowMillis: number) =>
    Effect.gen(function* () {
      const byAddress = { kind: "invited", name: email, max: INVITATIONS_PER_ADDRESS_MAX } as const
      if (!(yield* mayAsk([byAddress], nowMillis, INVITATION_WINDOW_MINUTES))) {
        yield* mend([{ path: "email", message: "was invited too often within a day; try again tomorrow" }])
      }
      const byWorkspace = { kind: "inviting", name: workspaceId, max: INVITATIONS_MAX } as const
      if (!(yield* mayAsk([byWorkspace], nowMillis, INVITATION_WINDOW_MINUTES))) {
        const many = `this workspace has sent ${INVITATIONS_MAX} invitations within a day; try again tomorrow`
        yield* mend([{ path: "email", message: `can't be invited now: ${many}` }])
      }
    })

  const invite = (by: SignedIn, given: string, role: Role) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      yield* freshOwner(by)
      const email = usableEmail(given)
      if (email === null) yield* mend([{ path: "email", message: "must be an email address" }])
      const { workspaceId } = by.session
      const before = yield* users.lockMembers(workspaceId)
      if (before.length >= MEMBERS_MAX) {
        yield* mend([{ path: "email", message: `can't be added: a workspace can have at most ${MEMBERS_MAX} members` }])
      }
      yield* notTooOften(workspaceId, email ?? given, nowMillis)
      const user = yield* users.ensureMember({
        userId: ids.next(nowMillis),
        email: email ?? given,
        workspaceId,
        role,
        atMillis: nowMillis
      })
      const known = before.find((member) => member.userId === user.userId)
      if (known !== undefined) return known
      yield* logBy(by, "add_member", "loosen", { after: { user_id: user.userId, email: user.email, role } })
      return { userId: user.userId, email: user.email, role, sinceMillis: nowMillis }
    })

  const setRole = (by: SignedIn, userId: string, role: Role) =>
    Effect.gen(function* () {
      yield* owner(by)
      const { workspaceId } = by.session
      const members = yield* users.lockMembers(workspaceId)
      const member = members.find((one) => one.userId === userId)
      if (member === undefined) return yield* refused("not_found")
      if (member.role === role) return
      const loosens = ROLES.indexOf(role) < ROLES.indexOf(member.role)
      if (loosens) yield* freshOwner(by)
      if (role !== "owner" && !keepsAnOwner(members, userId)) return yield* refused("last_owner")
      yield* users.setRole(workspaceId, userId, role)
      yield* logBy(by, "set_role", loosens ? "loosen" : "tighten", {
        before: { user_id: userId, email: member.email, role: member.role },
        after: { user_id: userId, email: member.email, role }
      })
    })

  const remove = (by: SignedIn, userId: string) =>
    Effect.gen(function* () {
      if (userId !== by.user.userId) yield* owner(by)
      const { workspaceId } = by.session
      const members = yield* users.lockMembers(workspaceId)
      const member = members.find((one) => one.userId === userId)
      if (member === undefined) return yield* refused("not_found")
      if (!keepsAnOwner(members, userId)) return yield* refused("last_owner")
      yield* users.removeMember(workspaceId, userId)
      yield* logBy(by, "remove_member", "tighten", {
        before: { user_id: userId, email: member.email, role: member.role }
      })
    })

  const members: Members = {
    members: (by) => users.members(by.session.workspaceId),
    inviteMember: (by, email, role) => atomically(invite(by, email, role)),
    setRole: (by, userId, role) => atomically(setRole(by, userId, role)),
    removeMember: (by, userId) => atomically(remove(by, userId))
  }
  return members
})
