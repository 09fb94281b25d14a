import { Effect } from "effect"
import { CreditStore } from "../calls/credits/CreditStore.js"
import type { Credits } from "../kernel/money/Credits.js"
import { Ids } from "../kernel/ports/Ids.js"
import {
  DEFAULT_CAPS,
  type Workspace,
  type WorkspaceKind,
  WorkspaceStore
} from "../kernel/workspaces/WorkspaceStore.js"
import { RuleStore } from "../kernel/workspaces/RuleStore.js"
import { rulesOfNew } from "../kernel/workspaces/WorkspaceRules.js"
import { UserStore } from "./users/UserStore.js"

/** Credits that a workspace is created with unless said otherwise (contract: credits, money). */
export const SIGNUP_CREDITS = "300"

/** What a sandbox workspace starts with, so that the loop can be tried at once. */
export const SAMPLE_POSTAL_ADDRESS = "Sandbox Ltd, 1 Example Street, Sampletown"

export interface NewWorkspace {
  readonly name: string
  /** In its canonical form. */
  readonly ownerEmail: string
  readonly kind: WorkspaceKind
  readonly credits: Credits
  /** Null: a sandbox workspace starts with a sample one, a live one with none. */
  readonly postalAddress: string | null
}

/** Makes a workspace with its owner and its first credits, in the caller's transaction. */
export const makeNewWorkspace = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const rules = yield* RuleStore
  const users = yield* UserStore
  const ledger = yield* CreditStore
  const ids = yield* Ids

  return (wanted: NewWorkspace, nowMillis: number) =>
    Effect.gen(function* () {
      const workspace: Workspace = {
        workspaceId: ids.next(nowMillis),
        name: wanted.name.trim(),
        kind: wanted.kind,
        postalAddress: wanted.postalAddress ?? (wanted.kind === "sandbox" ? SAMPLE_POSTAL_ADDRESS : null),
        caps: DEFAULT_CAPS,
        createdAtMillis: nowMillis
      }
      const { workspaceId } = workspace
      yield* workspaces.insert(workspace)
      yield* rules.setRules(workspaceId, rulesOfNew(wanted.kind))
      const member = { userId: ids.next(nowMillis), email: wanted.ownerEmail, workspaceId, role: "owner" as const }
      const owner = yield* users.ensureMember({ ...member, atMillis: nowMillis })
      if (wanted.credits > 0n) {
        yield* ledger.add({
          entryId: ids.next(nowMillis),
          workspaceId,
          kind: "grant",
          amount: wanted.credits,
          countsAsPaymentMethod: false,
          requestId: null,
          atMillis: nowMillis
        })
      }
      return { workspace, owner }
    })
})
