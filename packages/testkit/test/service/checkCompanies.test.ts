import { checkCompaniesContract } from "../../src/contracts/service/checkCompanies.js"
import { layerMemory } from "../../src/service/Service.js"

checkCompaniesContract("memory", layerMemory)
