import { findLeadsContract } from "../../src/contracts/service/findLeads.js"
import { quietMemory } from "../../src/service/Service.js"

findLeadsContract("memory", quietMemory)
