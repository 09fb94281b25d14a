import { SqlClient } from "@effect/sql"
import { Admin, SIGNUP_CREDITS } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { WorkspaceSummary } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option } from "effect"

/** Hosts that start at the same moment make one workspace; the number is arbitrary, and ours. */
const ADVISORY_LOCK = 7_204_119_002

export const FIRST_OWNER_EMAIL = "owner@outbound.test"

/** The sandbox workspace to show to whoever starts the service, and its key if it was made just now. */
export interface Sandbox {
  readonly workspace: WorkspaceSummary
  readonly newApiKey: Option.Option<string>
}

const makeFirst = Effect.gen(function* () {
  const admin = yield* Admin
  const name = "Sandbox"
  const { workspaceId } = yield* admin.createWorkspace({
    name,
    ownerEmail: FIRST_OWNER_EMAIL,
    kind: "sandbox",
    credits: credits(SIGNUP_CREDITS),
    postalAddress: null
  })
  const { apiKey } = yield* admin.createKey({
    workspaceId,
    name: "first",
    scopes: [],
    monthlySpendCap: null,
    autonomousExternalActions: true
  })
  const workspace: WorkspaceSummary = { workspaceId, name, kind: "sandbox", ownerEmail: FIRST_OWNER_EMAIL }
  return { workspace, newApiKey: Option.some(apiKey) }
})

/**
 * The oldest sandbox workspace. On a database without any workspace the first one is made, with its owner, its
 * credits and a key: all of it or nothing, and once however many hosts start.
 */
export const firstSandbox = Effect.gen(function* () {
  const admin = yield* Admin
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
      const workspaces = yield* admin.listWorkspaces
      if (workspaces.length === 0) return Option.some<Sandbox>(yield* makeFirst)
      const oldest = workspaces.find(({ kind }) => kind === "sandbox")
      return Option.map(Option.fromNullable(oldest), (workspace): Sandbox => ({ workspace, newApiKey: Option.none() }))
    })
  )
})
