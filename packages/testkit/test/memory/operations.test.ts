import { listRowsContract } from "../../src/contracts/listRows.js"
import { operationsContract } from "../../src/contracts/operations.js"
import { layer } from "../../src/memory/layer.js"

listRowsContract("memory", layer)
operationsContract("memory", layer)
