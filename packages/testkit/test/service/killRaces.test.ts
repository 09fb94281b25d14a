import { killRacesContract } from "../../src/contracts/service/killRaces.js"
import { layerMemory } from "../../src/service/Service.js"

killRacesContract("memory", layerMemory)
