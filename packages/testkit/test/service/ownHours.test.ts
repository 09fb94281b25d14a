import { ownHoursContract } from "../../src/contracts/service/ownHours.js"
import { quietMemory } from "../../src/service/Service.js"

ownHoursContract("memory", quietMemory)
