import { Layer } from "effect"
import * as MemoryCanaryStore from "./canary/MemoryCanaryStore.js"
import * as MemoryCrmStore from "./crm/MemoryCrmStore.js"
import * as MemoryLinkHostStore from "./linkHosts/MemoryLinkHostStore.js"
import * as MemoryOpenDirectoryStore from "./openDirectory/MemoryOpenDirectoryStore.js"
import * as MemoryPaymentStore from "./payments/MemoryPaymentStore.js"
import * as MemoryPostmasterStore from "./postmaster/MemoryPostmasterStore.js"

/** The stores of every wing in memory, a line each. */
export const memoryStores = Layer.mergeAll(
  Layer.empty,
  MemoryCanaryStore.layer,
  MemoryCrmStore.layer,
  MemoryLinkHostStore.layer,
  MemoryOpenDirectoryStore.layer,
  MemoryPaymentStore.layer,
  MemoryPostmasterStore.layer
)
