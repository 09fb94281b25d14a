import { crmContract } from "../../src/contracts/service/crm.js"
import { crmWritingContract } from "../../src/contracts/service/crmWriting.js"
import { layerMemory } from "../../src/service/Service.js"

crmContract("memory", layerMemory)
crmWritingContract("memory", layerMemory)
