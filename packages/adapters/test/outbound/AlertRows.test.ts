import { alertRowsContract } from "@outbound/testkit/contracts/alertRows.js"
import { Layer } from "effect"
import * as PgAlertStore from "../../src/postgres/PgAlertStore.js"
import { layer } from "./stores.js"

alertRowsContract("PostgreSQL", Layer.provideMerge(PgAlertStore.layer, layer))
