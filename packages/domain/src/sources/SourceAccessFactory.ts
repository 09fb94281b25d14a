import { Context, Effect, Layer } from "effect"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import { makeOwnKeyReader } from "./ownKeys/reading.js"
import type { CallNotes } from "./CallNotes.js"
import { Circuits, noCircuits } from "./Circuits.js"
import { Coalesce } from "./Coalesce.js"
import { makeKeptLater } from "./KeptLater.js"
import { noAccess, type SourceAccess } from "./SourceAccess.js"

/** Who asks sources. */
export interface Asking {
  readonly workspaceId: string
  readonly workspaceKind: WorkspaceKind
  /** In which call; left out where there is none. */
  readonly requestId?: string
  /** By what verb; left out where none was called. */
  readonly verb?: string
  /** Where costs and evidence are noted; left out where they are told by nothing. */
  readonly notes?: CallNotes | null
}

/** How sources are reached in the name of a workspace, by its calls and by what goes on after them. */
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
      // The sandbox learns nothing: there the same request gives the same answer, whatever was asked before.
      of: ({ notes = null, requestId, verb = null, workspaceId, workspaceKind }) => {
        const isSandbox = workspaceKind === "sandbox"
        // A sandbox asks no vendor.
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
