import { learnedIdsContract } from "@outbound/testkit/contracts/learnedIds.js"
import { Layer } from "effect"
import * as PgReadingStore from "../../src/postgres/PgReadingStore.js"
import { layer } from "./stores.js"

learnedIdsContract("PostgreSQL", Layer.provideMerge(PgReadingStore.layer, layer))
