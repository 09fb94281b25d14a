import { recordsContract } from "../../src/contracts/service/records.js"
import { layerMemory } from "../../src/service/Service.js"

recordsContract("memory", layerMemory)
