import { createCampaignContract } from "../../src/contracts/service/createCampaign.js"
import { layerMemory } from "../../src/service/Service.js"

createCampaignContract("memory", layerMemory)
