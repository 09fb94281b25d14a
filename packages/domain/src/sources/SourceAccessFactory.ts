import { Context, Effect, Layer } from "effect"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import { makeOwnKeyReader } from "./ownKeys/reading.js"
import type { CallNotes } from "./CallNotes.js"
import { Circuits, noCircuits } from "./Circuits.js"
import { Coalesce } from "./Coalesce.js"
import { makeKeptLater } from "./KeptLater.js"
import { noAccess, type SourceAccess } from "./SourceAccess.js"

export interface Asking {
  readonly workspaceId: string
  readonly workspaceKind: WorkspaceKind
  /** The call, if there is one. */
  readonly requestId?: string
  /** The verb, if one was called. */
  readonly verb?: string
  /** Collects costs and evidence, if wanted. */
  readonly notes?: CallNotes | null
}

/** Makes the access of a workspace, for its calls and its background work. */
export class SourceAccessFactory extends Context.Tag("@outbound/domain/sources/SourceAccessFactory")<
  SourceAccessFactory,
  { readonly of: (asking: Asking) => SourceAccess }
>() {}

export const layer = Layer.effect(
  SourceAccessFactory,
  Effect.gen(function* () {
    const circuits = yield* Circuits
    const coalesce = yield* Coalesce
    const laterOf = yield* makeKeptLater
    const ownKeysOf = yield* makeOwnKeyReader

    return SourceAccessFactory.of({
      // The sandbox learns nothing: the same request always gets the same answer.
      of: ({ notes = null, requestId, verb = null, workspaceId, workspaceKind }) => {
        const isSandbox = workspaceKind === "sandbox"
        const { ownKey, ownKeyAccepted, ownKeyRefused } = isSandbox ? noAccess : ownKeysOf(workspaceId)
        return {
          workspaceId,
          verb,
          circuits: isSandbox ? noCircuits : circuits,
          together: (key, lookup) => coalesce.together(`${workspaceId} ${key}`, lookup),
          later: laterOf(workspaceId, requestId),
          ownKey,
          ownKeyRefused,
          ownKeyAccepted,
          spent: notes === null ? noAccess.spent : (cost) => Effect.sync(() => notes.spend(cost)),
          evidence:
            notes === null ? noAccess.evidence : (source, facts) => Effect.sync(() => notes.witness(source, facts))
        }
      }
    })
  })
)
