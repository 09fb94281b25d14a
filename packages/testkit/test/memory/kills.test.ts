import { killsContract } from "../../src/contracts/kills.js"
import { layer } from "../../src/memory/layer.js"

killsContract("memory", layer)
