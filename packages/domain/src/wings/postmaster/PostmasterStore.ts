import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { PostmasterConnection, PostmasterReading } from "./Postmaster.js"

/** The job that reads a workspace's domains. */
export const postmasterJob = (workspaceId: string): Job => ({ kind: "postmaster", key: workspaceId })

/** Binds a sealed grant to its workspace. */
export const grantBoundTo = (workspaceId: string): string => workspaceId

/** Consents at Google, and what was read with them. */
export class PostmasterStore extends Context.Service<
  PostmasterStore,
  {
    readonly get: (workspaceId: string) => FromStore<Option.Option<PostmasterConnection>>
    readonly lock: (workspaceId: string) => InTx<Option.Option<PostmasterConnection>>
    readonly put: (connection: PostmasterConnection) => InTx<void>
    /** Deletes the consent and what was read with it. */
    readonly remove: (workspaceId: string) => InTx<void>
    /** By domain. */
    readonly readings: (workspaceId: string) => FromStore<ReadonlyArray<PostmasterReading>>
    readonly putReading: (reading: PostmasterReading) => InTx<void>
    /** Workspaces whose consent holds and that should have been read before then. */
    readonly overdue: (beforeMillis: number, limit: number) => FromStore<ReadonlyArray<string>>
  }
>()("@outbound/domain/wings/postmaster/PostmasterStore") {}
