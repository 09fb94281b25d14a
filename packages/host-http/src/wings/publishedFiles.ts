import { openFiles } from "./openDirectory/commands.js"
import type { MakePublishedFiles, PublishedFiles } from "./PublishedFile.js"

/** The published files that wings take over, a line each. */
const FILES: ReadonlyArray<MakePublishedFiles> = [openFiles]

export const publishedFiles = (...given: Parameters<MakePublishedFiles>): ReadonlyArray<PublishedFiles> =>
  FILES.map((make) => make(...given))
