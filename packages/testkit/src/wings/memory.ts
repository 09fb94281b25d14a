import { Layer } from "effect"
import * as MemoryCrmStore from "./crm/MemoryCrmStore.js"
import * as MemoryLinkHostStore from "./linkHosts/MemoryLinkHostStore.js"
import * as MemoryOpenDirectoryStore from "./openDirectory/MemoryOpenDirectoryStore.js"

/** The stores of every wing in memory, a line each. */
export const memoryStores = Layer.mergeAll(
  Layer.empty,
  MemoryCrmStore.layer,
  MemoryLinkHostStore.layer,
  MemoryOpenDirectoryStore.layer
)
