import { createCampaignContract } from "../../src/contracts/service/createCampaign.js"
import { quietMemory } from "../../src/service/Service.js"

createCampaignContract("memory", quietMemory)
