import { failuresContract, storeFailuresContract } from "../../src/contracts/service/failures.js"
import { layerMemory } from "../../src/service/Service.js"

failuresContract("memory", layerMemory)
storeFailuresContract("memory", layerMemory)
