import {
  OPEN_DIRECTORY,
  OPEN_DIRECTORY_DECLARED,
  openDirectorySource
} from "@outbound/domain/wings/openDirectory/openDirectorySource.js"
import { Effect } from "effect"

/** Published companies and places, as a source. */
export const openSources = {
  declared: [OPEN_DIRECTORY_DECLARED],
  make: Effect.map(openDirectorySource, (source) => ({ [OPEN_DIRECTORY]: { company_source: source } }))
}
