import { Context } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A text that people of a workspace saved for their answers, with variables as in a sequence. */
export interface SavedAnswer {
  readonly workspaceId: string
  readonly savedAnswerId: string
  readonly title: string
  readonly body: string
  /** The address of the person who saved it last. */
  readonly savedBy: string
  readonly savedAtMillis: number
}

/** Saved answers. They are changed under the lock of the workspace's row. */
export class SavedAnswerStore extends Context.Service<
  SavedAnswerStore,
  {
    /** By title, and by id where titles are the same. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<SavedAnswer>>
    /** Adds it, or puts it in the place of what has its id. */
    readonly put: (answer: SavedAnswer) => InTx<void>
    /** False: there was none. */
    readonly remove: (workspaceId: string, savedAnswerId: string) => InTx<boolean>
  }
>()("@outbound/domain/outreach/replies/SavedAnswerStore") {}
