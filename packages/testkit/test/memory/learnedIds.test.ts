import { learnedIdsContract } from "../../src/contracts/learnedIds.js"
import { layer } from "../../src/memory/layer.js"

learnedIdsContract("memory", layer)
