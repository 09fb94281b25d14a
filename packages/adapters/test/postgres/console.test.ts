import { passkeysContract } from "@outbound/testkit/contracts/passkeys.js"
import { paymentsContract } from "@outbound/testkit/contracts/payments.js"
import { Layer } from "effect"
import * as PgPasskeyStore from "../../src/postgres/console/PgPasskeyStore.js"
import * as PgSignInAskStore from "../../src/postgres/console/PgSignInAskStore.js"
import * as PgPaymentStore from "../../src/postgres/PgPaymentStore.js"
import { stores } from "./stores.js"

const layer = Layer.mergeAll(PgPasskeyStore.layer, PgPaymentStore.layer, PgSignInAskStore.layer).pipe(
  Layer.provideMerge(stores)
)

passkeysContract("postgres", layer)
paymentsContract("postgres", layer)
