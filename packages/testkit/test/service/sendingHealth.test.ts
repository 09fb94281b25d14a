import { sendingHealthContract } from "../../src/contracts/service/sendingHealth.js"
import { quietMemory } from "../../src/service/Service.js"

sendingHealthContract("memory", quietMemory)
