import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type Role, type Session, type SignInLink, UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Deferred, Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, hashOf, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"

const SPENDERS = 20

/** A link into the user's first workspace. */
const ANYWHERE = { workspaceId: null, beginsBy: "link" } as const

/** What every store of users guarantees. */
export const usersContract = <E>(
  name: string,
  adapter: Layer.Layer<UnitOfWork | UserStore | WorkspaceStore, E>
): void => {
  const join = (workspaceId: string, email: string, given: { role?: Role; atMillis?: number } = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const users = yield* UserStore
      const member = { userId: freshId(), email, workspaceId, role: "owner" as Role, atMillis: NOON, ...given }
      return yield* atomically(users.ensureMember(member))
    })

  const givenUser = Effect.gen(function* () {
    const { name, workspaceId } = yield* givenWorkspace({ name: "Acme" })
    const user = yield* join(workspaceId, `${freshId()}@owner.test`)
    return { workspaceId, workspaceName: name, user }
  })

  const givenLink = (userId: string, of: Pick<SignInLink, "workspaceId" | "beginsBy"> = ANYWHERE) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const users = yield* UserStore
      const linkHash = hashOf(freshId())
      const link: SignInLink = { linkHash, userId, ...of, createdAtMillis: NOON, expiresAtMillis: NOON + 10 * MINUTE }
      yield* atomically(users.insertLink(link))
      return link
    })

  const sessionOf = (userId: string, workspaceId: string): Session => ({
    sessionHash: hashOf(freshId()),
    userId,
    workspaceId,
    beganBy: "passkey",
    createdAtMillis: NOON,
    expiresAtMillis: NOON + HOUR
  })

  const givenSession = (userId: string, workspaceId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const users = yield* UserStore
      const session = sessionOf(userId, workspaceId)
      yield* atomically(users.insertSession(session))
      return session
    })

  it.layer(adapter, SUITE)(`users (${name})`, (it) => {
    it.effect("an address is one user, whatever workspaces it joins and however often", () =>
      Effect.gen(function* () {
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const second = yield* givenWorkspace({ name: "Second" })
        assert.deepStrictEqual(yield* join(workspaceId, user.email, { role: "member" }), user)
        const later = { role: "member" as const, atMillis: NOON + 1 }
        assert.deepStrictEqual(yield* join(second.workspaceId, user.email, later), user)
        assert.deepStrictEqual(Option.getOrNull(yield* users.findByEmail(user.email)), user)
        assert.deepStrictEqual(yield* users.memberships(user.userId), [
          { workspaceId, workspaceName: "Acme", kind: "sandbox", role: "owner" },
          { workspaceId: second.workspaceId, workspaceName: "Second", kind: "sandbox", role: "member" }
        ])
      })
    )

    it.effect("an address that joins many times at once is one user with one membership", () =>
      Effect.gen(function* () {
        const users = yield* UserStore
        const { workspaceId } = yield* givenWorkspace()
        const email = `${freshId()}@owner.test`
        const joined = yield* Effect.replicateEffect(
          Effect.suspend(() => join(workspaceId, email)),
          10,
          { concurrency: "unbounded" }
        )
        assert.lengthOf([...new Set(joined.map(({ userId }) => userId))], 1)
        assert.lengthOf(yield* users.memberships(joined[0]?.userId ?? ""), 1)
      })
    )

    it.effect("an unknown address is nobody", () =>
      Effect.gen(function* () {
        const users = yield* UserStore
        assert.isTrue(Option.isNone(yield* users.findByEmail(`${freshId()}@nobody.test`)))
        assert.deepStrictEqual(yield* users.memberships(freshId()), [])
      })
    )

    it.effect("a link is spent once, however many spend it at the same time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user } = yield* givenUser
        const link = yield* givenLink(user.userId)
        const spend = Effect.suspend(() => atomically(users.spendLink(link.linkHash, NOON + MINUTE)))
        const spent = yield* Effect.replicateEffect(spend, SPENDERS, { concurrency: "unbounded" })
        assert.deepStrictEqual(spent.filter(Option.isSome), [Option.some(link)] as typeof spent)
        assert.isTrue(Option.isNone(yield* users.findLink(link.linkHash, NOON + MINUTE)))
      })
    )

    it.effect("looking at a link spends nothing", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user } = yield* givenUser
        const link = yield* givenLink(user.userId)
        assert.deepStrictEqual(Option.getOrNull(yield* users.findLink(link.linkHash, NOON)), link)
        assert.deepStrictEqual(Option.getOrNull(yield* users.findLink(link.linkHash, NOON)), link)
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(users.spendLink(link.linkHash, NOON))), link)
      })
    )

    it.effect("a link keeps the workspace that it opens, and how its session begins", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const link = yield* givenLink(user.userId, { workspaceId, beginsBy: "start_link" })
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(users.spendLink(link.linkHash, NOON))), link)
        const session = { ...sessionOf(user.userId, workspaceId), beganBy: "start_link" as const }
        yield* atomically(users.insertSession(session))
        const found = Option.getOrThrow(yield* users.findSession(session.sessionHash, NOON))
        assert.deepStrictEqual(found.session, session)
      })
    )

    it.effect("a link is good until the millisecond at which it expires", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user } = yield* givenUser
        const { expiresAtMillis, linkHash } = yield* givenLink(user.userId)
        assert.isTrue(Option.isNone(yield* users.findLink(linkHash, expiresAtMillis)))
        assert.isTrue(Option.isNone(yield* atomically(users.spendLink(linkHash, expiresAtMillis))))
        assert.isTrue(Option.isSome(yield* atomically(users.spendLink(linkHash, expiresAtMillis - 1))))
        assert.isTrue(Option.isNone(yield* atomically(users.spendLink(hashOf(freshId()), NOON))))
      })
    )

    it.effect("a spending that is rolled back leaves the link good", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user } = yield* givenUser
        const { linkHash } = yield* givenLink(user.userId)
        yield* Effect.result(atomically(Effect.andThen(users.spendLink(linkHash, NOON), Effect.fail("refused"))))
        assert.isTrue(Option.isSome(yield* atomically(users.spendLink(linkHash, NOON))))
      })
    )

    it.effect("a session shows who signed in, how, and to what, until it expires or ends", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId, workspaceName } = yield* givenUser
        const session = yield* givenSession(user.userId, workspaceId)
        const find = (nowMillis: number) => users.findSession(session.sessionHash, nowMillis)
        assert.deepStrictEqual(Option.getOrNull(yield* find(NOON)), {
          session,
          user,
          role: "owner" as const,
          workspaceName
        })
        assert.isTrue(Option.isSome(yield* find(session.expiresAtMillis - 1)))
        assert.isTrue(Option.isNone(yield* find(session.expiresAtMillis)))
        yield* atomically(users.endSession(session.sessionHash))
        yield* atomically(users.endSession(session.sessionHash))
        assert.isTrue(Option.isNone(yield* find(NOON)))
        assert.isTrue(Option.isNone(yield* users.findSession(hashOf(freshId()), NOON)))
      })
    )

    it.effect("ending a user's sessions ends those of every workspace and unused links, and nobody else's", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const second = yield* givenWorkspace()
        yield* join(second.workspaceId, user.email)
        const colleague = yield* join(workspaceId, `${freshId()}@owner.test`)
        const own = [
          yield* givenSession(user.userId, workspaceId),
          yield* givenSession(user.userId, second.workspaceId)
        ]
        const link = yield* givenLink(user.userId)
        const theirs = yield* givenSession(colleague.userId, workspaceId)
        const theirLink = yield* givenLink(colleague.userId)
        yield* atomically(users.endSessions(user.userId))
        for (const { sessionHash } of own) {
          assert.isTrue(Option.isNone(yield* users.findSession(sessionHash, NOON)))
        }
        assert.isTrue(Option.isNone(yield* atomically(users.spendLink(link.linkHash, NOON))))
        assert.isTrue(Option.isSome(yield* users.findSession(theirs.sessionHash, NOON)))
        assert.isTrue(Option.isSome(yield* users.findLink(theirLink.linkHash, NOON)))
      })
    )

    it.effect("a sign-in in the middle of ending a user's sessions leaves none behind", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const link = yield* givenLink(user.userId)
        const spent = yield* Deferred.make<void>()
        const session = sessionOf(user.userId, workspaceId)
        const signIn = atomically(
          Effect.gen(function* () {
            const found = yield* users.spendLink(link.linkHash, NOON)
            yield* Deferred.succeed(spent, undefined)
            yield* Effect.yieldNow
            if (Option.isSome(found)) yield* users.insertSession(session)
          })
        )
        const end = Effect.andThen(Deferred.await(spent), atomically(users.endSessions(user.userId)))
        yield* Effect.all([signIn, end], { concurrency: "unbounded" })
        assert.isTrue(Option.isNone(yield* users.findSession(session.sessionHash, NOON)))
      })
    )

    it.effect("a session that ends is one alone: the same person's other ones go on, and everybody else's", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const colleague = yield* join(workspaceId, `${freshId()}@owner.test`)
        const [first, second] = [
          yield* givenSession(user.userId, workspaceId),
          yield* givenSession(user.userId, workspaceId)
        ]
        const theirs = yield* givenSession(colleague.userId, workspaceId)
        yield* atomically(users.endSession(first.sessionHash))
        const isOpen = ({ sessionHash }: Session) => Effect.map(users.findSession(sessionHash, NOON), Option.isSome)
        assert.deepStrictEqual(
          [yield* isOpen(first), yield* isOpen(second), yield* isOpen(theirs)],
          [false, true, true]
        )
      })
    )

    it.effect("a session shows its own user's role, and ends with their membership, not with a colleague's", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { workspaceId } = yield* givenWorkspace()
        const roles = ["reader", "owner", "approver"] as const
        const colleagues = yield* Effect.forEach(roles, (role, index) =>
          join(workspaceId, `${freshId()}@owner.test`, { role, atMillis: NOON + index })
        )
        const sessions = yield* Effect.forEach(colleagues, ({ userId }) => givenSession(userId, workspaceId))
        const seen = Effect.forEach(sessions, ({ sessionHash }) =>
          Effect.map(users.findSession(sessionHash, NOON), (found) =>
            Option.match(found, { onNone: () => null, onSome: ({ role, user }) => [user.userId, role] })
          )
        )
        const all = colleagues.map(({ userId }, index) => [userId, roles[index]!])
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* seen, all)
        yield* atomically(users.removeMember(workspaceId, colleagues[0]!.userId))
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* seen, [null, ...all.slice(1)])
      })
    )

    it.effect("who is removed is signed out of that workspace for good, and of no other", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { user, workspaceId } = yield* givenUser
        const second = yield* givenWorkspace()
        yield* join(second.workspaceId, user.email)
        const colleague = yield* join(workspaceId, `${freshId()}@owner.test`)
        const sessions = [
          yield* givenSession(user.userId, workspaceId),
          yield* givenSession(user.userId, second.workspaceId),
          yield* givenSession(colleague.userId, workspaceId)
        ]
        yield* atomically(users.removeMember(workspaceId, user.userId))
        yield* join(workspaceId, user.email, { role: "reader" })
        const open = yield* Effect.forEach(sessions, ({ sessionHash }) =>
          Effect.map(users.findSession(sessionHash, NOON), Option.isSome)
        )
        assert.deepStrictEqual(open, [false, true, true], "the old session is not of the new membership")
        const again = yield* givenSession(user.userId, workspaceId)
        const found = Option.getOrThrow(yield* users.findSession(again.sessionHash, NOON))
        assert.deepStrictEqual([found.role, found.session], ["reader", again])
      })
    )

    it.effect("members are those of their workspace, who came first first, each with their own role", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const [late, early] = [
          yield* join(workspaceId, `${freshId()}@owner.test`, { role: "approver", atMillis: NOON + 1 }),
          yield* join(workspaceId, `${freshId()}@owner.test`, { atMillis: NOON })
        ]
        yield* join(other.workspaceId, late.email, { role: "reader" })
        const members = [
          { userId: early.userId, email: early.email, role: "owner" as const, sinceMillis: NOON },
          { userId: late.userId, email: late.email, role: "approver" as const, sinceMillis: NOON + 1 }
        ]
        assert.deepStrictEqual(yield* users.members(workspaceId), members)
        assert.deepStrictEqual(yield* atomically(users.lockMembers(workspaceId)), members)
        yield* atomically(users.removeMember(workspaceId, early.userId))
        assert.deepStrictEqual(yield* users.members(workspaceId), members.slice(1))
      })
    )

    it.effect("a session of a workspace that the user is no member of shows nothing", () =>
      Effect.gen(function* () {
        const users = yield* UserStore
        const { user } = yield* givenUser
        const other = yield* givenWorkspace()
        const session = yield* givenSession(user.userId, other.workspaceId)
        assert.isTrue(Option.isNone(yield* users.findSession(session.sessionHash, NOON)))
      })
    )
  })
}
