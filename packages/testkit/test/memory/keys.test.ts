import { keysContract } from "../../src/contracts/keys.js"
import { layer } from "../../src/memory/layer.js"

keysContract("memory", layer)
