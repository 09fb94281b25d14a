import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Canary, CanarySetting } from "./Canary.js"

export type CanaryRef = Pick<Canary, "workspaceId" | "canaryId">

/** The job that plans, sends and looks for a workspace's canaries. */
export const canaryJob = (workspaceId: string): Job => ({ kind: "canary", key: workspaceId })

/** Most canaries that one read gives. */
export const CANARIES_READ_MAX = 500

/** Canaries, and which workspaces send them. */
export class CanaryStore extends Context.Service<
  CanaryStore,
  {
    readonly setting: (workspaceId: string) => FromStore<Option.Option<CanarySetting>>
    readonly lockSetting: (workspaceId: string) => InTx<Option.Option<CanarySetting>>
    readonly putSetting: (setting: CanarySetting) => InTx<void>
    /** Those planned since then, the newest first. */
    readonly since: (workspaceId: string, sinceMillis: number) => FromStore<ReadonlyArray<Canary>>
    /** Those that have not ended, the one that is due first at the beginning. */
    readonly open: (workspaceId: string) => FromStore<ReadonlyArray<Canary>>
    readonly lock: (ref: CanaryRef) => InTx<Option.Option<Canary>>
    /** Stores a new one. False: its pair has as many on that day already. */
    readonly plan: (canary: Canary) => InTx<boolean>
    readonly put: (canary: Canary) => InTx<void>
    /** Forgets those that ended before then, at most so many. Returns how many. */
    readonly forget: (beforeMillis: number, limit: number) => InTx<number>
    /** Workspaces whose job should have looked before then. */
    readonly overdue: (beforeMillis: number, limit: number) => FromStore<ReadonlyArray<string>>
  }
>()("@outbound/domain/wings/canary/CanaryStore") {}
