import { foundation } from "./0001_foundation.js"
import { outbound } from "./0002_outbound.js"
import type { Migration } from "./Migration.js"

/** Every migration, in order. A file in this folder that is not listed here never runs; a test compares. */
export const migrations: ReadonlyArray<Migration> = [foundation, outbound]
