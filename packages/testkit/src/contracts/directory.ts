import { it } from "@effect/vitest"
import type { Layer } from "effect"
import type { DirectoryOnStores } from "./directoryFixtures.js"
import { directoryImportTests } from "./directoryImport.js"
import { directorySearchTests } from "./directorySearch.js"
import { SUITE } from "./fixtures.js"

/** What every directory guarantees: its store, the import over it, and the sources made of it. */
export const directoryContract = <E>(name: string, adapter: Layer.Layer<DirectoryOnStores, E>): void => {
  it.layer(adapter, SUITE)(`directory (${name})`, (it) => {
    directoryImportTests(it)
    directorySearchTests(it)
  })
}
