import { companyRulesContract } from "../../src/contracts/service/companyRules.js"
import { layerMemory } from "../../src/service/Service.js"

companyRulesContract("memory", layerMemory)
