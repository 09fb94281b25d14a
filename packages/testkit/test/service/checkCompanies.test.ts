import { checkCompaniesContract } from "../../src/contracts/service/checkCompanies.js"
import { quietMemory } from "../../src/service/Service.js"

checkCompaniesContract("memory", quietMemory)
