import { openFile } from "@outbound/adapters/wings/openDirectory/files/openFile.js"
import { OpenFiles } from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { Layer } from "effect"

/** The files of this machine, as the host has them. */
export const openFilesHere = Layer.succeed(OpenFiles, { open: openFile })
