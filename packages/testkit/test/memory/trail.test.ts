import { trailContract } from "../../src/contracts/trail.js"
import { layer } from "../../src/memory/layer.js"

trailContract("memory", layer)
