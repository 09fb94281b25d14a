import { killRacesContract } from "../../src/contracts/service/killRaces.js"
import { quietMemory } from "../../src/service/Service.js"

killRacesContract("memory", quietMemory)
