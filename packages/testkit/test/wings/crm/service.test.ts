import { crmContract } from "../../../src/wings/crm/contract.js"
import { crmWritingContract } from "../../../src/wings/crm/writingContract.js"
import { quietMemory } from "../../../src/service/Service.js"

crmContract("memory", quietMemory)
crmWritingContract("memory", quietMemory)
