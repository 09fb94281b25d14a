import { Admin } from "@outbound/domain/app/Admin.js"
import * as AdminLive from "@outbound/domain/app/Admin.js"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { canonicalJson, type JsonObject } from "@outbound/domain/kernel/canonical.js"
import { looking } from "@outbound/domain/control/console/Changes.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import * as ConsoleLive from "@outbound/domain/control/console/Console.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import * as OAuthLive from "@outbound/domain/control/oauth/OAuthLive.js"
import { OwnKeyVendors } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { scriptedWings } from "../wings/scripted.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { type Role, UserStore } from "@outbound/domain/control/users/UserStore.js"
import * as ScriptedProbe from "@outbound/testkit/mail/ScriptedProbe.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import type { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import * as MemoryZones from "@outbound/testkit/dns/MemoryZones.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { MemoryFaults } from "@outbound/testkit/memory/MemoryFaults.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import { layer as disposable } from "@outbound/testkit/memory/TestDisposable.js"
import * as TestHolidays from "@outbound/testkit/memory/TestHolidays.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { providerSet } from "@outbound/sandbox/providers/Sandbox.js"
import * as ScriptedChat from "@outbound/testkit/webhooks/ScriptedChat.js"
import * as ScriptedDocuments from "@outbound/testkit/providers/ScriptedDocuments.js"
import * as Alerts from "@outbound/domain/control/alerts/Alerts.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import * as WebAuthn from "../../src/console/WebAuthn.js"

/** A workspace with an owner and a key. */
export interface Tenant {
  readonly workspaceId: string
  readonly keyId: string
  readonly email: string
}

/** What a test lays before the console, and how it looks behind it. */
export class Desk extends Context.Service<
  Desk,
  {
    readonly ours: Tenant
    readonly theirs: Tenant
    /** A workspace whose people are real. */
    readonly live: Tenant
    /** The secret of a new sign-in link. */
    readonly link: (of: Tenant) => Effect.Effect<string>
    /** The same of one that a start prints. */
    readonly startLink: (of: Tenant) => Effect.Effect<string>
    /** The secret of a session that began so long ago, of the workspace's owner or of somebody who is a member only. */
    readonly session: (of: Tenant, role: Role, ageMillis: number) => Effect.Effect<string>
    /** The ids of its owner's passkeys. */
    readonly passkeys: (of: Tenant) => Effect.Effect<ReadonlyArray<string>>
    readonly isLinkOpen: (secret: string) => Effect.Effect<boolean>
    readonly add: (of: Tenant, snapshot: ApprovalSnapshot, changes?: Partial<Approval>) => Effect.Effect<Approval>
    readonly find: (approval: Approval) => Effect.Effect<Approval>
    /** The next use of a store's operation, such as `UserStore.findSession`, fails. */
    readonly failNext: (operation: string) => Effect.Effect<void>
  }
>()("@outbound/host-http/test/Desk") {}

const encode = Schema.encodeSync(ApprovalSnapshot)

const tenant = (admin: Admin["Service"], name: string, email: string, kind: WorkspaceKind = "sandbox") =>
  Effect.gen(function* () {
    const nothing = { credits: zero, postalAddress: null, kind } as const
    const { workspaceId } = yield* admin.createWorkspace({ ...nothing, name, ownerEmail: email })
    const { keyId } = yield* admin.createKey({
      workspaceId,
      name: "Prospecting agent",
      scopes: [],
      monthlySpendCap: null,
      autonomousExternalActions: true
    })
    return { workspaceId, keyId, email }
  })

const VERBS: Readonly<Record<string, string>> = {
  purchase: "setup_sending",
  launch: "launch_campaign",
  add_leads: "add_leads",
  reply: "reply_to_thread"
}

const desk = Layer.effect(
  Desk,
  Effect.gen(function* () {
    const admin = yield* Admin
    const store = yield* ApprovalStore
    const console = yield* Console
    const crypto = yield* Crypto
    const ids = yield* Ids
    const faults = yield* MemoryFaults
    const users = yield* UserStore
    const passkeys = yield* PasskeyStore
    const { atomically } = yield* UnitOfWork

    const add = (of: Tenant, snapshot: ApprovalSnapshot, changes: Partial<Approval> = {}) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const approvalId = ids.next(now)
        const approval: Approval = {
          approvalId,
          workspaceId: of.workspaceId,
          keyId: of.keyId,
          verb: VERBS[snapshot.kind] ?? snapshot.kind,
          state: "pending",
          target: `test:${approvalId}`,
          baseFingerprint: "",
          binding: "",
          tokenHash: crypto.sha256Hex(approvalId),
          snapshot,
          snapshotDigest: crypto.sha256Hex(canonicalJson(encode(snapshot) as unknown as JsonObject)),
          requestId: ids.next(now),
          createdAtMillis: now - 120_000,
          expiresAtMillis: now + 780_000,
          decidedAtMillis: null,
          decidedByUserId: null,
          decidedBySession: null,
          approvesWinnerRule: false,
          declineReason: null,
          approversNeeded: 1,
          excludedUserId: null,
          askedByUserId: null,
          usedByIdempotencyKey: null,
          ...changes
        }
        yield* atomically(store.insert(approval))
        return approval
      })

    const session = (of: Tenant, role: Role, ageMillis: number) =>
      Effect.gen(function* () {
        const createdAtMillis = (yield* Clock.currentTimeMillis) - ageMillis
        const secret = crypto.randomToken()
        const userId = ids.next(createdAtMillis)
        const email = role === "owner" ? of.email : `member-${userId}@example.net`
        const { workspaceId } = of
        yield* atomically(
          Effect.gen(function* () {
            const user = yield* users.ensureMember({ userId, email, workspaceId, role, atMillis: createdAtMillis })
            yield* users.insertSession({
              sessionHash: crypto.sha256Hex(secret),
              userId: user.userId,
              workspaceId,
              beganBy: "link",
              createdAtMillis,
              expiresAtMillis: createdAtMillis + 86_400_000
            })
          })
        )
        return secret
      })

    return {
      session: (of, role, ageMillis) => Effect.orDie(session(of, role, ageMillis)),
      ours: yield* tenant(admin, "Acme", "ada@example.com"),
      theirs: yield* tenant(admin, "Other", "eve@example.org"),
      live: yield* tenant(admin, "Live", "joan@example.edu", "live"),
      link: ({ email }) => Effect.orDie(console.makeSignInLink(email)),
      startLink: ({ email, workspaceId }) => Effect.orDie(console.makeStartLink(email, workspaceId)),
      passkeys: ({ email }) =>
        Effect.gen(function* () {
          const { userId } = Option.getOrThrow(yield* users.findByEmail(email))
          return (yield* passkeys.list(userId)).map(({ passkeyId }) => passkeyId)
        }).pipe(Effect.orDie),
      isLinkOpen: (secret) => Effect.orDie(console.isLinkOpen(secret)),
      add: (of, snapshot, changes) => Effect.orDie(add(of, snapshot, changes)),
      find: ({ approvalId, workspaceId }) =>
        store.find(workspaceId, approvalId).pipe(
          Effect.map((found) => Option.getOrThrow(found).approval),
          Effect.orDie
        ),
      failNext: (operation) => faults.failNext(operation, 1)
    }
  })
)

/** Those that live workspaces may bring keys for: of one the service has a key, of the other none. */
const VENDORS = [
  { name: "prospero", title: "Prospero", hasServiceKey: true },
  {
    name: "caliban",
    title: "Caliban & Sons",
    hasServiceKey: false,
    credentialForm: { pattern: /^[^:]+:.+$/, words: "key:token" }
  }
]

/** Live workspaces have no providers. */
const providers = Layer.effect(
  Providers,
  Effect.map(Inbound, (inbound) => Providers.of({ sandbox: providerSet(inbound), live: noProviders }))
)

/** Every way in. */
const extras = Layer.provide(Outbound.signIn, WebAuthn.layer)

/** The real console and operator's services over memory, with a mail server or without one. */
export const deskWith = (mailer: Layer.Layer<Letters | Mailer>) =>
  Layer.merge(Layer.orDie(desk), extras).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ConsoleLive.layer,
        AdminLive.layer,
        looking,
        Outbound.control,
        Outbound.campaignMailboxes,
        Outbound.campaignPauses,
        Outbound.leadStatuses,
        Outbound.savedAnswers,
        Outbound.variantChoice,
        Outbound.forecasts,
        OAuthLive.layer,
        Alerts.layer,
        Outbound.notices.pipe(Layer.provide(ScriptedChat.layer)),
        Outbound.approvers,
        Outbound.attention,
        Outbound.rules,
        Outbound.recipientWords,
        Outbound.mailboxes,
        Outbound.domains,
        Outbound.people,
        Outbound.linkBases,
        Outbound.measurements,
        Outbound.wings.pipe(Layer.provide(scriptedWings)),
        Outbound.ownKeys.pipe(Layer.provide(Layer.succeed(OwnKeyVendors, VENDORS)))
      )
    ),
    Layer.provide(providers),
    Layer.provideMerge(Layer.provideMerge(MemoryWork.layer, memory)),
    Layer.provideMerge(mailer),
    Layer.provideMerge(
      Layer.mergeAll(
        TestCrypto.layer,
        TestIds.layer,
        TestHolidays.layer,
        disposable,
        ScriptedDocuments.layer,
        ScriptedProbe.layer,
        MemoryZones.layer
      )
    )
  )

export const layer = deskWith(MemoryMailer.layer)
