import { listRowsContract } from "../../src/contracts/listRows.js"
import { looksContract } from "../../src/contracts/looks.js"
import { operationsContract } from "../../src/contracts/operations.js"
import { layer } from "../../src/memory/layer.js"

listRowsContract("memory", layer)
operationsContract("memory", layer)
looksContract("memory", layer)
