import { addSuppressionsContract } from "../../src/contracts/service/addSuppressions.js"
import { layerMemory } from "../../src/service/Service.js"

addSuppressionsContract("memory", layerMemory)
