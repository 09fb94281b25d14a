import { enrichContract } from "../../src/contracts/service/enrich.js"
import { enrichCacheContract } from "../../src/contracts/service/enrichCache.js"
import { layerMemory } from "../../src/service/Service.js"

enrichContract("memory", layerMemory)
enrichCacheContract("memory", layerMemory)
