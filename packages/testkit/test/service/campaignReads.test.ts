import { campaignReadsContract } from "../../src/contracts/service/campaignReads.js"
import { quietMemory } from "../../src/service/Service.js"

campaignReadsContract("memory", quietMemory)
