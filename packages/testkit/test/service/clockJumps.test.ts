import { clockJumpsContract } from "../../src/contracts/service/clockJumps.js"
import { layerMemory } from "../../src/service/Service.js"

clockJumpsContract("memory", layerMemory)
