import { consoleControlContract } from "../../src/contracts/service/consoleControl.js"
import { quietMemory } from "../../src/service/Service.js"

consoleControlContract("memory", quietMemory)
