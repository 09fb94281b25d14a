import { crmContract } from "../../src/contracts/service/crm.js"
import { crmWritingContract } from "../../src/contracts/service/crmWriting.js"
import { quietMemory } from "../../src/service/Service.js"

crmContract("memory", quietMemory)
crmWritingContract("memory", quietMemory)
