import { paymentsServiceContract } from "@outbound/testkit/wings/payments/serviceContract.js"
import { paymentsEndingContract } from "@outbound/testkit/wings/payments/endingContract.js"
import { paymentsContract } from "@outbound/testkit/wings/payments/storeContract.js"
import { Layer } from "effect"
import * as NodeIds from "../../../src/platform/NodeIds.js"
import * as PgAlertStore from "../../../src/postgres/PgAlertStore.js"
import * as PgPaymentStore from "../../../src/wings/payments/PgPaymentStore.js"
import { stores } from "../../postgres/stores.js"

const layer = Layer.mergeAll(PgAlertStore.layer, PgPaymentStore.layer, NodeIds.layer).pipe(Layer.provideMerge(stores))

paymentsContract("postgres", layer)
paymentsServiceContract("postgres", layer, { runs: 12 })
paymentsEndingContract("postgres", layer)
