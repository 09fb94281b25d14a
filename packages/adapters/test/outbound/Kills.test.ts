import { killsContract } from "@outbound/testkit/contracts/kills.js"
import { Layer } from "effect"
import * as PgKillStore from "../../src/postgres/PgKillStore.js"
import { layer } from "./stores.js"

killsContract("PostgreSQL", PgKillStore.layer.pipe(Layer.provideMerge(layer)))
