import type { Vitest } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MailboxAdmin, type MailboxConnection } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Effect, Redacted } from "effect"
import { ScriptedProbe } from "../mail/ScriptedProbe.js"
import { givenWorkspace } from "./fixtures.js"

export const SECRET = "correct horse"

export const connection = (given: Partial<MailboxConnection> = {}): MailboxConnection => ({
  address: "Jo@Acme.test",
  displayName: "Jo Doe",
  smtp: { host: "smtp.acme.test", port: 465, security: "tls" },
  imap: { host: "imap.acme.test", port: 993, security: "tls" },
  username: "jo@acme.test",
  auth: "password",
  secret: Redacted.make(SECRET),
  dkimSelectors: [],
  ...given
})

/** What the parts of the contract need. */
export type MailboxAdminStores =
  | MailboxAdmin
  | ScriptedProbe
  | OwnMailboxStore
  | SendingStore
  | CampaignStore
  | ApprovalStore
  | TrailStore
  | WorkspaceStore
  | UnitOfWork
  | Crypto

export type MailboxAdminIt = Vitest.MethodsNonLive<MailboxAdminStores>

export const add = (workspaceId: string, given: Partial<MailboxConnection> = {}) =>
  Effect.flatMap(MailboxAdmin, (admin) => admin.add(workspaceId, connection(given), "console"))

export const givenAdded = Effect.gen(function* () {
  yield* (yield* ScriptedProbe).finds({})
  const { workspaceId } = yield* givenWorkspace({ kind: "live" })
  const { mailbox } = yield* add(workspaceId)
  return { workspaceId, mailbox: mailbox! }
})

export const trailOf = (workspaceId: string) =>
  Effect.flatMap(TrailStore, (trail) =>
    Effect.map(
      trail.page({
        workspaceId,
        campaignId: null,
        email: null,
        kinds: [],
        sinceMillis: null,
        untilMillis: null,
        limit: 100,
        after: null
      }),
      (events) => events.toReversed().map(({ detail, kind, source }) => [kind, source, detail["reason"] ?? null])
    )
  )

/** The issues of a refusal, by where they are. */
export const issuesOf = (refused: Effect.Effect<unknown, unknown, never>) =>
  Effect.map(Effect.flip(refused), (error) =>
    isWireError(error) && error.code === "invalid_request"
      ? (error.details.issues ?? []).map(({ path }) => path)
      : [isWireError(error) ? error.code : String(error)]
  )
