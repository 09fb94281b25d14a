import { sendingEdgesContract } from "../../src/contracts/sendingEdges.js"
import { layer } from "../../src/memory/layer.js"

sendingEdgesContract("memory", layer)
