import { enrichmentContract } from "../../src/contracts/enrichment.js"
import { layer } from "../../src/memory/layer.js"

enrichmentContract("memory", layer)
