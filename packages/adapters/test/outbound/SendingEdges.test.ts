import { sendingEdgesContract } from "@outbound/testkit/contracts/sendingEdges.js"
import { sendingLooksContract } from "@outbound/testkit/contracts/sendingLooks.js"
import { sendingNeighboursContract } from "@outbound/testkit/contracts/sendingNeighbours.js"
import { vendorMessagesContract } from "@outbound/testkit/contracts/vendorMessages.js"
import { layer } from "./stores.js"

sendingEdgesContract("PostgreSQL", layer)
sendingNeighboursContract("PostgreSQL", layer)
sendingLooksContract("PostgreSQL", layer)
vendorMessagesContract("PostgreSQL", layer)
