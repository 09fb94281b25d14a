import { sendingEdgesContract } from "../../src/contracts/sendingEdges.js"
import { sendingLooksContract } from "../../src/contracts/sendingLooks.js"
import { sendingNeighboursContract } from "../../src/contracts/sendingNeighbours.js"
import { vendorMessagesContract } from "../../src/contracts/vendorMessages.js"
import { layer } from "../../src/memory/layer.js"

sendingEdgesContract("memory", layer)
sendingLooksContract("memory", layer)
sendingNeighboursContract("memory", layer)
vendorMessagesContract("memory", layer)
