import { sendingEdgesContract } from "@outbound/testkit/contracts/sendingEdges.js"
import { layer } from "./stores.js"

sendingEdgesContract("PostgreSQL", layer)
