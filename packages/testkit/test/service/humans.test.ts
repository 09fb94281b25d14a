import { humansContract } from "../../src/contracts/service/humans.js"
import { quietMemory } from "../../src/service/Service.js"

humansContract("memory", quietMemory)
