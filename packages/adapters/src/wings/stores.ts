import { Layer } from "effect"
import * as PgCrmStore from "./crm/PgCrmStore.js"
import * as PgOpenDirectoryStore from "./openDirectory/PgOpenDirectoryStore.js"

/** The stores of every wing, a line each. */
export const wingStores = Layer.mergeAll(Layer.empty, PgCrmStore.layer, PgOpenDirectoryStore.layer)
