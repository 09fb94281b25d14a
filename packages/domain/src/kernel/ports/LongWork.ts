import { Context } from "effect"
import type { FromStore, InTx } from "./UnitOfWork.js"

/** A wake-up. It says what to look at, and the rows say what to do. At most one waits for each kind and key. */
export interface Job {
  /** One for which there is a handler. */
  readonly kind: string
  /** What it is about. For one thing of one workspace: the workspace's id, a slash, the thing's id. */
  readonly key: string
}

/** A job, and after how long it wakes a host; at once by default. */
export interface Announcement extends Job {
  readonly afterMillis?: number
}

/** The result of a handler: nothing is left to do, or wake it again after `millis`. */
export type Advance = { readonly _tag: "Done" } | { readonly _tag: "Wait"; readonly millis: number }

export const DONE: Advance = { _tag: "Done" }

export const waitFor = (millis: number): Advance => ({ _tag: "Wait", millis })

/**
 * Looks at the rows of a key and does what is due. It may run twice, on any host, and for nothing: its rows decide. Two
 * hosts never run one key at the same time, except while a host that was believed dead comes back.
 */
export type JobHandler = (key: string) => FromStore<Advance>

/** One handler for each kind, made by the module that owns the rows. */
export class JobHandlers extends Context.Service<JobHandlers, Readonly<Record<string, JobHandler>>>()(
  "@outbound/domain/kernel/ports/LongWork/JobHandlers"
) {}

/** Work that outlives a call. The code that writes its rows announces it in the same transaction, and any host does it. */
export class LongWork extends Context.Service<
  LongWork,
  {
    /**
     * Wakes a host once the transaction is committed. A job that waits already is brought forward, never put off; one
     * that runs now runs again afterwards. It locks its keys until the commit: make it the transaction's last statement.
     */
    readonly announce: (jobs: ReadonlyArray<Announcement>) => InTx<void>
  }
>()("@outbound/domain/kernel/ports/LongWork") {}
