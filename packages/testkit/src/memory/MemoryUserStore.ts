import { type Member, type SignInLink, type User, UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { LinkRow, Tables } from "./Tables.js"

const isOpen = (row: LinkRow | undefined, nowMillis: number): row is LinkRow =>
  row !== undefined && !row.spent && row.link.expiresAtMillis > nowMillis

const nameOf = ({ workspaces }: Tables, workspaceId: string): string => workspaces.get(workspaceId)?.name ?? ""

const membersOf = ({ memberships, users }: Tables, workspaceId: string): ReadonlyArray<Member> =>
  memberships
    .filter((membership) => membership.workspaceId === workspaceId)
    .sort(
      ascending(
        ({ atMillis }) => atMillis,
        ({ userId }) => userId
      )
    )
    .map(({ atMillis, role, userId }) => ({
      userId,
      email: users.filter((user) => user.userId === userId)[0]?.email ?? "",
      role,
      sinceMillis: atMillis
    }))

export const layer = memoryStore(UserStore, "UserStore", ({ read, write }) => ({
  ensureMember: ({ atMillis, email, role, userId, workspaceId }) =>
    write(({ memberships, users }): User => {
      const address = email.toLowerCase()
      const user = users.get(address) ?? { userId, email, createdAtMillis: atMillis }
      if (!users.has(address)) users.insert(address, user)
      const key = keyOf(user.userId, workspaceId)
      if (!memberships.has(key)) memberships.insert(key, { userId: user.userId, workspaceId, role, atMillis })
      return user
    }),
  members: (workspaceId) => read((tables) => membersOf(tables, workspaceId)),
  lockMembers: (workspaceId) => read((tables) => membersOf(tables, workspaceId)),
  setRole: (workspaceId, userId, role) =>
    write(({ memberships }) => memberships.update(keyOf(userId, workspaceId), (row) => ({ ...row, role }))),
  removeMember: (workspaceId, userId) =>
    write(({ memberships, mutedNotices, sessions }) => {
      memberships.delete(keyOf(userId, workspaceId))
      const theirs = sessions.filter((session) => session.userId === userId && session.workspaceId === workspaceId)
      for (const { sessionHash } of theirs) sessions.delete(sessionHash)
      mutedNotices.delete(keyOf(workspaceId, userId))
    }),
  findByEmail: (email) => read(({ users }) => users.find(email.toLowerCase())),
  memberships: (userId) =>
    read((tables) =>
      tables.memberships
        .filter((membership) => membership.userId === userId)
        .sort(
          ascending(
            (membership) => membership.atMillis,
            (membership) => membership.workspaceId
          )
        )
        .flatMap(({ role, workspaceId }) => {
          const workspace = tables.workspaces.get(workspaceId)
          return workspace === undefined
            ? []
            : [{ workspaceId, workspaceName: workspace.name, kind: workspace.kind, role }]
        })
    ),
  insertLink: (link) => write(({ links }) => links.insert(link.linkHash, { link, spent: false })),
  findLink: (linkHash, nowMillis) =>
    read(({ links }) => {
      const row = links.get(linkHash)
      return isOpen(row, nowMillis) ? Option.some(row.link) : Option.none()
    }),
  spendLink: (linkHash, nowMillis) =>
    write(({ links }): Option.Option<SignInLink> => {
      const row = links.get(linkHash)
      if (!isOpen(row, nowMillis)) return Option.none()
      links.set(linkHash, { ...row, spent: true })
      return Option.some(row.link)
    }),
  insertSession: (session) => write(({ sessions }) => sessions.insert(session.sessionHash, session)),
  findSession: (sessionHash, nowMillis) =>
    read((tables) => {
      const session = tables.sessions.get(sessionHash)
      if (session === undefined || session.expiresAtMillis <= nowMillis) return Option.none()
      const user = tables.users.filter(({ userId }) => userId === session.userId)[0]
      const membership = tables.memberships.get(keyOf(session.userId, session.workspaceId))
      if (user === undefined || membership === undefined) return Option.none()
      const workspaceName = nameOf(tables, session.workspaceId)
      return Option.some({ session, user, role: membership.role, workspaceName })
    }),
  endSession: (sessionHash) => write(({ sessions }) => sessions.delete(sessionHash)),
  endSessions: (userId) =>
    write(({ links, sessions }) => {
      for (const row of links.filter(({ link }) => link.userId === userId)) {
        links.set(row.link.linkHash, { ...row, spent: true })
      }
      for (const { sessionHash } of sessions.filter((session) => session.userId === userId)) {
        sessions.delete(sessionHash)
      }
    })
}))
