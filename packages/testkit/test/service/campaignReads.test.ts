import { campaignReadsContract } from "../../src/contracts/service/campaignReads.js"
import { layerMemory } from "../../src/service/Service.js"

campaignReadsContract("memory", layerMemory)
