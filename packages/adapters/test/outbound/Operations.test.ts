import { listRowsContract } from "@outbound/testkit/contracts/listRows.js"
import { looksContract } from "@outbound/testkit/contracts/looks.js"
import { operationsContract } from "@outbound/testkit/contracts/operations.js"
import { Layer } from "effect"
import * as PgListStore from "../../src/postgres/PgListStore.js"
import { layer } from "./stores.js"

listRowsContract("PostgreSQL", Layer.provideMerge(PgListStore.layer, layer))
operationsContract("PostgreSQL", layer)
looksContract("PostgreSQL", layer)
