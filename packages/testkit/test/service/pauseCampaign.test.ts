import { pauseCampaignContract } from "../../src/contracts/service/pauseCampaign.js"
import { quietMemory } from "../../src/service/Service.js"

pauseCampaignContract("memory", quietMemory)
