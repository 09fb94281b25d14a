import { addLeadsContract } from "../../src/contracts/service/addLeads.js"
import { addLeadsApprovalContract } from "../../src/contracts/service/addLeadsApproval.js"
import { addLeadsBindingContract } from "../../src/contracts/service/addLeadsBinding.js"
import { layerMemory } from "../../src/service/Service.js"

addLeadsContract("memory", layerMemory)
addLeadsApprovalContract("memory", layerMemory)
addLeadsBindingContract("memory", layerMemory)
