import { launchContract } from "../../src/contracts/service/launch.js"
import { quietMemory } from "../../src/service/Service.js"

launchContract("memory", quietMemory)
