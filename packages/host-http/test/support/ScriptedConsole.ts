import { ApprovalMachine } from "@outbound/domain/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/approvals/ApprovalStore.js"
import type { ApprovalSnapshot } from "@outbound/domain/approvals/Snapshot.js"
import { Console } from "@outbound/domain/console/Console.js"
import { canonicalJson, type Json } from "@outbound/domain/calls/canonical.js"
import { ApprovalSnapshot as Snapshot } from "@outbound/domain/approvals/Snapshot.js"
import { step } from "@outbound/domain/machine.js"
import type { SignedIn } from "@outbound/domain/users/UserStore.js"
import { Clock, Context, Effect, Either, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"

export const WORKSPACE = "0197c3a0-0000-7000-8000-000000000001"
export const OTHER_WORKSPACE = "0197c3a0-0000-7000-8000-000000000002"

/** What a test puts into the console, and reads back. */
export class Desk extends Context.Tag("@outbound/host-http/test/Desk")<
  Desk,
  {
    readonly links: Map<string, { readonly workspaceId: string; readonly email: string; isOpen: boolean }>
    readonly sessions: Map<string, SignedIn>
    readonly approvals: Map<string, Approval>
    readonly add: (approval: Partial<Approval> & { readonly snapshot: ApprovalSnapshot }) => Effect.Effect<Approval>
    /** What the store does before it answers. */
    trouble: Effect.Effect<void>
  }
>() {}

const digestOf = (snapshot: ApprovalSnapshot): string =>
  createHash("sha256")
    .update(canonicalJson(Schema.encodeSync(Snapshot)(snapshot) as unknown as Json))
    .digest("hex")

const uuid = (n: number): string => `0197c3a0-0000-7000-8000-${String(n).padStart(12, "0")}`

/** A console whose members, links and approvals a test lays out itself. */
export const layer: Layer.Layer<Console | Desk> = Layer.effectContext(
  Effect.sync(() => {
    let made = 100
    const desk: Context.Tag.Service<typeof Desk> = {
      links: new Map(),
      sessions: new Map(),
      approvals: new Map(),
      trouble: Effect.void,
      add: (given) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const approval: Approval = {
            approvalId: uuid((made += 1)),
            workspaceId: WORKSPACE,
            keyId: uuid(1),
            verb: given.snapshot.kind === "launch" ? "launch_campaign" : "setup_sending",
            state: "pending",
            target: "purchase",
            baseFingerprint: "",
            binding: "",
            tokenHash: "",
            snapshotDigest: digestOf(given.snapshot),
            requestId: uuid(7),
            createdAtMillis: now - 120_000,
            expiresAtMillis: now + 780_000,
            decidedAtMillis: null,
            decidedByUserId: null,
            decidedBySession: null,
            usedByIdempotencyKey: null,
            ...given
          }
          desk.approvals.set(approval.approvalId, approval)
          return approval
        })
    }

    const summary = (approval: Approval): ApprovalSummary => ({
      approval,
      keyName: "Prospecting agent",
      decidedByEmail: approval.decidedByUserId === null ? null : "ada@example.com"
    })
    const ofWorkspace = (workspaceId: string, approvalId: string) =>
      Option.filter(Option.fromNullable(desk.approvals.get(approvalId)), (found) => found.workspaceId === workspaceId)
    const after = <A>(answer: () => A) =>
      Effect.zipRight(
        Effect.suspend(() => desk.trouble),
        Effect.sync(answer)
      )

    return Context.make(Desk, desk).pipe(
      Context.add(Console, {
        makeSignInLink: () => Effect.die("not part of these tests"),
        isLinkOpen: (secret) => after(() => desk.links.get(secret)?.isOpen ?? false),
        signIn: (secret) =>
          after(() => {
            const link = desk.links.get(secret)
            if (link === undefined || !link.isOpen) return Option.none()
            link.isOpen = false
            const sessionSecret = createHash("sha256").update(secret).digest("base64url")
            const signedIn: SignedIn = {
              session: {
                sessionHash: "",
                userId: uuid(3),
                workspaceId: link.workspaceId,
                beganBy: "link",
                createdAtMillis: 0,
                expiresAtMillis: 0
              },
              user: { userId: uuid(3), email: link.email, createdAtMillis: 0 },
              role: "owner",
              workspaceName: link.workspaceId === WORKSPACE ? "Acme" : "Other"
            }
            desk.sessions.set(sessionSecret, signedIn)
            return Option.some({ secret: sessionSecret, signedIn })
          }),
        session: (secret) => after(() => Option.fromNullable(desk.sessions.get(secret))),
        signOut: (secret) => after(() => void desk.sessions.delete(secret)),
        approvals: (workspaceId, which) =>
          after(() =>
            [...desk.approvals.values()]
              .filter((one) => one.workspaceId === workspaceId && (one.state === "pending") === (which === "pending"))
              .map(summary)
              .reverse()
          ),
        approval: (workspaceId, approvalId) => after(() => Option.map(ofWorkspace(workspaceId, approvalId), summary)),
        decide: (by, approvalId, decision, digest) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            after(() =>
              Option.map(ofWorkspace(by.session.workspaceId, approvalId), (approval) => {
                if (digest !== approval.snapshotDigest) return "digest_mismatch" as const
                const next = step(ApprovalMachine, approval.state, decision)
                if (approval.state !== "pending" || Either.isLeft(next)) return "closed" as const
                desk.approvals.set(approvalId, {
                  ...approval,
                  state: next.right,
                  decidedAtMillis: now,
                  decidedByUserId: by.user.userId
                })
                return decision === "approve" ? ("approved" as const) : ("declined" as const)
              })
            )
          )
      })
    )
  })
)
