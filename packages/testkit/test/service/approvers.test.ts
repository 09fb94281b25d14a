import { approversContract } from "../../src/contracts/service/approvers.js"
import { layerMemory } from "../../src/service/Service.js"

approversContract("memory", layerMemory)
