import { openFile } from "@outbound/adapters/wings/openDirectory/files/openFile.js"
import { OpenFiles } from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { Layer } from "effect"
import type { Place } from "../Place.js"

/** The files of this machine. */
export const openGround = (_place: Place) => Layer.succeed(OpenFiles, { open: openFile })
