import { addLeadsContract } from "../../src/contracts/service/addLeads.js"
import { addLeadsApprovalContract } from "../../src/contracts/service/addLeadsApproval.js"
import { addLeadsBindingContract } from "../../src/contracts/service/addLeadsBinding.js"
import { quietMemory } from "../../src/service/Service.js"

addLeadsContract("memory", quietMemory)
addLeadsApprovalContract("memory", quietMemory)
addLeadsBindingContract("memory", quietMemory)
