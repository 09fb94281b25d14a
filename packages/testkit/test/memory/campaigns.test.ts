import { campaignsContract } from "../../src/contracts/campaigns.js"
import { layer } from "../../src/memory/layer.js"

campaignsContract("memory", layer)
