import { enrichmentContract } from "../../src/contracts/enrichment.js"
import { settledAfterContract } from "../../src/contracts/settledAfter.js"
import { layer } from "../../src/memory/layer.js"

enrichmentContract("memory", layer)
settledAfterContract("memory", layer)
