import { alertRowsContract } from "../../src/contracts/alertRows.js"
import { layer } from "../../src/memory/layer.js"

alertRowsContract("memory", layer)
