import { operationsContract } from "../../src/contracts/operations.js"
import { layer } from "../../src/memory/layer.js"

operationsContract("memory", layer)
