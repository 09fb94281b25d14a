import { locksContract } from "@outbound/testkit/contracts/locks.js"
import { Layer } from "effect"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import { layer } from "./stores.js"

locksContract("PostgreSQL", Layer.provideMerge(PgErasureStore.layer, layer), { atOnce: true })
