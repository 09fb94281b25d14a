import { breakerContract } from "../../src/contracts/service/breaker.js"
import { layerMemory } from "../../src/service/Service.js"

breakerContract("memory", layerMemory)
