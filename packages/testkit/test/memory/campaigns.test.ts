import { campaignsContract } from "../../src/contracts/campaigns.js"
import { campaignsBesideContract } from "../../src/contracts/campaignsBeside.js"
import { leadsContract } from "../../src/contracts/leads.js"
import { layer } from "../../src/memory/layer.js"

campaignsContract("memory", layer)
leadsContract("memory", layer)
campaignsBesideContract("memory", layer)
