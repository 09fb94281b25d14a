import { spendingContract } from "../../src/contracts/service/spending.js"
import { layerMemory } from "../../src/service/Service.js"

spendingContract("memory", layerMemory)
