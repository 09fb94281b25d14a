import { NO_WING, type Wing } from "../Wing.js"
import * as OpenDirectoryLoader from "./OpenDirectoryLoader.js"

/** Companies and places that publishers give to everybody, for all workspaces of a service. */
export const openDirectoryWing = {
  ...NO_WING,
  name: "openDirectory",
  services: OpenDirectoryLoader.layer
} satisfies Wing
