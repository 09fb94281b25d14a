import { killContract } from "../../src/contracts/service/kill.js"
import { layerMemory } from "../../src/service/Service.js"

killContract("memory", layerMemory)
