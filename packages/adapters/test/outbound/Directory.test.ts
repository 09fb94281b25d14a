import * as DirectoryImportLive from "@outbound/domain/data/directory/DirectoryImport.js"
import { directoryContract } from "@outbound/testkit/contracts/directory.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import { Layer } from "effect"
import * as PgDirectoryStore from "../../src/postgres/PgDirectoryStore.js"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import * as PgRetentionStore from "../../src/postgres/PgRetentionStore.js"
import { stores } from "../postgres/stores.js"

directoryContract(
  "PostgreSQL",
  DirectoryImportLive.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(PgDirectoryStore.layer, PgErasureStore.layer, PgRetentionStore.layer)),
    Layer.provideMerge(Layer.merge(stores, TestCrypto.layer))
  )
)
