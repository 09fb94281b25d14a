import { locksContract } from "../../src/contracts/locks.js"
import { layer } from "../../src/memory/layer.js"

locksContract("memory", layer, { atOnce: false })
