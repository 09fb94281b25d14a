import { fuzzContract } from "../../src/contracts/service/fuzz.js"
import { layerMemory } from "../../src/service/Service.js"

fuzzContract("memory", layerMemory)
