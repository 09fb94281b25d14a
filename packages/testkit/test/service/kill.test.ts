import { killContract } from "../../src/contracts/service/kill.js"
import { quietMemory } from "../../src/service/Service.js"

killContract("memory", quietMemory)
