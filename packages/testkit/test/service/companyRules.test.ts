import { companyRulesContract } from "../../src/contracts/service/companyRules.js"
import { quietMemory } from "../../src/service/Service.js"

companyRulesContract("memory", quietMemory)
