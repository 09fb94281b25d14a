import { paymentsServiceContract } from "@outbound/testkit/contracts/service/payments.js"
import { paymentsEndingContract } from "@outbound/testkit/contracts/service/paymentsEnding.js"
import { Layer } from "effect"
import * as NodeIds from "../../src/platform/NodeIds.js"
import * as PgPaymentStore from "../../src/postgres/PgPaymentStore.js"
import { stores } from "./stores.js"

const layer = Layer.merge(PgPaymentStore.layer, NodeIds.layer).pipe(Layer.provideMerge(stores))

paymentsServiceContract("postgres", layer, { runs: 12 })
paymentsEndingContract("postgres", layer)
