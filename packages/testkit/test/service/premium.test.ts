import { premiumOffersContract } from "../../src/contracts/service/premium.js"
import { premiumLive, premiumSourcesContract } from "../../src/contracts/service/premiumSources.js"
import { premiumWithinBudgetContract } from "../../src/contracts/service/premiumWithinBudget.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { quietMemory, over } from "../../src/service/Service.js"

premiumOffersContract("memory", quietMemory)
premiumWithinBudgetContract("memory", quietMemory)
premiumSourcesContract("memory", over(MemoryLayer.layer, premiumLive))
