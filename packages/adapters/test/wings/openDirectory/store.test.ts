import { openDirectoryContract } from "@outbound/testkit/wings/openDirectory/contract.js"
import { Layer } from "effect"
import * as NodeIds from "../../../src/platform/NodeIds.js"
import * as PgOpenDirectoryStore from "../../../src/wings/openDirectory/PgOpenDirectoryStore.js"
import { stores } from "../../postgres/stores.js"

openDirectoryContract(
  "PostgreSQL",
  PgOpenDirectoryStore.layer.pipe(Layer.provideMerge(Layer.merge(stores, NodeIds.layer)))
)
