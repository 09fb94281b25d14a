import { evidenceRowsContract } from "../../src/contracts/evidenceRows.js"
import { layer } from "../../src/memory/layer.js"

evidenceRowsContract("memory", layer)
