import { enrichContract } from "../../src/contracts/service/enrich.js"
import { enrichCacheContract } from "../../src/contracts/service/enrichCache.js"
import { quietMemory } from "../../src/service/Service.js"

enrichContract("memory", quietMemory)
enrichCacheContract("memory", quietMemory)
