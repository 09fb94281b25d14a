import { sendingEdgesContract } from "@outbound/testkit/contracts/sendingEdges.js"
import { sendingNeighboursContract } from "@outbound/testkit/contracts/sendingNeighbours.js"
import { layer } from "./stores.js"

sendingEdgesContract("PostgreSQL", layer)
sendingNeighboursContract("PostgreSQL", layer)
