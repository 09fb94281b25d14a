import { consoleReadsContract } from "@outbound/testkit/contracts/consoleReads.js"
import { openAlertsContract } from "@outbound/testkit/contracts/openAlerts.js"
import { Layer } from "effect"
import * as PgAlertStore from "../../src/postgres/PgAlertStore.js"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import * as PgWebhookStore from "../../src/postgres/PgWebhookStore.js"
import { layer } from "./stores.js"

const reads = Layer.provideMerge(Layer.mergeAll(PgAlertStore.layer, PgConsoleReads.layer, PgWebhookStore.layer), layer)

consoleReadsContract("PostgreSQL", reads)
openAlertsContract("PostgreSQL", reads)
