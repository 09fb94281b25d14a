import { holdoutContract } from "../../src/contracts/service/holdout.js"
import { quietMemory } from "../../src/service/Service.js"

holdoutContract("memory", quietMemory)
