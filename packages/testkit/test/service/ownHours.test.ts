import { ownHoursContract } from "../../src/contracts/service/ownHours.js"
import { layerMemory } from "../../src/service/Service.js"

ownHoursContract("memory", layerMemory)
