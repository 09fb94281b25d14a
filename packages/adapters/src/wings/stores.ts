import { Layer } from "effect"
import * as PgCanaryStore from "./canary/PgCanaryStore.js"
import * as PgCrmStore from "./crm/PgCrmStore.js"
import * as PgLinkHostStore from "./linkHosts/PgLinkHostStore.js"
import * as PgOpenDirectoryStore from "./openDirectory/PgOpenDirectoryStore.js"
import * as PgPaymentStore from "./payments/PgPaymentStore.js"
import * as PgPostmasterStore from "./postmaster/PgPostmasterStore.js"

/** The stores of every wing, a line each. */
export const wingStores = Layer.mergeAll(
  Layer.empty,
  PgCanaryStore.layer,
  PgCrmStore.layer,
  PgLinkHostStore.layer,
  PgOpenDirectoryStore.layer,
  PgPaymentStore.layer,
  PgPostmasterStore.layer
)
