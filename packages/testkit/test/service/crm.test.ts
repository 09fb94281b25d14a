import { crmContract } from "../../src/contracts/service/crm.js"
import { layerMemory } from "../../src/service/Service.js"

crmContract("memory", layerMemory)
