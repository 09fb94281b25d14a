import { clockJumpsContract } from "../../src/contracts/service/clockJumps.js"
import { quietMemory } from "../../src/service/Service.js"

clockJumpsContract("memory", quietMemory)
