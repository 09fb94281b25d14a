import { operationsContract } from "@outbound/testkit/contracts/operations.js"
import { layer } from "./stores.js"

operationsContract("PostgreSQL", layer)
