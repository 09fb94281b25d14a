import { erasingContract } from "@outbound/testkit/contracts/erasing.js"
import { erasingFindingsContract } from "@outbound/testkit/contracts/erasingFindings.js"
import { Layer } from "effect"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import * as PgLaterStore from "../../src/postgres/PgLaterStore.js"
import * as PgSavedAnswerStore from "../../src/postgres/PgSavedAnswerStore.js"
import * as PgVerdictStore from "../../src/postgres/PgVerdictStore.js"
import { layer as outboundStores } from "./stores.js"

const layer = Layer.provideMerge(
  Layer.mergeAll(PgErasureStore.layer, PgLaterStore.layer, PgSavedAnswerStore.layer, PgVerdictStore.layer),
  outboundStores
)

erasingContract("PostgreSQL", layer)
erasingFindingsContract("PostgreSQL", layer)
