import { sequenceContract } from "../../src/contracts/service/sequence.js"
import { layerMemory } from "../../src/service/Service.js"

sequenceContract("memory", layerMemory)
