import { findLeadsContract } from "../../src/contracts/service/findLeads.js"
import { layerMemory } from "../../src/service/Service.js"

findLeadsContract("memory", layerMemory)
