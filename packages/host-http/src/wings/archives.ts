import { Data, Effect } from "effect"
import type { ArchiveReader } from "./ArchiveReader.js"
import { archiveReader } from "./archive/reader.js"

class NoArchives extends Data.TaggedError("NoArchives")<{ readonly message: string }> {}

const none = () => new NoArchives({ message: "This program reads no archives." })

const nobody: ArchiveReader = {
  verify: () => Effect.fail(none()),
  lines: () => {
    throw none()
  }
}

/** Who reads archives, a line each: one at most. */
const READERS: ReadonlyArray<ArchiveReader> = [archiveReader]

export const archives: ArchiveReader = READERS[0] ?? nobody
