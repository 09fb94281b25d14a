import { retainingContract } from "@outbound/testkit/contracts/retaining.js"
import { Layer } from "effect"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import * as PgListStore from "../../src/postgres/PgListStore.js"
import * as PgRetentionStore from "../../src/postgres/PgRetentionStore.js"
import * as PgVerdictStore from "../../src/postgres/PgVerdictStore.js"
import { layer } from "./stores.js"

retainingContract(
  "PostgreSQL",
  Layer.provideMerge(
    Layer.mergeAll(PgErasureStore.layer, PgListStore.layer, PgRetentionStore.layer, PgVerdictStore.layer),
    layer
  )
)
