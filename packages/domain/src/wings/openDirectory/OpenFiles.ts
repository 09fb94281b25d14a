import { Context, Data, type Effect, type Stream } from "effect"
import type { OpenPublisher, RawRecord } from "./OpenRecords.js"

/** The most records of a piece of a file, and in one transaction. */
export const OPEN_BATCH_MAX = 5_000

/** A record of a file, or null where something else stands. */
export type FileRecord = RawRecord | null

/** A published file can't be read, in words: what, where and how to mend it. */
export class UnusableOpenFile extends Data.TaggedError("UnusableOpenFile")<{ readonly message: string }> {}

/** A file, of which the beginning was read. */
export interface OpenedFile<E = UnusableOpenFile> {
  /** Tells this file from others, so that a load that was cut off goes on only with the file it began with. */
  readonly fileKey: string
  /** The records after the first `skipped`, in pieces of at most `OPEN_BATCH_MAX`. */
  readonly records: (skipped: number) => Stream.Stream<ReadonlyArray<FileRecord>, E>
}

/** The files of the machine on which the operator's program runs. */
export class OpenFiles extends Context.Service<
  OpenFiles,
  { readonly open: (path: string, publisher: OpenPublisher) => Effect.Effect<OpenedFile, UnusableOpenFile> }
>()("@outbound/domain/wings/openDirectory/OpenFiles") {}
