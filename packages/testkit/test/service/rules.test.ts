import { rulesContract } from "../../src/contracts/service/rules.js"
import { quietMemory } from "../../src/service/Service.js"

rulesContract("memory", quietMemory)
